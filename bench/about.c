#include "bench/about.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER "" __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

unsigned bench_cores(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

static void processor(char *name, size_t room)
{
    char line[2048];
    FILE *const file = fopen("/proc/cpuinfo", "r");
    snprintf(name, room, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *const colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (colon) {
            snprintf(name, room, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

/* Load average of the last minute: above zero, others shared the cores, and only core seconds compare. */
static double load(void)
{
    double value = 0;
    FILE *const file = fopen("/proc/loadavg", "r");
    if (file && fscanf(file, "%lf", &value) != 1)
        value = 0;
    if (file)
        fclose(file);
    return value;
}

void bench_about(struct ws_json *json, const char *commit)
{
    char name[2048];
    processor(name, sizeof name);
    ws_json_unsigned(json, "schema", 1);
    ws_json_text(json, "processor", name);
    ws_json_unsigned(json, "cores", bench_cores());
    ws_json_real(json, "load", load());
    ws_json_text(json, "compiler", COMPILER);
    ws_json_text(json, "commit", commit);
    printf("%s, %u cores under load %.1f, %s, commit %s\n", name, bench_cores(), load(), COMPILER, commit);
}
