/* Random PTX programs, and their execution. */
#include "sass/programs.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "frontend/exec/run.h"

enum {
    W = 8,
    D = 4,
    F = 4,
    P = 3,
    EACH = 48 /* statements per sweep kernel */
};            /* numbers of registers: words (W), doublewords (D), floats (F), predicates (P) */

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

static const char *const statements[] = {
#define STATEMENT(text) text,
#include "sass/statements.def"
#undef STATEMENT
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

/* Adds a statement. kind_of and number_of receive the register that its last instruction writes first. */
static void add_statement(struct program *program, const char *statement, char *kind_of, u32 *number_of)
{
    const char *const kinds = "wdfp";
    static const u32 counts[] = {W, D, F, P};
    char before = ' ';
    bool first = true;
    for (const char *at = statement; *at; before = *at++) {
        const bool word = strchr(" ,;{", before) && strchr(" ,;}|", at[1]);
        const char *const kind = word ? strchr(kinds, *at) : NULL;
        if (kind) {
            const u32 number = below(program, counts[kind - kinds]);
            add(program, "%%%c%u", *at, number);
            if (first) {
                *kind_of = *at;
                *number_of = number;
            }
            first = false;
        } else if (word && *at == '#') {
            add(program, "%d", (int)ws_random(&program->state));
        } else if (word && *at == 's') {
            add(program, "%u", below(program, 32));
        } else {
            add(program, "%c", *at);
        }
        first |= *at == ';' && at[1];
    }
    add(program, "\n");
}

static void add_body(struct program *program, u32 depth);

/* Adds a branch around statements, an if-else, or a loop of a few iterations. */
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
    char kind;
    u32 number;
    for (u32 n = 2 + below(program, 6); n > 0; n--) {
        if (depth < 3 && below(program, 5) == 0)
            add_control(program, depth);
        else
            add_statement(program, statements[below(program, STATEMENTS)], &kind, &number);
    }
}

static void begin(struct program *program, const char *name)
{
    add(program,
        ".visible .entry %s(.param .u64 in, .param .u64 out, .param .align 8 .b8 same[32])\n{\n"
        ".reg .b32 %%w<8>, %%c<4>, %%t;\n.reg .b64 %%d<4>, %%a, %%b, %%o;\n.reg .f32 %%f<4>, %%g<1>;\n.reg .f64 %%e<2>;\n"
        ".reg .b16 %%h<2>;\n.reg .pred %%p<3>, %%q;\nld.param.u64 %%a, [in];\nld.param.u64 %%b, [out];\nmov.u32 %%t, %%tid.x;\n"
        "mul.wide.u32 %%o, %%t, 96;\nadd.u64 %%a, %%a, %%o;\nmov.b16 %%h0, 0x3C00;\nmov.b16 %%h1, 0xBC01;\n",
        name);
}

/* Loads a register from the thread's input, or from the words common to all threads. */
static void load_register(struct program *program, char kind, u32 number, u32 offset)
{
    const u32 bytes = kind == 'd' ? 8 : 4;
    const char *const type = kind == 'd' ? "u64" : kind == 'f' ? "f32" : "u32";
    if (program->uniform)
        add(program, "ld.param.%s %%%c%u, [same+%u];\n", type, kind, number, offset % (4 * UNIFORM_WORDS) / bytes * bytes);
    else
        add(program, "ld.global.%s %%%c%u, [%%a+%u];\n", type, kind, number, offset);
}

static void load(struct program *program)
{
    for (u32 n = 0; n < W; n++)
        load_register(program, 'w', n, 4 * n);
    for (u32 n = 0; n < D; n++) {
        load_register(program, 'd', n, 32 + 8 * n);
        load_register(program, 'f', n, 64 + 4 * n);
    }
    for (u32 n = 0; n < P; n++)
        add(program, "setp.lt.s32 %%p%u, %%w%u, %%w%u;\n", n, n, n + 1);
}

