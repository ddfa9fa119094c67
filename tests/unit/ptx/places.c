/* PTX compiled from an available source: messages name source places. */
#include <stdio.h>
#include <string.h>

#include "frontend/ptx/ir.h"
#include "test.h"

#define FILES "\t.file\t1 \"dir/k.cl\"\n\t.file\t2 \"/some/where\" \"./u.h\"\n.file 300 \"x\"\n.file 4 \"\"\n.file 5\n"

static struct ws_error error;

static enum ws_status load(const char *name, const char *text, struct ws_program **program)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.compiled = true;
    return ws_program_load(name, text, strlen(text), &options, program, &error);
}

static void expect_message(const char *text, const char *message)
{
    struct ws_program *program;
    assert_int_equal(load("some/k.cl", text, &program), WS_STATUS_bad_input);
    assert_string_equal(error.message, message);
}

/* The line of the last .loc, which another function does not inherit. */
TEST(test_text)
{
    expect_message(".entry k() {\n.loc 1 7 3\n.loc 1 0 0\nfrob;\n}\n" FILES,
                   "some/k.cl:7: 'frob' is not supported: no such instruction");
    expect_message(".entry k() {\n.loc 2 9 3\nfrob;\n}\n" FILES, "u.h:9: 'frob' is not supported: no such instruction");
    expect_message(".entry k() {\n.loc 5 9 3\nfrob;\n}\n" FILES, "some/k.cl:9: 'frob' is not supported: no such instruction");
    expect_message(".func f() {\n.loc 1 9 3\n}\n.entry k() {\nfrob;\n}\n",
                   "some/k.cl: 'frob' is not supported: no such instruction");
    expect_message(".entri k() {}", "some/k.cl: expected a directive of PTX, found '.entri'");
}

/* Calls, and errors of a whole kernel. */
TEST(test_passes)
{
    expect_message(".entry k() {\n.loc 1 5 0\n.loc 1 7 3\ncall f;\n}\n" FILES, "some/k.cl:7: unresolved symbol 'f'");
    expect_message(".func f() {\n.loc 2 4 0\nfrob; }\n.entry k() {\n.loc 1 5 0\n.loc 1 7 3\ncall f;\n}\n" FILES,
                   "u.h:4: 'frob' is not supported: no such instruction (in 'f', which line 7 calls)");
    expect_message(".entry k() {\n.loc 1 5 0\n.local .b8 a[524289]; .reg .b32 r;\n.loc 1 7 3\nld.local.u8 r, [a]; }\n" FILES,
                   "some/k.cl:5: kernel 'k' has more than 524288 bytes of local variables");
}

/* Execution, and lines of the trace. */
TEST(test_execution)
{
    static const char text[] =
        ".entry k() {\n.reg .b64 a; .reg .b32 r;\n.loc 1 5 0\nmov.u64 a, 8;\n.loc 2 70000 3\nld.global.u32 r, [a];\n"
        ".loc 1 9 3\nret; }\n" FILES;
    struct ws_frontend_options options;
    struct ws_ndrange launch = {.kernel = "k", .global = {1, 1, 1}, .local = {1, 1, 1}};
    struct ws_kernel_info info;
    struct ws_program *program;
    ws_frontend_defaults(&options);
    assert_int_equal(load("k.cl", text, &program), WS_STATUS_ok);
    assert_int_equal(ws_execute(program, &options, &launch, NULL, NULL, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message,
                        "u.h:70000: kernel k, block (0,0,0), thread (0,0,0), pc 1: 4-byte load at global address 0x8 "
                        "lies outside of the memory that may be accessed; it comes from a null pointer");
    assert_int_equal(ws_program_kernel(program, "k", &info, &error), WS_STATUS_ok);
    assert_int_equal(info.program[0].line, 5);
    assert_int_equal(info.program[1].line, 70000);
    assert_int_equal(info.program[2].line, 9);
    ws_program_free(program);
}
