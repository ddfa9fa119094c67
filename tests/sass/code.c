/* Machine code in traces: text, control bits and operands of words from ptxas 13.0, and reuse flags of all cubins. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "sass/exec/lower.h"
#include "test.h"
#include "warpsweep/sass.h"

enum { ROOM = 400, NONE = 7 };

static const char *const files[] = {"R", "UR", "P", "UP", "B", "c", "SB"};

/* "d R2*2; s R0@A; s c0[0x168]*2; a UR4*2": role, file and number, words, slot. */
static void put_operands(const struct ws_machine_instruction *code, char *text)
{
    char *at = text;
    *at = 0;
    for (u32 n = 0; n < code->operand_count; n++) {
        const struct ws_machine_operand *const operand = &code->operands[n];
        at += sprintf(at, "%s%c %s%u", n ? "; " : "", "dsga"[operand->role], files[operand->file], operand -> number);
        if (operand->file == WS_SASS_BANK)
            at += sprintf(at, "[0x%x]", operand->offset);
        if (operand->file == WS_SASS_SB)
            at += sprintf(at, "<=%u", operand->offset);
        if (operand->words > 1)
            at += sprintf(at, "*%u", operand->words);
        if (operand->slot != WS_CODE_NO_SLOT)
            at += sprintf(at, "@%c", "ABC"[operand->slot]);
    }
}