void program_make(struct program *program, u64 seed)
{
    *program = (struct program){.state = seed * 0x9E3779B97F4A7C15u + 1};
    add(program, ".version 8.0\n.target sm_75\n.address_size 64\n");
    begin(program, "random");
    load(program);
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

/* Stores a register as doubleword n of each thread. */
static void store_register(struct program *program, char kind, u32 number, u32 n)
{
    const u32 offset = n * THREADS * 8;
    if (kind == 'p')
        add(program, "selp.u32 %%t, 1, 0, %%p%u;\nst.global.u32 [%%b+%u], %%t;\n", number, offset);
    else
        add(program, "st.global.%s [%%b+%u], %%%c%u;\n", kind == 'd' ? "u64" : kind == 'f' ? "f32" : "u32", offset, kind, number);
}

/* Before each statement three registers are loaded; the others keep results of earlier statements. */
static void add_sweep(struct program *program, u32 from, u32 to)
{
    char name[32], kind = 'w';
    u32 number = 0;
    snprintf(name, sizeof name, "%s%u", program->uniform ? "same" : "sweep", from / EACH);
    begin(program, name);
    load(program);
    for (u32 n = from; n < to; n++) {
        if (program->uniform && strncmp(statements[n], "szext", 5) == 0)
            continue; /* ptxas 13.0 emits a wrong constant bank (docs/sass.md, "Compiler errors found") */
        load_register(program, 'w', below(program, W), 4 * below(program, WORDS));
        load_register(program, 'd', below(program, D), 8 * below(program, WORDS / 2));
        load_register(program, 'f', below(program, F), 4 * below(program, WORDS));
        add_statement(program, statements[n], &kind, &number);
        store_register(program, kind, number, n - from);
    }
    add(program, "exit;\n}\n");
}

void program_sweep(struct program *program, u64 seed)
{
    *program = (struct program){.state = seed};
    add(program, ".version 8.0\n.target sm_75\n.address_size 64\n");
    for (u32 pass = 0; pass < 2; pass++) {
        program->uniform = pass;
        for (u32 n = 0; n < STATEMENTS; n += EACH)
            add_sweep(program, n, n + EACH < STATEMENTS ? n + EACH : STATEMENTS);
    }
}

/* ---- Execution ---- */

static void fill(u32 *words, u32 count, u64 state)
{
    static const u32 special[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 1, 0x7FFFFF, 0x3F800000, 0x7FFFFFFF, 0x3C003C00, 31};
    for (u32 n = 0; n < count; n++) {
        const u64 drawn = ws_random(&state);
        words[n] = drawn % 8 == 0  ? special[drawn / 8 % 10]
                   : drawn % 8 < 4 ? (u32)(drawn >> 16)
                                   : (u32)(drawn >> 16) % 0x06000000 + 0x3D000000;
    }
}

void program_run(const struct ws_program *program, const struct ws_ndrange *launch, program_count *count, void *context)
{
    struct ws_frontend_options options;
    struct ws_plan plan;
    struct ws_run run;
    struct ws_totals totals = {.left = UINT64_MAX};
    enum ws_block_state state = WS_BLOCK_runs;
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_plan_make(program, launch, &plan, &error));
    EXPECT_OK(ws_run_make(&plan, &options, &run, &error));
    assert_true(ws_run_begin(&run, 0, NULL));
    while (state == WS_BLOCK_runs)
        EXPECT_OK(ws_run_block(&run, &totals, NULL, &state, &error));
    if (state == WS_BLOCK_waits)
        fail_msg("kernel %s waits for ever", launch->kernel);
    if (count)
        count(context, program, plan.kernel, run.executed);
    ws_run_free(&run);
    ws_plan_free(&plan);
}

void program_execute(const struct ws_program *program, const char *kernel, u64 seed, void *out, size_t bytes, program_count *count,
                     void *context)
{
    static u32 in[BYTES / 4], same[UNIFORM_WORDS];
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = BYTES, .data = in},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = bytes, .data = out},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof same, .data = same}};
    const struct ws_ndrange launch = {.kernel = kernel,
                                      .source = "programs",
                                      .global = {THREADS, 1, 1},
                                      .local = {THREADS, 1, 1},
                                      .argument_count = 3,
                                      .arguments = arguments};
    fill(in, BYTES / 4, seed + 77);
    fill(same, UNIFORM_WORDS, seed + 78);
    memset(out, 0, bytes);
    program_run(program, &launch, count, context);
}
