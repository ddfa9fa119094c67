/* PTX errors: line, found text, and expected text. */
#include <stdio.h>
#include <string.h>

#include "kit.h"
#include "test.h"

struct bad {
    const char *text, *message;
};

static void expect_message(const char *text, size_t length, const char *message)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program;
    struct ws_error error = {.status = WS_STATUS_ok};
    const enum ws_status status = ws_program_load("kit", text, length, &options, &program, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, WS_STATUS_bad_input);
    assert_int_equal(error.status, WS_STATUS_bad_input);
    assert_null(program);
}

static void expect_all(const struct bad *bad, size_t count)
{
    for (size_t n = 0; n < count; n++)
        expect_message(bad[n].text, strlen(bad[n].text), bad[n].message);
}
#define EXPECT_ALL(bad) expect_all(bad, sizeof(bad) / sizeof *(bad))

/* Statements in line 3 of a kernel. */
static void expect_statements(const struct bad *bad, size_t count)
{
    char text[1000];
    for (size_t n = 0; n < count; n++) {
        snprintf(
            text, sizeof text,
            ".global .u32 g; .extern .global .u32 away; .const .u32 c;\n"
            ".entry k(.param .u32 a, .param .b8 s[12]) { .reg .pred %%p<3>; .reg .b32 %%r<3>; .reg .b64 %%d<3>; .reg .f32 %%f<5>; "
            ".reg .b16 %%h<3>; .reg .f64 %%e<3>;\n%s\n}",
            bad[n].text);
        expect_message(text, strlen(text), bad[n].message);
    }
}
#define EXPECT_STATEMENTS(bad) expect_statements(bad, sizeof(bad) / sizeof *(bad))

TEST(test_text)
{
    static const struct bad bad[] = {
        {"", "kit: found no kernel (.entry); name a file with one"},
        {"\n\n#", "kit:3: found '#', expected a name, a number or a mark of PTX"},
        {"\n.\n", "kit:2: found '.' alone, expected a name behind it (.u32), or a digit before it (0.5)"},
        {".entry k() { \xC3\xA4", "kit:1: found the byte 0xc3, expected a text in ASCII"},
        {"/* no\nend", "kit:1: a comment has no end"},
        {".pragma \"no end\n", "kit:1: a string has no end"},
        {"entry k() {}", "kit:1: expected a directive of PTX, found 'entry'"},
        {".entri k() {}", "kit:1: expected a directive of PTX, found '.entri'"},
        {".address_size 16", "kit:1: found .address_size 16, allowed are 32 and 64"},
        {".entry () {}", "kit:1: expected the name of a function, found '('"},
        {".entry k(", "kit:1: expected .param, found the end of the text"},
        {".entry k(.param .u32 a { }", "kit:1: expected ')', found '{'"},
        {".entry k() {", "kit:1: expected '}', found the end of the text"},
        {".entry k() {}\n.entry k() {}", "kit:2: 'k' is defined twice"},
        {".version 3.2\n.section .debug {", "kit:2: expected '}', found the end of the text"},
    };
    EXPECT_ALL(bad);
    static const char zero[] = ".version\0 3";
    expect_message(zero, sizeof zero - 1, "kit:1: found the byte 0x00, expected a text in ASCII");
}

TEST(test_declarations)
{
    static const struct bad bad[] = {
        {".global .u32 g;\n.global .u32 g;", "kit:2: 'g' is declared twice"},
        {".global .f8 g;", "kit:1: expected a type, found '.f8'"},
        {".global .tensormap t;", "kit:1: expected a type, found '.tensormap'"},
        {".global .align 3 .u32 g;", "kit:1: .align 3: expected a power of two up to 4096"},
        {".global .u8 g[2] = {1, 2, 3};", "kit:1: more than 2 initial values"},
        {".global .u8 g[2][2] = {{1}, {2, 3}};", "kit:1: 3 of 4 initial values in groups: only whole groups are supported"},
        {".global .u8 g = 256;", "kit:1: 256 does not fit into 8 bits"},
        {".global .u32 x; .global .u32 g = x;", "kit:1: the address 'x' does not fit into 32 bits"},
        {".shared .u32 x; .global .u64 g = x;",
         "kit:1: 'x' is no variable of .global or .const that is defined here: its address is no initial value"},
        {".global .u64 g = x;", "kit:1: unknown symbol 'x'"},
        {".shared .u32 g = 1;", "kit:1: 'g' cannot have initial values"},
        {".global .u32 g[];", "kit:1: 'g' must have a size of up to 1073741824 bytes"},
        {".global .u32 g[2000000000];", "kit:1: an array of more than 1073741824 bytes"},
        {".global .u8 g[1000000000];\n.global .u8 h[1000000000];",
         "kit:2: no room for 'h': its space has more than 1073741824 bytes"},
        {".entry k(.param .b8 s[]) {}", "kit:1: parameter 's' must have 1 to 4096 bytes"},
        {".entry k(.param .pred s) {}", "kit:1: expected a parameter of another type than .pred, found 's'"},
        {".entry k(.reg .u32 r) {}", "kit:1: expected .param, found '.reg'"},
        {".entry k() { .reg .v2 .f32 x<2>; }", "kit:1: vectors have one name each, not 'x<2>'"},
        {".entry k() { .reg .b32 %r<70000>; }", "kit:1: too many registers"},
        {".entry k() { .reg .f8 %h; }", "kit:1: expected a type, found '.f8'"},
    };
    EXPECT_ALL(bad);
}