static const struct {
    u32 architecture;
    u64 word[2];
    const char *text, *operands;
    struct ws_sass_control control;
} rows[] = {
    {86, {0x00000a0000017a02, 0x000fe40000000f00}, "MOV R1, c[0x0][0x28]", "d R1; s c0[0x28]", {2, 0, NONE, NONE, 0, 0}},
    {86,
     {0x00005a0000027625, 0x001fca00078e0203},
     "IMAD.WIDE R2, R0, R3, c[0x0][0x168]",
     "d R2*2; s R0@A; s R3@B; s c0[0x168]*2",
     {5, 1, NONE, NONE, 1, 0}},
    {86,
     {0x0000000802047981, 0x000ea2000c1e1d00},
     "LDG.E.128 R4, desc[UR8][R2.64]",
     "d R4*4; a R2*2; a UR8*2",
     {1, 0, 2, NONE, 0, 0}},
    {86,
     {0x0000000c0a007986, 0x002fe8000c101b08},
     "STG.E.64 R12, desc[UR8][R10.64]",
     "s R12*2@B; a R10*2; a UR8*2",
     {4, 0, NONE, NONE, 2, 0}},
    {86, {0x0000000407007388, 0x0001e80000004800}, "STS R4, [R7.X4]", "s R4@B; a R7", {4, 0, NONE, 0, 0, 0}},
    {86, {0x00c0000004047b82, 0x000e240000000800}, "LDC R4, c[0x3][R4]", "d R4; s c3[0x0]; a R4", {2, 0, 0, NONE, 0, 0}},
    {86,
     {0x000000120e0e09a8, 0x000ea200081ee5c8},
     "@P0 ATOMG.ADD.E R14, R18, desc[UR8][R14.64]",
     "g P0; d R14*2; s R18*2@B; a R14*2; a UR8*2",
     {1, 0, 2, NONE, 0, 0}},
    {86, {0x00000004000c7310, 0x004ee40000201800}, "F2F.F64.F32 R12, R4", "d R12*2; s R4@B", {2, 0, 3, NONE, 4, 0}},
    {86, {0x0000000500107311, 0x000e22000020d800}, "F2I.U.64.TRUNC R16, R5", "d R16*2; s R5@B", {1, 0, 0, NONE, 0, 0}},
    {86,
     {0x0000000411117c10, 0x000fca00087fe415},
     "IADD3.X R17, R17, UR4, R21, P0",
     "d R17; s R17@A; s UR4; s R21@C; s P0",
     {5, 1, NONE, NONE, 0, 0}},
    {86, {0x0c201f00000d7f89, 0x004e2800000e0000}, "SHFL.BFLY R13, R0, 0x1, 0x1f", "d R13; s R0@A", {4, 0, 0, NONE, 4, 0}},
    {86,
     {0x0000002a2600722a, 0x100e640003f24000},
     "DSETP.GT.AND P1, R38, R42.reuse",
     "d P1; s R38*2@A; s R42*2@C",
     {2, 0, 1, NONE, 0, 4}},
    {86,
     {0x000000033000720b, 0x080fe40003f0e000},
     "FSETP.GEU.AND P0, R48, R3.reuse",
     "d P0; s R48@A; s R3@B",
     {2, 0, NONE, NONE, 0, 2}},
    {86,
     {0x0000003003080221, 0x040fe20000000100},
     "@P0 FADD R8, -R3.reuse, R48",
     "g P0; d R8; s R3@A; s R48@C",
     {1, 0, NONE, NONE, 0, 1}},
    {75,
     {0x00005c0007107a19, 0x148fe40000010e04},
     "SHF.L.W.U32.HI R16, R7.reuse, c[0x0][0x170], R4.reuse",
     "d R16; s R7@A; s c0[0x170]; s R4@C",
     {2, 0, NONE, NONE, 8, 5}},
    {86,
     {0x0000000c0810723c, 0x044ff000000018ff},
     "HMMA.16.F32 R16, R8.reuse, R12, RZ",
     "d R16*4; s R8*4@A; s R12*2@B",
     {8, 0, NONE, NONE, 4, 1}},
    {86, {0x0000000000007b1d, 0x000fec0000010000}, "BAR.SYNC.DEFER_BLOCKING 0x0", "", {6, 0, NONE, NONE, 0, 0}},
    {86, {0x000080400000791a, 0x000fc80000000000}, "DEPBAR.LE SB0, 0x1", "s SB0<=1", {4, 1, NONE, NONE, 0, 0}},
    {86, {0x000080030000791a, 0x000fc80000000000}, "DEPBAR.LE SB0, 0x0, {0,1}", "s SB0<=0; s SB1<=0", {4, 1, NONE, NONE, 0, 0}},
    {86, {0x000000000000894d, 0x000fea0003800000}, "@!P0 EXIT", "g P0", {5, 0, NONE, NONE, 0, 0}},
    {75,
     {0x3000580c060c7b60, 0x000f4200019e0f0e},
     "TEX.SCR.2D.LL R12, R14, R6, R12, c[0x0][0x160], 0xf",
     "d R12*2; d R14*2; s R6*2; s R12; s c0[0x160]",
     {1, 1, 5, NONE, 0, 0}},
    {90,
     {0x000004041c187f60, 0x000f6200099e0f1e},
     "TEX.1D.LL R24, R30, R28, R4, UR4, 0xf",
     "d R24*2; d R30*2; s R28; s R4; s UR4*2",
     {1, 0, 5, NONE, 0, 0}},
    {86,
     {0x60005a0004007b9d, 0x000fe8000010ab00},
     "SUST.IGN.2D.64 R0, R4, c[0x0][0x168]",
     "s R0*2@B; s R4*2@A; s c0[0x168]",
     {4, 0, NONE, NONE, 0, 0}},
    {120, {0x0000000600107c02, 0x000fe40008010f00}, "MOV.64 R16, UR6", "d R16*2; s UR6*2", {2, 0, NONE, NONE, 0, 0}},
    {120, {0x00006b00ff0877ac, 0x000e6e0008000a00}, "LDCU.64 UR8, c[0x0][0x358]", "d UR8*2; s c0[0x358]*2", {7, 0, 1, NONE, 0, 0}},
    {120, {0x0000000c08087235, 0x002fe400078e0200}, "IADD R8, R8, R12", "d R8*2; s R8*2@A; s R12*2@B", {2, 0, NONE, NONE, 2, 0}},
};

