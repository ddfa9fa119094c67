/* Each row of sass.def is executed, or refused by name. Kernels of this project leave the same bytes as PTX and as machine code of
 * ptxas. A row that no kernel executes fails the test. Usage: no argument: the cubins of cubins/; ARCHITECTURE: cubins from ptxas.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "sass/code/decode.h"
#include "sass/exec/machine.h"
#include "sass/programs.h"
#include "warpsweep/code.h"

enum { MOST_BYTES = 64 << 20, MOST_ROWS = 1024, SEED = 5 };

static const u32 kept[] = {75, 86, 90, 120};
static u32 asked; /* architecture for ptxas; 0: the cubins of all architectures in kept */
static bool executed[MOST_ROWS];

/* Programs: the statements of statements.def, and rows_NN.ptx with kernels for sm_NN and later. */
static const u32 targets[] = {75, 80, 90};

static void note(void *context, const struct ws_program *program, const struct ws_kernel *kernel, const u64 *counts)
{
    const struct ws_sass_kernel *const machine = ws_sass_kernel_of(program, kernel);
    (void)context;
    for (u32 n = 0; n < kernel->op_count; n++) {
        const u32 offset = kernel->code->instructions[n].offset;
        struct ws_sass_instruction in;
        char failure[300];
        if (!counts[n] || offset == WS_CODE_NO_OFFSET)
            continue;
        assert_true(
            ws_sass_decode(machine->code[offset / WS_SASS_WORD], offset, machine->abi->architecture, &in, failure, sizeof failure));
        executed[in.row - ws_sass_rows] = true;
    }
}

static void read_file(const char *path, char **bytes, size_t *length)
{
    EXPECT_OK(ws_file_read(path, MOST_BYTES, bytes, length, &error));
}

/* The cubin of a program for an architecture. */
static void read_cubin(const char *name, const char *text, u32 architecture, char **bytes, size_t *length)
{
    char path[400], ptx[420], command[1200];
    if (!asked) {
        snprintf(path, sizeof path, "%s/%s.sm_%u.cubin", CUBINS_FOLDER, name, architecture);
        read_file(path, bytes, length);
        return;
    }
    snprintf(path, sizeof path, "%s.sm_%u.%ld.cubin", name, architecture, (long)getpid());
    snprintf(ptx, sizeof ptx, "%s.ptx", path);
    FILE *const file = fopen(ptx, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    snprintf(command, sizeof command, "ptxas -arch=sm_%u %s -o %s", architecture, ptx, path);
    assert_int_equal(system(command), 0);
    read_file(path, bytes, length);
    unlink(ptx);
    unlink(path);
}

static void expect_equal(const char *kernel, u32 architecture, const u8 *as_ptx, const u8 *as_machine)
{
    for (u32 i = 0; i < SWEEP_BYTES; i += 8) {
        u64 a, b;
        memcpy(&a, as_ptx + i, sizeof a);
        memcpy(&b, as_machine + i, sizeof b);
        if (a != b)
            fail_msg("kernel %s, sm_%u: result %u of thread %u is 0x%016llx as machine code, 0x%016llx as PTX", kernel,
                     architecture, i / (8 * THREADS), i / 8 % THREADS, (unsigned long long)b, (unsigned long long)a);
    }
}

/* Other opcodes for the same access: without a descriptor, or with URZ added to the address. */
static const struct variant {
    u32 from, to, number, becomes;
    u64 clear[2], set[2];
} variants[] = {
#define BIT(n) (UINT64_C(1) << (n))
    {80, 120, 0x981, 0x381, {UINT64_C(255) << 32, BIT(26) | BIT(27)}, {0, 0}}, /* LDG */
    {90, 120, 0x98A, 0x38A, {0, BIT(27) | 255}, {0, 0}},                       /* ATOM */
    {90, 120, 0x9A8, 0x3A8, {0, BIT(27) | 255}, {0, 0}},                       /* ATOMG */
    {90, 120, 0x9A3, 0x3A3, {0, BIT(27) | 255}, {0, 0}},                       /* ATOMG of floats */
    {75, 99, 0x387, 0x987, {0, 255}, {0, BIT(27) | 63}},                       /* STL */
    {100, 120, 0x387, 0x987, {0, 255}, {0, BIT(27) | 255}},                    /* STL */
    {75, 99, 0xAB9, 0xABB, {UINT64_C(255) << 24, 0}, {63 << 24, 0}},           /* ULDC */
#undef BIT
};

/* Replaces all occurrences of an instruction in a cubin. */
static void replace(const u64 from[2], const struct variant *to, char *bytes, size_t length)
{
    const u64 word[2] = {(from[0] & ~(to->clear[0] | 0xFFF)) | to->becomes | to->set[0], (from[1] & ~to->clear[1]) | to->set[1]};
    for (size_t at = 0; at + WS_SASS_WORD <= length; at += WS_SASS_WORD)
        if (memcmp(bytes + at, from, WS_SASS_WORD) == 0)
            memcpy(bytes + at, word, sizeof word);
}

/* Replaces instructions of a cubin by their variants. */
static void vary(u32 architecture, char *bytes, size_t length)
{
    struct ws_program *program;
    EXPECT_OK(ws_sass_program("varied", (const u8 *)bytes, length, &program, &error));
    for (u32 k = 0; k < program->kernel_count; k++) {
        const struct ws_sass_kernel *const machine = ws_sass_kernel_of(program, &program->kernels[k]);
        for (u32 n = 0; n < machine->words; n++)
            for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
                if (architecture >= variants[i].from && architecture <= variants[i].to &&
                    (machine->code[n][0] & 0xFFF) == variants[i].number)
                    replace(machine->code[n], &variants[i], bytes, length);
    }
    ws_program_free(program);
}

/* A program as PTX and as machine code. */
struct both {
    struct ws_program *ptx, *machine;
};

static struct both load(const char *name, const char *text, u32 architecture, bool varied)
{
    struct ws_frontend_options options;
    struct both both;
    size_t length;
    char *bytes;
    read_cubin(name, text, architecture, &bytes, &length);
    if (varied)
        vary(architecture, bytes, length);
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_program_load(name, text, strlen(text), &options, &both.ptx, &error));
    EXPECT_OK(ws_sass_program(name, (const u8 *)bytes, length, &both.machine, &error));
    free(bytes);
    return both;
}

