/* Prints what kernels are compiled with for a machine: bench_fixed MACHINE [PARAMETER=VALUE...], for tools/kernel-resources --fixed. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/fixed.h"
#include "warpsweep/machine.h"

static int complain(const struct ws_error *error)
{
    fprintf(stderr, "fixed: %s\n", error->message);
    return 1;
}

int main(int argc, char **argv)
{
    struct ws_machine_file file;
    struct ws_fixed fixed = {.any = false};
    struct ws_error error = {.message = ""};
    if (argc < 2) {
        fprintf(stderr, "usage: bench_fixed MACHINE [PARAMETER=VALUE...]\n");
        return 2;
    }
    if (ws_machine_load(argv[1], &file, &error) != WS_STATUS_ok)
        return complain(&error);
    for (int n = 2; n < argc; n++)
        if (ws_machine_override(&file, argv[n], &error) != WS_STATUS_ok)
            return complain(&error);
    if (ws_machine_check(&file.machine, &error) != WS_STATUS_ok)
        return complain(&error);
    ws_fixed_add(&fixed, &file.machine);
    char *const text = ws_fixed_text(&fixed);
    if (text)
        fputs(text, stdout);
    free(text);
    return text ? 0 : 1;
}
