/* The loader on cubins, fat binaries and host objects, all made from files/small.cu. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "sass/file/kernel.h"
#include "test.h"
#include "warpsweep/sass.h"

static const u32 architectures[] = {75, 80, 86, 89, 90, 100, 120};
enum { ARCHITECTURES = sizeof architectures / sizeof *architectures, WORDS_OF_MIX = 40 };

static struct ws_sass_binary *open_file(const char *name)
{
    char path[400];
    struct ws_sass_binary *file;
    snprintf(path, sizeof path, "%s/%s", FILES_FOLDER, name);
    EXPECT_OK(ws_sass_binary_open(path, &file, &error));
    return file;
}

static struct ws_program *load(const struct ws_sass_binary *file, u32 image)
{
    struct ws_program *program;
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_sass_binary_load(file, image, &options, &program, &error));
    return program;
}

static struct ws_program *load_cubin(u32 architecture)
{
    char name[40];
    snprintf(name, sizeof name, "small.sm_%u.cubin", architecture);
    struct ws_sass_binary *const file = open_file(name);
    assert_int_equal(ws_sass_binary_image(file, 0)->architecture, architecture);
    struct ws_program *const program = load(file, 0);
    ws_sass_binary_close(file);
    return program;
}

static const struct ws_sass_kernel *kernel_of(const struct ws_program *program, const char *name, const struct ws_kernel **found)
{
    EXPECT_OK(ws_program_find(program, name, found, &error));
    return ws_sass_kernel_of(program, *found);
}

/* ---- What a kernel is ---- */

TEST(kernels_of_all_architectures_have_sizes_and_parameters)
{
    for (u32 n = 0; n < ARCHITECTURES; n++) {
        struct ws_program *const program = load_cubin(architectures[n]);
        const struct ws_kernel *kernel;
        const struct ws_sass_kernel *const code = kernel_of(program, "mix", &kernel);
        assert_int_equal(program->kernel_count, 2);
        assert_int_equal(code->abi->architecture, architectures[n]);
        assert_int_equal(kernel->parameter_count, 4);
        for (u32 parameter = 0; parameter < 4; parameter++) {
            static const u32 offsets[] = {0, 8, 16, 24}, bytes[] = {8, 4, 8, 1};
            assert_int_equal(kernel->parameters[parameter].offset, offsets[parameter]);
            assert_int_equal(kernel->parameters[parameter].bytes, bytes[parameter]);
        }
        assert_int_equal(kernel->most_threads, 256);
        assert_int_equal(kernel->shared_bytes, 256 + code->abi->shared_base);
        assert_int_equal(code->barriers, 1);
        assert_true(code->registers >= 8 && code->registers <= 64);
        assert_true(code->words >= WORDS_OF_MIX);
        assert_string_equal(code->module->compiler, "Cuda compilation tools, release 13.0, V13.0.88");
        ws_program_free(program);
    }
}

/* mix calls square, a function in its code. */
TEST(functions_and_lines_are_named)
{
    for (u32 n = 0; n < ARCHITECTURES; n++) {
        struct ws_program *const program = load_cubin(architectures[n]);
        const struct ws_kernel *kernel;
        const struct ws_sass_kernel *const code = kernel_of(program, "mix", &kernel);
        const char *file;
        assert_true(code->function_count >= 2);
        assert_int_equal(ws_sass_source_line(code, code->entry, &file), 12);
        assert_string_equal(file, "/tmp/warpsweep-small/small.cu");
        assert_true(ws_sass_ptx_line(code, code->entry) > 0);
        for (u32 function = 0; function < code->function_count; function++) {
            const struct ws_sass_function *const at = &code->functions[function];
            if (strstr(at->name, "square"))
                assert_in_range(ws_sass_source_line(code, at->offset, &file), 7, 9);
        }
        if (architectures[n] == 75)
            assert_string_equal(ws_sass_place(code, code->entry + 16).text, "mix+0x10 (/tmp/warpsweep-small/small.cu:16)");
        ws_program_free(program);
    }
}

/* ELF header of toolkits before CUDA 13: ABI version 7, and the architecture in the lowest byte of the flags. */
TEST(the_header_of_older_toolkits_is_read)
{
    enum { ABI_VERSION = 8, FLAGS = 0x30 };
    static const char old_flags[] = {86, 5, 86, 0};
    struct ws_sass_binary *file;
    char *data;
    size_t length;
    EXPECT_OK(ws_file_read(FILES_FOLDER "/small.sm_86.cubin", 1 << 20, &data, &length, &error));
    data[ABI_VERSION] = 7;
    memcpy(data + FLAGS, old_flags, sizeof old_flags);
    EXPECT_OK(ws_sass_binary_take("old", data, length, &file, &error));
    assert_int_equal(ws_sass_binary_image(file, 0)->architecture, 86);
    struct ws_program *const program = load(file, 0);
    assert_int_equal(program->kernel_count, 2);
    ws_program_free(program);
    ws_sass_binary_close(file);
}

