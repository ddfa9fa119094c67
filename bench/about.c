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

/* As bench/common names it: clouds name processors of all generations alike, but for family and model. */
static void processor(char *text, size_t room)
{
    char line[2048], name[1024] = "unknown";
    unsigned family = 0, model = 0;
    FILE *const file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file) && line[0] != '\n') {
        sscanf(line, "model name\t: %1023[^\n]", name);
        sscanf(line, "cpu family\t: %u", &family);
        sscanf(line, "model\t: %u", &model);
    }
    if (file)
        fclose(file);
    if (family)
        snprintf(text, room, "%s, family %u model %u", name, family, model);
    else
        snprintf(text, room, "%s", name);
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
