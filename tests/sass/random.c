/* Random PTX programs, executed as PTX and as the machine code that ptxas makes of them: all that they leave is equal. Usage:
 * ARCHITECTURE FOLDER: the cubins of the folder, SEED.ARCHITECTURE.cubin; ARCHITECTURE alone: WS_CASES programs through ptxas;
 * --print SEED: the PTX of one. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "sass/exec/machine.h"
#include "test.h"

enum { THREADS = 64, WORDS = 24, BYTES = THREADS * WORDS * 4, ROOM = 1 << 16, KEPT = 8, MOST_BYTES = 64 << 20 };
enum { W = 8, D = 4, F = 4, P = 3 }; /* registers: words, doublewords, floats, predicates */

static const char *architecture, *folder;

struct program {
    u64 state;
    char text[ROOM];
    size_t length;
    u32 labels;
};

__attribute__((format(printf, 2, 3))) static void add(struct program *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(program->text + program->length, ROOM - program->length, format, arguments);
    va_end(arguments);
    program->length += (size_t)length;
    assert_true(program->length < ROOM);
}

static u32 below(struct program *program, u32 most)
{
    return (u32)(ws_random(&program->state) % most);
}

/* Statements: w, d, f, p are registers of these kinds, # an integer, s a shift below 32; the first is written. */
static const char *const statements[] = {"mul.f32 %g0, f, f; mul.f32 f, %g0, 0f3F000000;",
                                         "mul.f32 %g0, f, f; mul.f32 f, %g0, 0f41000000;",
                                         "add.u32 w, w, w;",
                                         "sub.u32 w, w, w;",
                                         "mul.lo.u32 w, w, w;",
                                         "mad.lo.s32 w, w, w, w;",
                                         "mul.hi.s32 w, w, w;",
                                         "mul.hi.u32 w, w, w;",
                                         "and.b32 w, w, w;",
                                         "or.b32 w, w, #;",
                                         "xor.b32 w, w, w;",
                                         "not.b32 w, w;",
                                         "shl.b32 w, w, w;",
                                         "shr.u32 w, w, s;",
                                         "shr.s32 w, w, w;",
                                         "min.s32 w, w, w;",
                                         "max.u32 w, w, w;",
                                         "min.u32 w, w, #;",
                                         "abs.s32 w, w;",
                                         "neg.s32 w, w;",
                                         "popc.b32 w, w;",
                                         "clz.b32 w, w;",
                                         "bfind.s32 w, w;",
                                         "brev.b32 w, w;",
                                         "bfe.u32 w, w, w, w;",
                                         "bfe.s32 w, w, s, s;",
                                         "bfi.b32 w, w, w, w, w;",
                                         "prmt.b32 w, w, w, w;",
                                         "prmt.b32 w, w, w, #;",
                                         "lop3.b32 w, w, w, w, 0x1d;",
                                         "lop3.b32 w, w, w, w, 0x96;",
                                         "shf.l.wrap.b32 w, w, w, w;",
                                         "shf.r.clamp.b32 w, w, w, w;",
                                         "sad.s32 w, w, w, w;",
                                         "selp.b32 w, w, w, p;",
                                         "slct.s32.s32 w, w, w, w;",
                                         "setp.lt.s32 p, w, w;",
                                         "setp.ge.u32 p, w, #;",
                                         "setp.eq.s32 p, w, w;",
                                         "setp.lt.and.s32 p, w, w, p;",
                                         "setp.ne.xor.u32 p, w, w, p;",
                                         "add.cc.u32 w, w, w; addc.u32 w, w, w;",
                                         "sub.cc.u32 w, w, w; subc.u32 w, w, w;",
                                         "dp4a.s32.s32 w, w, w, w;",
                                         "dp4a.u32.s32 w, w, w, w;",
                                         "add.u64 d, d, d;",
                                         "sub.u64 d, d, d;",
                                         "mul.lo.u64 d, d, d;",
                                         "mul.wide.s32 d, w, w;",
                                         "mad.wide.u32 d, w, w, d;",
                                         "and.b64 d, d, d;",
                                         "shl.b64 d, d, w;",
                                         "shr.u64 d, d, s;",
                                         "shr.s64 d, d, w;",
                                         "setp.lt.s64 p, d, d;",
                                         "selp.b64 d, d, d, p;",
                                         "cvt.u32.u64 w, d;",
                                         "cvt.s64.s32 d, w;",
                                         "min.s64 d, d, d;",
                                         "add.f32 f, f, f;",
                                         "sub.f32 f, f, f;",
                                         "mul.f32 f, f, f;",
                                         "fma.rn.f32 f, f, f, f;",
                                         "fma.rz.f32 f, f, f, f;",
                                         "add.rm.f32 f, f, f;",
                                         "mul.ftz.f32 f, f, f;",
                                         "add.sat.f32 f, f, f;",
                                         "min.f32 f, f, f;",
                                         "max.f32 f, f, f;",
                                         "neg.f32 f, f;",
                                         "abs.f32 f, f;",
                                         "setp.lt.f32 p, f, f;",
                                         "setp.neu.f32 p, f, f;",
                                         "setp.num.f32 p, f, f;",
                                         "selp.f32 f, f, f, p;",
                                         "cvt.rn.f32.s32 f, w;",
                                         "cvt.rz.f32.u32 f, w;",
                                         "cvt.rzi.s32.f32 w, f;",
                                         "cvt.rmi.u32.f32 w, f;",
                                         "cvt.rni.f32.f32 f, f;",
                                         "cvt.rzi.s64.f32 d, f;",
                                         "cvt.rn.f32.s64 f, d;",
                                         "div.rn.f32 f, f, f;",
                                         "sqrt.rn.f32 f, f;",
                                         "rcp.rn.f32 f, f;",
                                         "mov.b32 w, f;",
                                         "mov.b32 f, w;",
                                         "fma.rn.f16x2 w, w, w, w;",
                                         "add.rn.f16x2 w, w, w;",
                                         "mul.rn.f16x2 w, w, w;",
                                         "cvt.rn.f16.f32 %h0, f; mov.b32 w, {%h0, %h0};",
                                         "mov.b32 {%h0, %h1}, w; cvt.f32.f16 f, %h1;",
                                         "cvt.u32.u8 w, w;",
                                         "cvt.s32.s8 w, w;",
                                         "cvt.s32.s16 w, w;",
                                         "mov.b64 %e0, d; mov.b64 %e1, d; add.f64 %e0, %e0, %e1; mov.b64 d, %e0;",
                                         "mov.b64 %e0, d; mul.f64 %e0, %e0, %e0; mov.b64 d, %e0;",
                                         "mov.b64 %e0, d; mov.b64 %e1, d; fma.rn.f64 %e0, %e0, %e1, %e1; mov.b64 d, %e0;",
                                         "cvt.f64.f32 %e0, f; mov.b64 d, %e0;",
                                         "mov.b64 %e0, d; setp.gt.f64 p, %e0, 0d3FF0000000000000;",
                                         "cvt.rn.f64.s32 %e0, w; cvt.rn.f32.f64 f, %e0;"};