/* ---- Launches ---- */

static struct ws_argument scalar(void *data, u64 bytes)
{
    return (struct ws_argument){.kind = WS_ARGUMENT_SCALAR, .bytes = bytes, .data = data};
}

static u64 number(const struct ws_sass_banks *banks, u32 bank, u32 offset, u32 bytes)
{
    u64 value = 0;
    assert_true(offset + bytes <= banks->bytes[bank]);
    memcpy(&value, banks->data[bank] + offset, bytes);
    return value;
}

static const struct ws_range *range_of(const struct ws_plan *plan, const char *name)
{
    for (u32 n = 0; n < plan->memory.count; n++)
        if (plan->memory.ranges[n].name && strcmp(plan->memory.ranges[n].name, name) == 0)
            return &plan->memory.ranges[n];
    fail_msg("no range %s", name);
    return NULL;
}

/* Whether a bank holds this 8-byte number at a multiple of 8. */
static bool holds(const struct ws_sass_banks *banks, u32 bank, u64 value)
{
    for (u32 at = 0; at + 8 <= banks->bytes[bank]; at += 8)
        if (number(banks, bank, at, 8) == value)
            return true;
    return false;
}

static void check_banks(const struct ws_sass_kernel *code, const struct ws_plan *plan, const struct ws_sass_banks *banks)
{
    const struct ws_sass_abi *const abi = code->abi;
    static const float weights[] = {1, 2, 3, 4};
    for (u32 n = 0; n < 3; n++) {
        assert_int_equal(number(banks, 0, abi->block + 4 * n, 4), n ? 1 : 64);
        assert_int_equal(number(banks, 0, abi->grid + 4 * n, 4), n ? 2 + n : 2);
    }
    assert_int_equal(number(banks, 0, abi->parameters, 8), range_of(plan, "mix_param_0")->base);
    assert_int_equal(number(banks, 0, abi->parameters + 8, 4), 100);
    assert_int_equal(number(banks, 0, abi->parameters + 24, 1), 0x2A);
    assert_int_equal(number(banks, 0, abi->dynamic_shared, 4), 256);
    assert_int_equal(number(banks, 0, abi->stack, 4), plan->kernel->local_bytes);
    assert_int_equal(plan->shared_bytes, abi->shared_base + 512);
    assert_memory_equal(banks->data[3], weights, sizeof weights);
    assert_true(holds(banks, 4, range_of(plan, "counter")->base));
    assert_true(holds(banks, 4, range_of(plan, "where")->base));
    assert_true(holds(banks, 4, range_of(plan, "zeros")->base));
    assert_int_equal(*(const u64 *)(const void *)range_of(plan, "where")->host, range_of(plan, "counter")->base);
    assert_int_equal(*(const u32 *)(const void *)range_of(plan, "counter")->host, 7);
    if (abi->constant_window)
        assert_int_equal(number(banks, 0, abi->constant_window, 8), range_of(plan, "the constant variables")->base);
}

static enum ws_status plan_mix(struct ws_program *program, struct ws_plan *plan, struct ws_error *error)
{
    static float buffer[256];
    static u32 count = 100;
    static double d = 1;
    static char c = 0x2A;
    struct ws_argument arguments[] = {
        {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof buffer, .data = buffer}, scalar(&count, 4), scalar(&d, 8), scalar(&c, 1)};
    const struct ws_ndrange launch = {.kernel = "mix",
                                      .global = {128, 3, 4},
                                      .local = {64, 1, 1},
                                      .argument_count = 4,
                                      .arguments = arguments,
                                      .shared_bytes = 256};
    return ws_plan_make(program, &launch, plan, error);
}

TEST(a_launch_fills_the_constant_banks)
{
    for (u32 n = 0; n < ARCHITECTURES; n++) {
        struct ws_program *const program = load_cubin(architectures[n]);
        const struct ws_kernel *kernel;
        const struct ws_sass_kernel *const code = kernel_of(program, "mix", &kernel);
        struct ws_plan plan;
        struct ws_sass_banks banks;
        EXPECT_OK(plan_mix(program, &plan, &error));
        EXPECT_OK(ws_sass_banks_fill(code, &plan, &banks, &error));
        check_banks(code, &plan, &banks);
        ws_sass_banks_free(&banks);
        ws_plan_free(&plan);
        ws_program_free(program);
    }
}