static void unload(const struct both *both)
{
    ws_program_free(both->ptx);
    ws_program_free(both->machine);
}

static void compare(const char *name, const char *text, u32 architecture, bool varied)
{
    static u8 as_ptx[SWEEP_BYTES], as_machine[SWEEP_BYTES];
    const struct both both = load(name, text, architecture, varied);
    for (u32 n = 0; both.ptx->kernel_names[n]; n++) {
        const char *const kernel = both.ptx->kernel_names[n];
        program_execute(both.ptx, kernel, SEED, as_ptx, SWEEP_BYTES, NULL, NULL);
        program_execute(both.machine, kernel, SEED, as_machine, SWEEP_BYTES, note, NULL);
        expect_equal(kernel, architecture, as_ptx, as_machine);
    }
    unload(&both);
}

static char *read_text(const char *name)
{
    char path[400], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/%s.ptx", ROWS_FOLDER, name);
    read_file(path, &text, &length);
    return text;
}

static void compare_target(u32 target, u32 architecture)
{
    char name[32];
    snprintf(name, sizeof name, "rows_%u", target);
    char *const text = read_text(name);
    compare(name, text, architecture, false);
    compare(name, text, architecture, true);
    free(text);
}

static void compare_textures(u32 architecture)
{
    char *const text = read_text("textures");
    const struct both both = load("textures", text, architecture, false);
    textures_compare(both.ptx, both.machine, architecture, note);
    unload(&both);
    free(text);
}