static void add_statement(struct program *program)
{
    const char *const statement = statements[below(program, sizeof statements / sizeof *statements)];
    char before = ' ';
    for (const char *at = statement; *at; before = *at++) {
        const bool word = strchr(" ,;{", before) && strchr(" ,;}", at[1]);
        const char *const kinds = "wdfp";
        static const u32 counts[] = {W, D, F, P};
        const char *const kind = word ? strchr(kinds, *at) : NULL;
        if (kind)
            add(program, "%%%c%u", *at, below(program, counts[kind - kinds]));
        else if (word && *at == '#')
            add(program, "%d", (int)ws_random(&program->state));
        else if (word && *at == 's')
            add(program, "%u", below(program, 32));
        else
            add(program, "%c", *at);
    }
    add(program, "\n");
}

static void add_body(struct program *program, u32 depth);

/* A branch around statements, one of two ways, or a loop of a few turns. */
static void add_control(struct program *program, u32 depth)
{
    const u32 label = program->labels++, which = below(program, 3), predicate = below(program, P);
    if (which == 2)
        add(program, "and.b32 %%c%u, %%w%u, 3;\nL%u:\n", depth, below(program, W), label);
    else
        add(program, "@%s%%p%u bra L%u;\n", below(program, 2) ? "!" : "", predicate, label);
    add_body(program, depth + 1);
    if (which == 1)
        add(program, "bra M%u;\nL%u:\n", label, label);
    if (which == 1)
        add_body(program, depth + 1);
    if (which == 2)
        add(program, "add.s32 %%c%u, %%c%u, -1;\nsetp.ge.s32 %%q, %%c%u, 0;\n@%%q bra L%u;\n", depth, depth, depth, label);
    else
        add(program, "%c%u:\n", which == 1 ? 'M' : 'L', label);
}

static void add_body(struct program *program, u32 depth)
{
    for (u32 n = 2 + below(program, 6); n > 0; n--) {
        if (depth < 3 && below(program, 5) == 0)
            add_control(program, depth);
        else
            add_statement(program);
    }
}

