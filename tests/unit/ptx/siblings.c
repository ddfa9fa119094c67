/* Errors of one kernel, function or variable do not affect the others; each user of it gets the error. */
#include <stdio.h>
#include <string.h>

#include "kit.h"
#include "test.h"

static struct ws_error error;

/* Lines 1 and 3; the sibling stands on line 2. */
static struct ws_program *load_with(const char *sibling, const char *last)
{
    char text[4000];
    const struct ws_frontend_options options = kit_plain();
    snprintf(text, sizeof text,
             ".global .u32 g; .entry first(.param .u64 p) { .reg .b64 a; ld.param.u64 a, [p]; st.global.u32 [a], 1; ret; }\n%s\n"
             ".visible .entry last(.param .u64 p) { %s ret; }",
             sibling, last);
    return kit_load(text, &options);
}

static void expect_kernel(const struct ws_program *program, const char *name, const char *words)
{
    char found[400];
    const struct ws_kernel *kernel;
    EXPECT_DONE(ws_program_find(program, name, &kernel, &error), &error);
    kit_words(kernel, found, sizeof found);
    assert_string_equal(found, words);
}

static void expect_failure(const struct ws_program *program, const char *name, const char *message)
{
    const struct ws_kernel *kernel;
    if (ws_program_find(program, name, &kernel, &error) != WS_STATUS_bad_input)
        fail_msg("%s can be launched", name);
    assert_string_equal(error.message, message);
}

/* Unused, each may have any contents. */
TEST(test_unused)
{
    static const char *const siblings[] = {
        "",
        ".global .texref t; .global .samplerref s = { addr_mode_0 = clamp_to_edge }; .global .surfref u;",
        ".tex .u32 old; .weak .alias a, b; .alias a, b;",
        ".global .f8 h; .global .align 4 .b8 x[4] = {0xFF(y), 0xFF00(y), 1, 2};",
        ".global .u64 pointer = g; .global .u64 pointers[2] = {g, generic(g)+4};",
        ".const .u32 expression = 1 << 4 | 3 * 2;",
        ".global .attribute(.managed) .u32 m = 5;",
        ".extern .func (.param .b32 r) printed (.param .b64 a, .param .b64 b)\n.extern .func without (.param .b32 a)",
        ".func (.param .f8 r) half (.param .f8 a) { add.f8 r, a, a; }",
        ".func (.param .b32 r) body (.param .b32 a) { .callprotype x; { tex.2d; } } .func (.reg .b128 r) wide () { }",
        ".entry bad(.param .texref t) { tex.2d.v4.f32.f32 {%f1}, [t, {%f1}]; }",
        ".entry bad(.param .u32 a) .reqntid 8, 8 .maxnreg 4 { vprintf; { {} } }",
        ".visible .entry bad(.param .align 8 .b8 a[9000]) { }",
        ".entry bad(.param .u32 a, .param .u32 a) { ret; }",
        ".entry bad(.hidden .param .u64 a) { .reg .b64 a; no.such; cp.async.cg.shared.global.L2::128B [a], [a], 16; 0x; # $ ` }",
        ".global .b8 odd = 12Q3 `;",
        ".entry bad() .explicitcluster .reqnctapercluster 2, 1, 1 { 128B }",
        ".entry bad(.param .u64 .ptr .global .align 3 a) { ret; }",
        ".global .u32 no_end",
        ".frobnicate 5, \"x\"; .frobnicate { a; b; { c } }",
        "frobnicate (a) { b }",
        ".func frob(.reg .pred p); .func frob(.reg .pred p) { ret x; }",
        ".shared .b8 large[1048577]; .shared .f8 small[3];",
    };
    for (size_t n = 0; n < sizeof siblings / sizeof *siblings; n++) {
        struct ws_program *const program = load_with(siblings[n], "");
        expect_kernel(program, "first", "mov st exit");
        expect_kernel(program, "last", "exit");
        ws_program_free(program);
    }
}

/* Used, each is an error of the user only. */
TEST(test_used)
{
    static const struct {
        const char *sibling, *use, *message;
    } used[] = {
        {".global .f8 h;", ".reg .b64 a; mov.u64 a, h;", "kit:3: 'h' cannot be used: kit:2: expected a type, found '.f8'"},
        {".global .u32 pointer = g;", ".reg .b32 a; ld.global.u32 a, [pointer];",
         "kit:3: 'pointer' cannot be used: kit:2: the address 'g' does not fit into 32 bits"},
        {".global .u32 g;", ".reg .b32 a; ld.global.u32 a, [g];", "kit:3: 'g' cannot be used: kit:2: 'g' is declared twice"},
        {".func half (.param .f8 a) { ret; }", "call half, (1);",
         "kit:2: expected a type, found '.f8' (in 'half', which line 3 calls)"},
        {".func half (.param .b32 a) { frob; }", "call half, (1);",
         "kit:2: 'frob' is not supported: no such instruction (in 'half', which line 3 calls)"},
        {".extern .func without (.param .b32 a)", "call without, (1);", "kit:3: unresolved symbol 'without'"},
    };
    for (size_t n = 0; n < sizeof used / sizeof *used; n++) {
        struct ws_program *const program = load_with(used[n].sibling, used[n].use);
        expect_kernel(program, "first", "mov st exit");
        expect_failure(program, "last", used[n].message);
        ws_program_free(program);
    }
}

/* A kernel with an error, launched; and a missing one. */
TEST(test_kernels)
{
    static const struct {
        const char *sibling, *name, *message;
    } bad[] = {
        {".entry bad(.param .tensormap t) { ret; }", "bad", "kit:2: expected a type, found '.tensormap'"},
        {".entry bad(.param .u32 a) .maxntid 8 { frob; }", "bad", "kit:2: 'frob' is not supported: no such instruction"},
        {".visible .entry first() { ret; }", "first", "kit:2: 'first' is defined twice"},
        {".entry good() { ret; }", "bad", "kit: there is no kernel 'bad'; there are first, good, last"},
        {".entry bad() .explicitcluster .reqnctapercluster 2, 3, 3 { ret; }", "bad",
         "kit:2: clusters of 2 x 3 x 3 blocks: expected 1 to 16 in all"},
        {".entri bad() { ret; }", "bad",
         "kit: there is no kernel 'bad'; there are first, last; the first error is: kit:2: expected a directive of PTX, found "
         "'.entri'"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct ws_program *const program = load_with(bad[n].sibling, "");
        expect_failure(program, bad[n].name, bad[n].message);
        expect_kernel(program, "last", "exit");
        ws_program_free(program);
    }
    struct ws_program *const program = load_with(
        ".entry one(.hidden .param .u64 a) .blocksareclusters .reqntid 128 .reqnctapercluster 1 .maxclusterrank 8 { ret; }", "");
    expect_kernel(program, "one", "exit");
    ws_program_free(program);
}

/* 32-bit addresses are an error of every kernel; after an unclosed comment or string nothing is parsed. */
TEST(test_all)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {".address_size 16\n.entry k() { ret; }", "kit:1: found .address_size 16, allowed are 32 and 64"},
        {".entry k() { ret; }\n.global .u32 g = \"\n", "kit:2: a string has no end"},
        {".entry k() { ret; }\n/* .entry j() { }", "kit:2: a comment has no end"},
    };
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program;
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        assert_int_equal(ws_program_load("kit", bad[n].text, strlen(bad[n].text), &options, &program, &error), WS_STATUS_bad_input);
        assert_string_equal(error.message, bad[n].message);
    }
}
