/* Random PTX programs give the same results as PTX and as the machine code of ptxas. Usage:
 * ARCHITECTURE FOLDER   the cubins SEED.ARCHITECTURE.cubin of the folder
 * ARCHITECTURE          WS_CASES programs through ptxas
 * --print SEED          print the PTX of a program; 0: that of test sass_rows */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "sass/exec/machine.h"
#include "sass/programs.h"

enum { KEPT = 8, MOST_BYTES = 64 << 20 };

static const char *architecture, *folder;

static void cubin_path(u64 seed, char *path, size_t room)
{
    snprintf(path, room, "%s/%llu.%s.cubin", folder ? folder : ".", (unsigned long long)seed, architecture);
}

static void compile(const struct program *program, const char *cubin, u32 level)
{
    char ptx[300], command[900];
    snprintf(ptx, sizeof ptx, "%s.ptx", cubin);
    FILE *const file = fopen(ptx, "w");
    assert_non_null(file);
    fputs(program->text, file);
    fclose(file);
    snprintf(command, sizeof command, "ptxas -O%u -arch=%s %s -o %s", level, architecture, ptx, cubin);
    assert_int_equal(system(command), 0);
    unlink(ptx);
}

static void execute_cubin(u64 seed, const char *path, u32 *out)
{
    char *bytes;
    size_t length;
    struct ws_program *machine;
    EXPECT_OK(ws_file_read(path, MOST_BYTES, &bytes, &length, &error));
    EXPECT_OK(ws_sass_program("random", (const u8 *)bytes, length, &machine, &error));
    program_execute(machine, "random", seed, out, BYTES, NULL, NULL);
    free(bytes);
    ws_program_free(machine);
}

/* The compiler is wrong if optimized code differs from the PTX and unoptimized code does not. */
static void compare(u64 seed)
{
    static struct program text;
    static u32 as_ptx[BYTES / 4], as_machine[BYTES / 4];
    char path[256];
    struct ws_frontend_options options;
    struct ws_program *ptx;
    program_make(&text, seed);
    cubin_path(seed, path, sizeof path);
    if (!folder)
        compile(&text, path, 3);
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_program_load("random", text.text, text.length, &options, &ptx, &error));
    program_execute(ptx, "random", seed, as_ptx, BYTES, NULL, NULL);
    execute_cubin(seed, path, as_machine);
    if (!folder && memcmp(as_ptx, as_machine, BYTES) != 0) {
        compile(&text, path, 0);
        execute_cubin(seed, path, as_machine);
        print_message("seed %llu, %s: optimized code differs from its PTX, unoptimized code does not\n", (unsigned long long)seed,
                      architecture);
    }
    for (u32 n = 0; n < BYTES / 4; n++)
        if (as_ptx[n] != as_machine[n])
            fail_msg("seed %llu, %s: word %u of thread %u is 0x%08x as machine code, 0x%08x as PTX", (unsigned long long)seed,
                     architecture, n % WORDS, n / WORDS, as_machine[n], as_ptx[n]);
    if (!folder)
        unlink(path);
    ws_program_free(ptx);
}

static void test_programs(void **state)
{
    const char *const cases = getenv("WS_CASES");
    const u64 count = folder ? KEPT : cases ? strtoull(cases, NULL, 10) / 10 + 1 : 60;
    (void)state;
    for (u64 seed = 1; seed <= count; seed++)
        compare(seed);
}

int main(int count, char **arguments)
{
    static struct program program;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    if (count == 3 && strcmp(arguments[1], "--print") == 0) {
        const u64 seed = strtoull(arguments[2], NULL, 10);
        if (seed == 0)
            program_sweep(&program, SWEEP_SEED);
        else
            program_make(&program, seed);
        fputs(program.text, stdout);
        return 0;
    }
    architecture = count > 1 ? arguments[1] : "sm_86";
    folder = count > 2 ? arguments[2] : NULL;
    if (!folder && system("ptxas --version >/dev/null 2>&1") != 0) {
        fprintf(stderr, "ptxas is not installed: random programs are not compared with machine code\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