TEST(a_word_beyond_its_constant_bank_is_refused)
{
    struct ws_program *const program = load_cubin(86);
    const struct ws_kernel *kernel;
    struct ws_plan plan;
    u32 word = 0;
    kernel_of(program, "mix", &kernel);
    while (word < kernel->input_count && kernel->inputs[word].kind != WS_INPUT_word)
        word++;
    assert_true(word < kernel->input_count);
    kernel->inputs[word].value = UINT64_C(3) << 32 | 16; /* bank 3 has 16 bytes, the weights */
    EXPECT_ERROR_HAS(plan_mix(program, &plan, &error), WS_STATUS_bad_input, "c[0x3][0x10], but its constant bank has 16 bytes");
    ws_plan_free(&plan);
    kernel->inputs[word].value = UINT64_C(3) << 32 | 12;
    EXPECT_OK(plan_mix(program, &plan, &error));
    ws_plan_free(&plan);
    ws_program_free(program);
}

/* ---- Fat binaries ---- */

/* The cubin of sm_86 has the same code in every container. */
TEST(packed_images_are_what_was_packed)
{
    static const struct {
        const char *name, *compression;
    } files[] = {{"small.size.fatbin", "zstd"}, {"small.speed.fatbin", "none"}, {"small.o", "zstd"}};
    for (u32 n = 0; n < sizeof files / sizeof *files; n++) {
        struct ws_sass_binary *const file = open_file(files[n].name);
        struct ws_program *first = NULL;
        u32 cubins = 0, texts = 0;
        const struct ws_sass_image *image;
        for (u32 i = 0; (image = ws_sass_binary_image(file, i)); i++) {
            struct ws_program *const program = load(file, i);
            assert_non_null(ws_program_kernels(program)[1]);
            cubins += image->kind == WS_SASS_CUBIN;
            texts += image->kind == WS_SASS_PTX;
            if (image->kind == WS_SASS_CUBIN)
                assert_string_equal(image->compression, files[n].compression);
            if (image->kind == WS_SASS_PTX && n == 1)
                assert_string_equal(image->compression, "lz4");
            if (!first)
                first = program;
            else
                ws_program_free(program);
        }
        assert_int_equal(cubins, 2);
        assert_int_equal(texts, 1);
        ws_program_free(first);
        ws_sass_binary_close(file);
    }
}

/* ---- What is refused ---- */

static void expect_refused(const char *path, const char *words)
{
    struct ws_error error;
    struct ws_sass_binary *file;
    struct ws_program *program = NULL;
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    enum ws_status status = ws_sass_binary_open(path, &file, &error);
    if (status == WS_STATUS_ok)
        status = ws_sass_binary_load(file, 0, &options, &program, &error);
    ws_sass_binary_close(file);
    assert_null(program);
    assert_int_equal(status, WS_STATUS_bad_input);
    if (!strstr(error.message, words))
        fail_msg("found '%s', expected '%s'", error.message, words);
}

/* The cubin of sm_86 with one changed byte is refused. */
static void expect_changed_refused(size_t at, u8 value, const char *words)
{
    static const char path[] = "sass_files.changed";
    char *data;
    size_t length;
    EXPECT_OK(ws_file_read(FILES_FOLDER "/small.sm_86.cubin", 1 << 20, &data, &length, &error));
    data[at] = (char)value;
    EXPECT_OK(ws_file_write(path, data, length, &error));
    expect_refused(path, words);
    free(data);
    unlink(path);
}

TEST(other_files_are_refused_by_name)
{
    enum { ARCHITECTURE = 0x31 /* byte 1 of e_flags */, TYPE = 0x10 };
    expect_changed_refused(ARCHITECTURE, 70,
                           "found machine code of sm_70, allowed are sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120");
    expect_changed_refused(ARCHITECTURE, 103, "found machine code of sm_103");
    expect_refused(FILES_FOLDER "/small.relocatable.cubin",
                   "found a relocatable cubin (nvcc -rdc=true), allowed are linked ones; link it: nvlink");
    expect_refused(FILES_FOLDER "/small.cu", "found another type of file, allowed are a cubin, a fat binary and a host ELF file");
    expect_refused("/proc/self/exe", "found no GPU code");
}
