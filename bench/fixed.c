/* Prints what kernels are compiled with for machines, for tools/kernel-resources --fixed: bench_fixed MACHINE
 * [PARAMETER=VALUE[,VALUE]...]... A parameter of several values varies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/compile/fixed.h"
#include "warpsweep/machine.h"

static void check(enum ws_status status, const struct ws_error *error)
{
    if (status == WS_STATUS_ok)
        return;
    fprintf(stderr, "fixed: %s\n", error->message);
    exit(1);
}

static void add(struct ws_fixed *fixed, const struct ws_machine *machine)
{
    struct ws_error error;
    check(ws_machine_check(machine, &error), &error);
    ws_fixed_add(fixed, machine, 0);
}

/* Sets a parameter to each of its values, and adds the machine with each but the last. */
static void vary(struct ws_fixed *fixed, struct ws_machine_file *file, const char *argument)
{
    const size_t key = strcspn(argument, "=");
    for (const char *value = argument + key; *value; value += 1 + strcspn(value + 1, ",")) {
        char assignment[256];
        struct ws_error error;
        const size_t length = strcspn(value + 1, ",");
        snprintf(assignment, sizeof assignment, "%.*s=%.*s", (int)key, argument, (int)length, value + 1);
        check(ws_machine_override(file, assignment, &error), &error);
        if (value[1 + length])
            add(fixed, &file->machine);
    }
}

int main(int argc, char **argv)
{
    struct ws_machine_file file;
    struct ws_fixed fixed = {.any = false};
    struct ws_error error;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_fixed MACHINE [PARAMETER=VALUE[,VALUE]...]...\n");
        return 2;
    }
    check(ws_machine_load(argv[1], &file, &error), &error);
    for (int n = 2; n < argc; n++)
        vary(&fixed, &file, argv[n]);
    add(&fixed, &file.machine);
    char *const text = ws_fixed_text(&fixed);
    if (text)
        fputs(text, stdout);
    free(text);
    return text ? 0 : 1;
}