/* The front end of PTX has no expect_tx: a phase is over once all threads and all bytes have arrived. */
static void expect_bytes(u32 architecture)
{
    static const u32 over[] = {0, 0, 0, 0, 1, 1};
    u32 out[BYTES / 4];
    struct ws_program *program;
    size_t length;
    char *bytes, *const text = read_text("expect_tx");
    read_cubin("expect_tx", text, architecture, &bytes, &length);
    EXPECT_OK(ws_sass_program("expect_tx", (const u8 *)bytes, length, &program, &error));
    program_execute(program, "bytes", SEED, out, sizeof out, note, NULL);
    for (size_t n = 0; n < sizeof over / sizeof *over; n++)
        if (out[n] != over[n])
            fail_msg("sm_%u: after step %zu the phase is %sover", architecture, n, out[n] ? "" : "not ");
    ws_program_free(program);
    free(bytes);
    free(text);
}

static u32 fibonacci(u32 n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* A recursion deeper than the stack stops the launch. */
static void expect_overflow(const struct ws_program *program)
{
    static u32 in[1], same[UNIFORM_WORDS] = {4096}, out[BYTES / 4];
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof in, .data = in},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof same, .data = same}};
    struct ws_ndrange launch = {.kernel = "recursions",
                                .source = "recursion",
                                .global = {THREADS, 1, 1},
                                .local = {THREADS, 1, 1},
                                .argument_count = 3,
                                .arguments = arguments};
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    EXPECT_ERROR_HAS(ws_execute(program, &options, &launch, NULL, NULL, &error), WS_STATUS_bad_input, "store at local address");
}

/* The front end of PTX has no recursion. */
static void expect_recursion(u32 architecture)
{
    u32 out[BYTES / 4];
    struct ws_program *program;
    size_t length;
    char *bytes, *const text = read_text("recursion");
    read_cubin("recursion", text, architecture, &bytes, &length);
    EXPECT_OK(ws_sass_program("recursion", (const u8 *)bytes, length, &program, &error));
    program_execute(program, "recursions", SEED, out, sizeof out, note, NULL);
    for (u32 t = 0; t < THREADS; t++) {
        const u32 *const found = out + 4 * t;
        const float third = (float)t / 3;
        const u32 n = t % 16;
        u32 expected[] = {fibonacci(t % 8), n % 2 == 0, n * (n + 1) / 2, 0};
        memcpy(&expected[3], &third, sizeof third);
        if (memcmp(found, expected, sizeof expected) != 0)
            fail_msg("sm_%u: thread %u has %u, %u, %u", architecture, t, found[0], found[1], found[2]);
    }
    expect_overflow(program);
    ws_program_free(program);
    free(bytes);
    free(text);
}

static void compare_all(u32 architecture)
{
    static struct program sweep;
    program_sweep(&sweep, SWEEP_SEED);
    compare("sweep", sweep.text, architecture, false);
    for (u32 n = 0; n < sizeof targets / sizeof *targets && targets[n] <= architecture; n++)
        compare_target(targets[n], architecture);
    compare_textures(architecture);
    expect_recursion(architecture);
    if (architecture >= 90)
        expect_bytes(architecture);
}

static void expect_all_rows(void)
{
    u32 missing = 0;
    for (u32 n = 0; ws_sass_rows[n].name; n++) {
        const struct ws_sass_row *const row = &ws_sass_rows[n];
        if (executed[n] || row->does == WS_SASS_DOES_refused || row->does == WS_SASS_DOES_trap /* twins.c */)
            continue;
        print_error("%s 0x%03x of sm_%u to sm_%u: no test executes this row\n", row->name, row->number, row->from, row->to);
        missing++;
    }
    assert_int_equal(missing, 0);
}

static void test_rows(void **state)
{
    (void)state;
    if (asked)
        compare_all(asked);
    for (u32 n = 0; !asked && n < sizeof kept / sizeof *kept; n++) {
        compare_all(kept[n]);
        twins_compare(kept[n], note);
    }
    if (asked)
        return;
    compare_target(80, 100);
    expect_all_rows();
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    asked = count > 1 ? (u32)strtoul(arguments[1] + 3, NULL, 10) : 0;
    if (asked && system("ptxas --version >/dev/null 2>&1") != 0) {
        fprintf(stderr, "ptxas is not installed: rows of sass.def are not executed for sm_%u\n", asked);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