static void make(struct program *program, u64 seed)
{
    *program = (struct program){.state = seed * 0x9E3779B97F4A7C15u + 1};
    add(program,
        ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry random(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .b32 %%w<8>, %%c<4>, %%t;\n.reg .b64 %%d<4>, %%a, %%b, %%o;\n.reg .f32 %%f<4>, %%g<1>;\n.reg .f64 %%e<2>;\n"
        ".reg .b16 %%h<2>;\n.reg .pred %%p<3>, %%q;\nld.param.u64 %%a, [in];\nld.param.u64 %%b, [out];\nmov.u32 %%t, %%tid.x;\n"
        "mul.wide.u32 %%o, %%t, 96;\nadd.u64 %%a, %%a, %%o;\nadd.u64 %%b, %%b, %%o;\n");
    for (u32 n = 0; n < W; n++)
        add(program, "ld.global.u32 %%w%u, [%%a+%u];\n", n, 4 * n);
    for (u32 n = 0; n < D; n++)
        add(program, "ld.global.u64 %%d%u, [%%a+%u];\nld.global.f32 %%f%u, [%%a+%u];\n", n, 32 + 8 * n, n, 64 + 4 * n);
    for (u32 n = 0; n < P; n++)
        add(program, "setp.lt.s32 %%p%u, %%w%u, %%w%u;\n", n, n, n + 1);
    for (u32 n = 0; n < 4; n++)
        add_body(program, 0);
    for (u32 n = 0; n < W; n++)
        add(program, "st.global.u32 [%%b+%u], %%w%u;\n", 4 * n, n);
    for (u32 n = 0; n < D; n++)
        add(program, "st.global.u64 [%%b+%u], %%d%u;\nst.global.f32 [%%b+%u], %%f%u;\n", 32 + 8 * n, n, 64 + 4 * n, n);
    for (u32 n = 0; n < P; n++)
        add(program, "selp.u32 %%t, 1, 0, %%p%u;\nst.global.u32 [%%b+%u], %%t;\n", n, 80 + 4 * n);
    add(program, "exit;\n}\n");
}

/* ---- Execution ---- */

static void execute(const struct ws_program *program, u64 seed, u32 *out)
{
    static u32 in[BYTES / 4];
    u64 state = seed + 77;
    struct ws_frontend_options options;
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = BYTES, .data = in},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = BYTES, .data = out}};
    struct ws_ndrange launch = {.kernel = "random",
                                .source = "random",
                                .global = {THREADS, 1, 1},
                                .local = {THREADS, 1, 1},
                                .argument_count = 2,
                                .arguments = arguments};
    static const u32 special[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 1, 0x7FFFFF, 0x3F800000, 0x7FFFFFFF, 0x3C003C00, 31};
    for (u32 n = 0; n < BYTES / 4; n++) {
        const u64 drawn = ws_random(&state);
        in[n] = drawn % 8 == 0  ? special[drawn / 8 % 10]
                : drawn % 8 < 4 ? (u32)(drawn >> 16)
                                : (u32)(drawn >> 16) % 0x06000000 + 0x3D000000;
    }
    memset(out, 0, BYTES);
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_execute(program, &options, &launch, NULL, NULL, &error));
}

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
    execute(machine, seed, out);
    free(bytes);
    ws_program_free(machine);
}

/* Where optimized code differs and code that is not optimized agrees, the compiler is wrong. */
static void compare(u64 seed)
{
    static struct program text;
    static u32 as_ptx[BYTES / 4], as_machine[BYTES / 4];
    char path[256];
    struct ws_frontend_options options;
    struct ws_program *ptx;
    make(&text, seed);
    cubin_path(seed, path, sizeof path);
    if (!folder)
        compile(&text, path, 3);
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_program_load("random", text.text, text.length, &options, &ptx, &error));
    execute(ptx, seed, as_ptx);
    execute_cubin(seed, path, as_machine);
    if (!folder && memcmp(as_ptx, as_machine, BYTES) != 0) {
        compile(&text, path, 0);
        execute_cubin(seed, path, as_machine);
        print_message("seed %llu, %s: ptxas optimizes it wrongly\n", (unsigned long long)seed, architecture);
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
        make(&program, strtoull(arguments[2], NULL, 10));
        fputs(program.text, stdout);
        return 0;
    }
    architecture = count > 1 ? arguments[1] : "sm_86";
    folder = count > 2 ? arguments[2] : NULL;
    if (!folder && system("ptxas --version >/dev/null 2>&1") != 0) {
        fprintf(stderr, "ptxas is not installed: random programs are not compared with their machine code\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