TEST(test_instructions)
{
    static const struct bad bad[] = {
        {"frob.u32 %r1, %r2;", "kit:3: 'frob.u32' is not supported: no such instruction"},
        {"mul.u32 %r1, %r1, %r2;", "kit:3: 'mul.u32' is not supported: .u32 is not supported here"},
        {"mul.lo.f32 %f1, %f1, %f2;", "kit:3: 'mul.lo.f32' is not supported: .f32 is not supported here"},
        {"add.f8 %h1, %h1, %h2;", "kit:3: 'add.f8' is not supported: .f8 is not supported here"},
        {"add.sat.u32 %r1, %r1, %r2;", "kit:3: 'add.sat.u32' is not supported: .sat is for .f32 and .s32"},
        {"add.ftz.f64 %e1, %e1, %e2;", "kit:3: 'add.ftz.f64' is not supported: .ftz is for .f32"},
        {"add.rn.u32 %r1, %r1, %r2;", "kit:3: 'add.rn.u32' is not supported: a rounding is for floating point"},
        {"add.rn.rz.f32 %f1, %f1, %f2;", "kit:3: 'add.rn.rz.f32' is not supported: .rz is not supported here"},
        {"div.f32 %f1, %f1, %f2;", "kit:3: 'div.f32' is not supported: .approx or a rounding is missing"},
        {"div.approx.f64 %e1, %e1, %e2;", "kit:3: 'div.approx.f64' is not supported: .approx is for .f32"},
        {"setp.u32 %p1, %r1, %r2;", "kit:3: 'setp.u32' is not supported: a comparison is missing"},
        {"setp.lo.s32 %p1, %r1, %r2;", "kit:3: 'setp.lo.s32' is not supported: the comparison is for unsigned integers"},
        {"setp.equ.u32 %p1, %r1, %r2;", "kit:3: 'setp.equ.u32' is not supported: the comparison is for floating point"},
        {"ex2.f32 %f1, %f2;", "kit:3: 'ex2.f32' is not supported: .approx is missing"},
        {"cvt.s32.f32 %r1, %f1;", "kit:3: 'cvt.s32.f32' is not supported: an integral rounding is missing"},
        {"cvt.f32.s32 %f1, %r1;", "kit:3: 'cvt.f32.s32' is not supported: a rounding is missing"},
        {"cvt.rn.f64.f32 %e1, %f1;", "kit:3: 'cvt.rn.f64.f32' is not supported: nothing is rounded here"},
        {"cvt.u32 %r1, %h1;", "kit:3: 'cvt.u32' is not supported: a type is missing"},
        {"ld.global.v8.f64 {%e1, %e1, %e1, %e1}, [%d1];", "kit:3: 'ld.global.v8.f64' is not supported: vectors of eight are for "
                                                          "32-bit numbers (ld, st) and .f16, .bf16 (atom, red)"},
        {"atom.frob.u32 %r1, [%d1], 1;", "kit:3: 'atom.frob.u32' is not supported: no such form of atom"},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f2}];", "kit:3: unknown symbol 't'"},
        {"tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f1, %f2, %f1, %f1}];", "kit:3: 'tex' is not supported with .cube"},
        {"wmma.mma.sync %f1;", "kit:3: this form of 'wmma.mma' is not supported"},
        {"wmma.load.c.sync.aligned.row.m16n16k16.s8 {%r1}, [%d1];", "kit:3: this form of 'wmma' is not supported"},
        {"shfl.down.b64 %d1, %d2, 1, 31;", "kit:3: 'shfl.down.b64' is not supported: .b64 is not supported here"},
        {"brx.idx %r1, ts;", "kit:3: 'ts' is declared nowhere before as a list of targets or a prototype"},
        {"bar.arrive.red 0, 32;", "kit:3: 'bar.arrive.red' is not supported: .red is not supported here"},
    };
    EXPECT_STATEMENTS(bad);
}

