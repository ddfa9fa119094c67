/* Mutated cubins and fat binaries: each gives an error, or a program that can be walked; the sanitizer build checks the rest.
 * Usage: test_sass_fuzz [seed [cases]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "differential/random/random.h"
#include "sass/exec/machine.h"
#include "test.h"
#include "trace/code.h"
#include "warpsweep/sass.h"

static const char path[] = "sass_fuzz.bin";
static const char *const names[] = {"small.sm_75.cubin",
                                    "small.sm_86.cubin",
                                    "small.sm_90.cubin",
                                    "small.sm_120.cubin",
                                    "small.size.fatbin",
                                    "small.speed.fatbin",
                                    "small.o"};
enum { FILES = sizeof names / sizeof *names };
static u64 seed = 1, cases = 3000;
static u32 accepted, refused;

/* ---- Changes ---- */

/* Numbers of 1 to 8 bytes at a multiple of their size, mostly extreme ones. */
static void change(struct random *random, u8 *bytes, size_t length)
{
    static const u64 numbers[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, UINT64_MAX, (u64)INT64_MAX, 0x10000};
    const u32 size = random_power(random, 0, 3);
    const size_t at = random_next(random) % (length / size) * size;
    u64 value = 0;
    memcpy(&value, bytes + at, size);
    switch (random_below(random, 4)) {
    case 0:
        value ^= UINT64_C(1) << random_below(random, 8 * size);
        break;
    case 1:
        value += random_below(random, 33) - (u64)16;
        break;
    case 2:
        value = numbers[random_below(random, sizeof numbers / sizeof *numbers)];
        break;
    default:
        value = random_chance(random, 50) ? length - random_below(random, 64) : random_next(random);
    }
    memcpy(bytes + at, &value, size);
}

/* Headers at the file's start and end and in tables are small compared with code: half of the changes go there. */
static size_t mutate(struct random *random, u8 *bytes, size_t length)
{
    const size_t part = length < 512 ? length : 512;
    for (u32 n = random_from(random, 1, 4); n > 0; n--) {
        const u32 where = random_below(random, 4);
        if (where == 0)
            change(random, bytes, part);
        else if (where == 1)
            change(random, bytes + (length - length / 4) / 8 * 8, length / 4);
        else
            change(random, bytes, length);
    }
    return random_chance(random, 5) ? 1 + random_below(random, (u32)length) : length;
}

/* ---- Use ---- */

static void walk_kernel(const struct ws_sass_kernel *kernel)
{
    u64 sum = 0;
    for (u32 word = 0; word < kernel->words; word++)
        sum += kernel->code[word][0] ^ kernel->code[word][1];
    for (u32 n = 0; n < 16; n++)
        assert_true(ws_sass_place(kernel, kernel->words * n).text[0] != '\0');
    for (u32 bank = 0; bank < WS_SASS_BANKS; bank++)
        for (u32 byte = 0; kernel->banks[bank].initial && byte < kernel->banks[bank].bytes; byte++)
            sum += kernel->banks[bank].initial[byte];
    for (u32 n = 0; n < kernel->branch_count; n++)
        for (u32 target = 0; target < kernel->branches[n].target_count; target++)
            sum += kernel->branches[n].targets[target];
    assert_true(sum != 1);
}

/* A trace can represent any words. */
static void describe(struct ws_program *program, const char *kernel)
{
    const struct ws_machine_code *code;
    EXPECT_OK(ws_sass_code(program, kernel, &code, &error));
    const struct ws_launch launch = {.instructions = code->instruction_count, .code = code};
    EXPECT_OK(wst_code_check(&launch, &error));
}

/* Any code ends, at the latest after this many instructions. */
static void execute(const struct ws_program *program, struct ws_ndrange *launch)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.most_instructions = 20000;
    (void)ws_execute(program, &options, launch, NULL, NULL, NULL);
}

/* Launches each kernel with zeros as its arguments. */
static void walk(struct ws_program *program)
{
    for (u32 n = 0; n < program->kernel_count && program->machine.module; n++) {
        const struct ws_kernel *const kernel = &program->kernels[n];
        const struct ws_sass_kernel *const code = ws_sass_kernel_of(program, kernel);
        struct ws_argument *const arguments = calloc((size_t)kernel->parameter_count + 1, sizeof *arguments);
        static u8 zeros[1 << 16];
        struct ws_plan plan;
        struct ws_sass_banks banks;
        assert_non_null(arguments);
        walk_kernel(code);
        describe(program, kernel->name);
        for (u32 i = 0; i < kernel->parameter_count; i++)
            arguments[i] = (struct ws_argument){
                .kind = WS_ARGUMENT_SCALAR, .bytes = kernel->parameters[i].bytes % sizeof zeros, .data = zeros};
        struct ws_ndrange launch = {.kernel = kernel->name,
                                    .global = {32, 1, 1},
                                    .local = {32, 1, 1},
                                    .argument_count = kernel->parameter_count,
                                    .arguments = arguments};
        if (ws_plan_make(program, &launch, &plan, NULL) == WS_STATUS_ok &&
            ws_sass_banks_fill(code, &plan, &banks, NULL) == WS_STATUS_ok) {
            u64(*const filled)[2] = ws_sass_code_fill(code, &plan);
            free(filled);
            ws_sass_banks_free(&banks);
        }
        ws_plan_free(&plan);
        execute(program, &launch);
        free(arguments);
    }
}

static void use(void)
{
    struct ws_sass_binary *file;
    struct ws_program *program;
    struct ws_frontend_options options;
    struct ws_error error = {.message = ""};
    ws_frontend_defaults(&options);
    enum ws_status status = ws_sass_binary_open(path, &file, &error);
    for (u32 n = 0; status == WS_STATUS_ok && ws_sass_binary_image(file, n); n++) {
        status = ws_sass_binary_load(file, n, &options, &program, &error);
        if (status == WS_STATUS_ok) {
            walk(program);
            ws_program_free(program);
        }
    }
    ws_sass_binary_close(file);
    accepted += status == WS_STATUS_ok;
    refused += status != WS_STATUS_ok;
    if (status != WS_STATUS_ok && (strlen(error.message) < 20 || strncmp(error.message, path, sizeof path - 1) != 0))
        fail_msg("found the message '%s'", error.message);
}

TEST(mutated_files_are_refused_or_sound)
{
    struct random random = {seed};
    for (u64 n = 0; n < cases; n++) {
        char name[400], *data;
        size_t length;
        snprintf(name, sizeof name, "%s/%s", FILES_FOLDER, names[n % FILES]);
        EXPECT_OK(ws_file_read(name, 1 << 20, &data, &length, &error));
        const size_t left = mutate(&random, (u8 *)data, length);
        EXPECT_OK(ws_file_write(path, data, left, &error));
        free(data);
        use();
    }
    unlink(path);
    printf("seed %llu: %u accepted, %u refused\n", (unsigned long long)seed, accepted, refused);
    assert_true(accepted && refused);
}

int main(int count, char **arguments)
{
    seed = count > 1 ? strtoull(arguments[1], NULL, 0) | 1 : seed;
    cases = count > 2 ? strtoull(arguments[2], NULL, 0) : cases;
    return test_run(NULL, NULL);
}