/* Words that are not decoded, and the reason. */
static const struct {
    u32 architecture;
    u64 word[2];
    const char *reason;
} refused[] = {
    {86, {0x7000580c060c7b60, 0x000f4200019e0f0e}, "an unknown value of the bits 61-63 of TEX of sm_86"}, /* a cube */
    {86, {0x3000580c060c7b60, 0x000f4200059e0f0e}, "an unknown bit 90 of TEX of sm_86"},
    {86, {0x7000580c060c7b60, 0x000f4200059e0f0e}, "an unknown bit 90 of TEX of sm_86"},
    {86, {0x0000000000000001, 0}, "an unknown opcode (bits 0 to 11) of sm_86"},
    {86, {0x000000040c0679a6, 0x000f62000c101d0e}, "an unknown opcode (bits 0 to 11) of sm_86"}, /* of sm_90 */
};

TEST(unknown_words_have_a_reason)
{
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        struct ws_sass_instruction in;
        char text[ROOM];
        assert_false(ws_sass_decode(refused[n].word, 0, refused[n].architecture, &in, text, sizeof text));
        assert_string_equal(text, refused[n].reason);
    }
}

TEST(words_are_described)
{
    static const struct ws_sass_module module;
    const struct ws_sass_kernel machine = {.module = &module};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct ws_sass_instruction in;
        struct ws_machine_instruction code;
        struct ws_arena arena = {0};
        char text[ROOM];
        if (!ws_sass_decode(rows[n].word, 0x100, rows[n].architecture, &in, text, sizeof text))
            fail_msg("%s", text);
        assert_true(sass_code_of(&machine, &in, &arena, &code));
        const struct ws_sass_control control = ws_sass_control_of(code.control);
        put_operands(&code, text);
        assert_string_equal(code.text, rows[n].text);
        assert_string_equal(text, rows[n].operands);
        if (memcmp(&control, &rows[n].control, sizeof control) != 0)
            fail_msg("%s: control bits 0x%x", code.text, code.control);
        assert_int_equal(code.offset, 0x100);
        ws_arena_free(&arena);
    }
}

/* ---- All cubins ---- */

/* Each reuse flag belongs to a slot with a register, except in texture instructions of sm_75, whose flags mark the first and the
 * last one of a batch. Returns the number of flags. */
static u32 check_code(const struct ws_machine_code *code)
{
    u32 flags = 0;
    for (u32 n = 0; n < code->instruction_count; n++) {
        const struct ws_machine_instruction *const at = &code->instructions[n];
        u32 slots = 0;
        for (u32 i = 0; i < at->operand_count; i++)
            if (at->operands[i].slot != WS_CODE_NO_SLOT)
                slots |= 1u << at->operands[i].slot;
        const u32 reuse = ws_sass_control_of(at->control).reuse;
        const bool batched = code->architecture == 75 && slots == 0 && (reuse == 1 || reuse == 4) && strstr(at->text, ", 0x");
        if (batched)
            continue;
        if (at->text[0] && reuse & ~slots)
            fail_msg("%04x %s: found reuse flags 0x%x, slots with registers are 0x%x", at->offset, at->text, reuse, slots);
        flags += (u32)__builtin_popcount(reuse);
    }
    return flags;
}

static u32 check_file(const char *path)
{
    struct ws_sass_binary *file;
    struct ws_program *program;
    const struct ws_machine_code *code;
    u32 flags = 0;
    EXPECT_OK(ws_sass_binary_open(path, &file, &error));
    EXPECT_OK(ws_sass_binary_load(file, 0, NULL, &program, &error));
    const u32 architecture = ws_sass_binary_image(file, 0)->architecture;
    for (const char *const *name = ws_program_kernels(program); *name; name++) {
        struct ws_program *owner;
        EXPECT_OK(ws_sass_binary_code(file, architecture, *name, &owner, &code, &error));
        assert_int_equal(code->architecture, architecture);
        flags += check_code(code);
        ws_program_free(owner);
    }
    ws_program_free(program);
    ws_sass_binary_close(file);
    return flags;
}

TEST(reuse_flags_are_of_registers)
{
    enum { LEAST = 200 };
    DIR *const folder = opendir(CUBINS_FOLDER);
    u32 flags = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", CUBINS_FOLDER, entry->d_name);
        if (strstr(entry->d_name, ".cubin"))
            flags += check_file(path);
    }
    closedir(folder);
    assert_true(flags >= LEAST);
}