TEST(test_operands)
{
    static const struct bad bad[] = {
        {"add.u32 %r1, %r2;", "kit:3: expected ',', found ';'"},
        {"add.u32 %r1, %r2, %r1", "kit:4: expected ';', found '}'"},
        {"add.u32 %r1, %r2, %r3;", "kit:3: unknown or unsupported register '%r3'"},
        {"add.u32 %r1, %r2, x;", "kit:3: unknown symbol 'x'"},
        {"add.u32 5, %r2, 1;", "kit:3: expected a register, found '5'"},
        {"add.u32 %d1, %r2, 1;", "kit:3: expected a register of 32 bits, found '%d1' of 64 bits"},
        {"ld.global.u64 %r1, [%d1];", "kit:3: expected a register of 64 bits or more, found '%r1' of 32 bits"},
        {"ld.global.f32 %d1, [%d1];", "kit:3: expected a register of 32 bits, found '%d1' of 64 bits"},
        {"ld.global.u8 %p1, [%d1];", "kit:3: expected a register that is no predicate, found '%p1'"},
        {"@%r1 exit;", "kit:3: expected a predicate register, found '%r1'"},
        {"@%p1;", "kit:3: expected an instruction, found ';'"},
        {"add.u32 %r1, %r2, 4294967296;", "kit:3: 4294967296 does not fit into 32 bits"},
        {"add.s32 %r1, %r2, -2147483649;", "kit:3: -2147483649 does not fit into 32 bits"},
        {"add.u32 %r1, %r2, 1.5;", "kit:3: expected a constant, found '1.5'"},
        {"add.f32 %f1, %f2, 1;", "kit:3: expected a floating-point constant, found '1'"},
        {"add.f16 %h1, 12.0, %h2;",
         "kit:3: found '12.0', but PTX has no constants of 16-bit floating point; move its bits into a register "
         "first, as in mov.b16 %h1, 0x3C00 for 1.0 of .f16"},
        {"add.f32 %f1, %f2, 0f3F80;", "kit:3: expected a number, found '0f3F80'"},
        {"mov.u32 %r1, %lane;", "kit:3: unknown or unsupported register '%lane'"},
        {"mov.u64 %d1, %tid.x;", "kit:3: unknown or unsupported register '%tid.x'"},
        {"add.f32 %f1, %f2, WARP_SZ;", "kit:3: unknown symbol 'WARP_SZ'"},
        {"mov.u32 %r1, %tid.w;", "kit:3: unknown or unsupported register '%tid.w'"},
        {"mov.b32 {%h1, %h2, %h1}, %r1;", "kit:3: expected 1, 2 or 4 elements of at least 16 bits, found 3"},
        {"ld.shared.u32 %r1, [g];", "kit:3: 'g' is not in the state space of the instruction"},
        {"st.const.u32 [c], 1;", "kit:3: .const cannot be written"},
        {"atom.local.add.u32 %r1, [%d1], 1;", "kit:3: atomics work on .global and .shared"},
        {"ld.global.u32 %r1, [%d1+4294967296];", "kit:3: the offset does not fit into 32 bits"},
        {"ld.global.v2.u32 {%r1}, [%d1];", "kit:3: expected ',', found '}'"},
        {"bra %r1, 3;", "kit:3: expected ';', found ','"},
        {"ld.u32 %r1, [away];", "kit:3: unresolved symbol 'away'"},
        {"st.param.u32 [a], 1;", "kit:3: parameters of a kernel cannot be written"},
        {"ld.param.u64 %d1, [s+8];", "kit:3: this reaches beyond the end of a parameter"},
    };
    EXPECT_STATEMENTS(bad);
}

TEST(test_labels)
{
    static const struct bad bad[] = {
        {"exit;\nbra A;\nexit;", "kit:4: label 'A' stands nowhere"},
        {"A: exit;\nA: exit;", "kit:4: label 'A' stands twice"},
        {"{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{", "kit:3: braces nest deeper than 32"},
        {"t: .branchtargets A, B;", "kit:3: label 'A' stands nowhere"},
    };
    EXPECT_STATEMENTS(bad);
}

