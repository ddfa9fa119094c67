/* Control fields of machine code: every reader waits for its writer, in the cubins of the tree and, where ptxas is installed, in
 * all workloads. This confirms the fields, the operands in the decoder's table, and the latencies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "sass/hazards.h"
#include "test.h"
#include "warpsweep/sass.h"

/* Checks all kernels of a cubin; returns the number of checked instructions. */
static u32 check_file(const char *path)
{
    struct ws_sass_binary *file;
    struct ws_program *program;
    u32 checked;
    EXPECT_OK(ws_sass_binary_open(path, &file, &error));
    EXPECT_OK(ws_sass_binary_load(file, 0, NULL, &program, &error));
    checked = hazards_expect_none(program);
    ws_program_free(program);
    ws_sass_binary_close(file);
    return checked;
}

TEST(readers_wait_for_their_writers)
{
    static const u32 architectures[] = {75, 80, 86, 89, 90, 100, 120};
    enum { LEAST = 60 /* reachable instructions of both kernels */ };
    for (u32 n = 0; n < sizeof architectures / sizeof *architectures; n++) {
        char path[400];
        snprintf(path, sizeof path, "%s/small.sm_%u.cubin", FILES_FOLDER, architectures[n]);
        assert_true(check_file(path) >= LEAST);
    }
}

/* ---- Planted faults ---- */

static void count(void *context, const struct hazard *hazard)
{
    u32 *const counts = context;
    counts[hazard->kind]++;
}

/* Finds hazards in the kernel with other control bits: bits in keep stay, bits in set are set. */
static void find_changed(const struct ws_sass_kernel *kernel, u64 keep, u64 set, u32 counts[4])
{
    u64(*const code)[2] = calloc(kernel->words, sizeof *code);
    struct ws_sass_kernel changed = *kernel;
    assert_non_null(code);
    memcpy(code, kernel->code, kernel->words * sizeof *code);
    for (u32 n = 0; n < kernel->words; n++)
        code[n][1] = (code[n][1] & keep) | set;
    changed.code = (const u64(*)[2])code;
    memset(counts, 0, 4 * sizeof *counts);
    hazards_find(&changed, count, counts);
    free(code);
}

/* Control bits are 105 to 121 of a word: bits 41 to 57 of its upper half. */
TEST(planted_faults_are_found)
{
    static const u64 stall = UINT64_C(15) << 41, writes = UINT64_C(7) << 46, waits = UINT64_C(63) << 52;
    struct ws_sass_binary *file;
    struct ws_program *program;
    u32 counts[4];
    EXPECT_OK(ws_sass_binary_open(FILES_FOLDER "/small.sm_86.cubin", &file, &error));
    EXPECT_OK(ws_sass_binary_load(file, 0, NULL, &program, &error));
    for (u32 n = 0; n < program->kernel_count; n++) {
        const struct ws_sass_kernel *const kernel = ws_sass_kernel_of(program, &program->kernels[n]);
        find_changed(kernel, ~waits, 0, counts);
        assert_true(counts[HAZARD_RAW] > 0);
        find_changed(kernel, ~stall, UINT64_C(1) << 41, counts);
        assert_true(counts[HAZARD_LATENCY] > 0);
        find_changed(kernel, ~UINT64_C(0), writes, counts);
        assert_true(counts[HAZARD_SILENT] > 0);
    }
    ws_program_free(program);
    ws_sass_binary_close(file);
}

/* Hazards of kind WAR in two or three instructions of sm_86. */
static u32 overwrites(const struct ws_sass_kernel *kernel, const u64 (*code)[2], u32 words)
{
    struct ws_sass_kernel changed = *kernel;
    u32 counts[4] = {0};
    changed.code = code;
    changed.words = words;
    changed.entry = 0;
    changed.branch_count = 0;
    hazards_find(&changed, count, counts);
    return counts[HAZARD_WAR];
}

/* Only FP64 may overwrite what FP64 has still to read, and only if nothing else has still to read it. */
TEST(fp64_reads_in_order)
{
#define ADD    UINT64_C(0x0000000012127229), UINT64_C(0x0000880000000010) /* DADD R18, R18, R16, read barrier 0 */
#define ADD_R8 UINT64_C(0x0000000012127229), UINT64_C(0x0002880000000008) /* DADD R18, R18, R8, read barrier 1 */
#define TO_R16 UINT64_C(0x0000000022107229), UINT64_C(0x0000620000000810) /* DADD R16, R34, -R16 */
#define TO_R8  UINT64_C(0x0000000022087229), UINT64_C(0x0000620000000810) /* DADD R8, R34, -R16 */
#define MOVE   UINT64_C(0x0000001c00107202), UINT64_C(0x000fe20000000f00) /* MOV R16, R28 */
#define LOAD   UINT64_C(0x00000004080c7981), UINT64_C(0x000162000c1e1b00) /* LDG.E.64 R12, [R8.64], read barrier 0 */
    static const u64 add[][2] = {{ADD}, {TO_R16}}, move[][2] = {{ADD}, {MOVE}}, load[][2] = {{LOAD}, {TO_R8}};
    static const u64 both[][2] = {{LOAD}, {ADD_R8}, {TO_R8}};
    struct ws_sass_binary *file;
    struct ws_program *program;
    EXPECT_OK(ws_sass_binary_open(FILES_FOLDER "/small.sm_86.cubin", &file, &error));
    EXPECT_OK(ws_sass_binary_load(file, 0, NULL, &program, &error));
    const struct ws_sass_kernel *const kernel = ws_sass_kernel_of(program, &program->kernels[0]);
    assert_int_equal(overwrites(kernel, add, 2), 0);
    assert_int_equal(overwrites(kernel, move, 2), 1);
    assert_int_equal(overwrites(kernel, load, 2), 2);
    assert_int_equal(overwrites(kernel, both, 3), 2);
    ws_program_free(program);
    ws_sass_binary_close(file);
}