TEST(test_calls)
{
    static const struct bad bad[] = {
        {".entry k() {\ncall f;\n}", "kit:2: unresolved symbol 'f'"},
        {".extern .func (.param .b32 r) get_work_dim();\n.entry k() { .param .b32 x;\ncall (x), get_work_dim, (); }",
         "kit:3: unresolved symbol 'get_work_dim'"},
        {".func f() {\nfrob; }\n.entry k() {\ncall f; }",
         "kit:2: 'frob' is not supported: no such instruction (in 'f', which line 4 calls)"},
        {".extern .func cudaLaunchDeviceV2();\n.entry k() {\ncall cudaLaunchDeviceV2; }",
         "kit:3: kernels that launch kernels are not supported: this calls 'cudaLaunchDeviceV2'"},
        {".func f(.param .b32 a) {}\n.entry k() {\ncall f; }", "kit:3: wrong number of arguments or results in the call of 'f'"},
        {".func f(.param .b32 a) {}\n.entry k() { .param .b64 x;\ncall f, (x); }",
         "kit:3: an argument or result has another size in 'f'"},
        {".func f(.reg .b32 a) {}\n.entry k() { .reg .b64 x;\ncall f, (x); }",
         "kit:3: an argument or result has another size in 'f'"},
        {".func f(.reg .pred a) {}\n.entry k() { .reg .b32 x;\ncall f, (x); }",
         "kit:3: an argument or result has another size in 'f'"},
        {".func f(.reg .pred a) {}\n.entry k() {\ncall f, (2); }", "kit:3: an argument or result has another size in 'f'"},
        {".func (.reg .pred a) f() {}\n.entry k() { .param .b8 x;\ncall (x), f; }",
         "kit:3: an argument or result has another size in 'f'"},
        {".entry k() { .reg .b32 p;\ncall p; }", "kit:2: expected a register of 64 bits, found 'p' of 32 bits"},
        {".entry j() {\nexit x; }\n.entry k() {\ncall j; }", "kit:2: expected ';', found 'x'"},
    };
    EXPECT_ALL(bad);
}

TEST(test_sizes)
{
    static char text[2000000];
    size_t length = (size_t)snprintf(text, sizeof text, ".entry k() { .reg .b32 r;\n");
    for (u32 n = 0; n < 65534; n++)
        length += (size_t)snprintf(text + length, sizeof text - length, "neg.s32 r, r;\n");
    snprintf(text + length, sizeof text - length, "}");
    expect_message(text, strlen(text), "kit:1: kernel 'k' has 65535 instructions once calls are expanded; 65534 is the most");
}

/* One parameter more than there may be. */
TEST(test_parameters)
{
    static char text[20000];
    size_t length = (size_t)snprintf(text, sizeof text, ".entry k(.param .b8 p0");
    for (u32 n = 1; n <= 1024; n++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s.param .b8 p%u", n % 512 ? "," : ",\n", n);
    expect_message(text, length, "kit:3: more than 1024 parameters");
}

/* A byte more of shared or local memory than allowed; unused variables do not count. */
TEST(test_memory)
{
    static const struct bad bad[] = {
        {".shared .b8 a[1048576]; .shared .b8 b;\n.entry k() { .reg .b32 r; ld.shared.u8 r, [a]; ld.shared.u8 r, [b]; }",
         "kit:2: kernel 'k' has more than 1048576 bytes of shared variables"},
        {".entry k() {\n.local .b8 a[524289]; .reg .b32 r; ld.local.u8 r, [a]; }",
         "kit:1: kernel 'k' has more than 524288 bytes of local variables"},
    };
    const struct ws_frontend_options options = kit_plain();
    EXPECT_ALL(bad);
    ws_program_free(kit_load(".shared .b8 a[1048576]; .shared .b8 b[9]; .entry k() { .local .b8 c[524288]; .local .b8 d[9];\n"
                             ".reg .b32 r; ld.shared.u8 r, [a]; ld.local.u8 r, [c]; }",
                             &options));
}

/* Calls that double at each of 30 levels: half a billion copies of this body. */
static void expect_explosion(const char *body, const char *message)
{
    char text[4000];
    size_t length = (size_t)snprintf(text, sizeof text, ".func f0() { %s }\n", body);
    for (u32 n = 1; n < 30; n++)
        length += (size_t)snprintf(text + length, sizeof text - length, ".func f%u() { call f%u; call f%u; }\n", n, n - 1, n - 1);
    snprintf(text + length, sizeof text - length, ".entry k() { call f29; }");
    expect_message(text, strlen(text), message);
}

TEST(test_explosion)
{
    expect_explosion("membar.cta;", "kit:31: more than 262144 instructions once calls are expanded");
    expect_explosion("", "kit:31: more than 1048576 labels and calls once calls are expanded");
    expect_explosion(".param .b8 a[3]; .param .b8 b; .param .b8 c;",
                     "kit:31: more than 1048576 parameters once calls are expanded");
}
