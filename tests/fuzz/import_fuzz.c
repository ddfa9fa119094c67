/* Mutated NVBit traces: each gives an error, or a valid trace; the sanitizer build checks the rest. import_fuzz_one has the form of
 * a libFuzzer target. Usage: test_import_fuzz [seed [cases]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "import/container.h"
#include "import/generate.h"
#include "test.h"
#include "unit/trace/container.h"
#include "warpsweep/import.h"

static const char text_file[] = "import_fuzz.traceg", container_file[] = "import_fuzz.tracez", trace_file[] = "import_fuzz.wst";
static const char *const words[] = {"EXIT",     "BRA",
                                    "BRX",      "BAR.SYNC",
                                    "LD.E.64",  "LDS",
                                    "ST.E.128", "R255",
                                    "R4",       "HMMA.16816.F32",
                                    "CALL",     "FOO",
                                    "UR4",      "UR63",
                                    "UR64",     "ULDC.64",
                                    "Val",      "NoVal",
                                    "LDGSTS.E", "00000000",
                                    "ffffffff", "0020",
                                    "0x",       "12345678",
                                    "@P0 EXIT", "0x700000000010",
                                    "#END_TB",  NULL};
static const char *const numbers[] = {"0",    "1",      "2", "5", "-1", "256", "4294967295", "18446744073709551615",
                                      "0010", "fffff8", NULL};
static const char *const lines[] = {"#BEGIN_TB",
                                    "#END_TB",
                                    "warp = 0",
                                    "insts = 1",
                                    "thread block = 0,0,0",
                                    "",
                                    "0010 ffffffff 0 BRA 0 0 0 ",
                                    "0000 0000ffff 0 EXIT 0 0 0 ",
                                    "0000 0000ffff 0 EXIT 0 0 0 0 NoVal ",
                                    "0010 ffffffff 1 UR4 UMOV 1 UR63 0 0 -1 Val 1 0x7 ",
                                    "cluster id = 0,0,0",
                                    "cluster rank = 0",
                                    "-enable lineinfo = 1",
                                    "-accelsim tracer version = 6",
                                    NULL};
static struct mutant mutant;
static u64 seed = 1, cases = 3000;
static u32 accepted, refused;

/* Code of words that no decoder knows, with the most operands: it fits every trace that is short enough. */
static const struct ws_machine_code *made_code(void)
{
    enum { WORDS = 40 };
    static struct ws_machine_operand operands[WS_CODE_OPERANDS_MOST];
    static struct ws_machine_instruction instructions[WORDS];
    static const struct ws_machine_code code = {
        .architecture = 80, .compiler = "", .instruction_count = WORDS, .instructions = instructions};
    for (u32 n = 0; n < WS_CODE_OPERANDS_MOST; n++)
        operands[n] = (struct ws_machine_operand){.file = (u8)(n % WS_SASS_FILES), .words = 16, .number = 6, .role = (u8)(n % 4)};
    for (u32 n = 0; n < WORDS; n++)
        instructions[n] = (struct ws_machine_instruction){
            .offset = 16 * n, .text = "", .ptx = "", .operand_count = (u8)(n % WS_CODE_OPERANDS_MOST), .operands = operands};
    return &code;
}

/* Writes the trace and walks it. */
static enum ws_status use(struct ws_nvbit *nvbit, struct ws_error *error)
{
    struct ws_nvbit_report report;
    struct ws_trace *trace;
    struct ws_trace_info info;
    const enum ws_status status = ws_nvbit_write(nvbit, trace_file, &report, error);
    if (status != WS_STATUS_ok)
        return status;
    struct ws_error none = {.message = "none"};
    if (ws_trace_open(trace_file, &trace, &none) != WS_STATUS_ok || ws_trace_info(trace, &info, NULL, &none) != WS_STATUS_ok)
        fail_msg("%s", none.message);
    ws_trace_close(trace);
    return status;
}

/* The result of a file with these bytes; its name says whether it is a container. */
static int import_one(const char *file, const u8 *data, size_t size)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options)};
    struct ws_error error = {.message = ""};
    struct ws_nvbit *nvbit;
    bytes_write(file, data, size);
    enum ws_status status = ws_nvbit_open(file, &options, &nvbit, &error);
    if (status == WS_STATUS_ok) {
        if (size % 2)
            ws_nvbit_attach(nvbit, made_code(), "made");
        status = use(nvbit, &error);
        ws_nvbit_close(nvbit);
    }
    if (status == WS_STATUS_ok) {
        accepted++;
        return 0;
    }
    refused++;
    assert_int_equal(status, WS_STATUS_bad_input);
    const bool named =
        strncmp(error.message, file, strlen(file)) == 0 || strncmp(error.message, trace_file, sizeof trace_file - 1) == 0;
    if (!named || strlen(error.message) < strlen(file) + 9)
        fail_msg("message '%s'", error.message);
    return 0;
}

int import_fuzz_one(const u8 *data, size_t size);
int import_fuzz_one(const u8 *data, size_t size)
{
    return import_one(text_file, data, size);
}

/* The text in a container, with some changed bytes or a missing end. */
static void import_container(u64 number)
{
    size_t size;
    u8 *const container = made_container(mutant.text, mutant.length, number % 2, &size);
    if (!container)
        return;
    for (u64 changes = number / 2 % 4; changes > 0; changes--)
        container[random_below(&mutant.random, (u32)size)] ^= (u8)(1u << random_below(&mutant.random, 8));
    if (number % 16 == 9)
        size = random_below(&mutant.random, (u32)size);
    import_one(container_file, container, size);
    free(container);
}

static void make_text(u64 number)
{
    static const char *const versions[] = {"1.2", "3", "4", "5", "6"};
    const struct made_options options = {.seed = number + 1,
                                         .version = versions[number % 5],
                                         .grid = {2, 1, 1},
                                         .block = {20 + 20 * (u32)(number % 2), 1, 1},
                                         .statements = 2,
                                         .raw = number % 3 == 0,
                                         .lines = number % 11 == 0,
                                         .clusters = number % 4 < 2,
                                         .compress = number % 7 < 5,
                                         .indirect = number % 2 == 0};
    struct made_launch *const launch = made_launch(&options);
    size_t length;
    assert_non_null(launch);
    char *const text = made_text(launch, &length);
    assert_non_null(text);
    mutant.length = length < MUTANT_ROOM ? length : MUTANT_ROOM - 1;
    memcpy(mutant.text, text, mutant.length);
    mutant.text[mutant.length] = 0;
    free(text);
    made_free(launch);
}

TEST(mutated_traces_are_refused_or_sound)
{
    mutant.random = (struct random){seed};
    mutant.words = words;
    mutant.numbers = numbers;
    mutant.lines = lines;
    for (u64 n = 0; n < cases; n++) {
        make_text(n / 8);
        for (u64 changes = n % 4; changes < 4 && n % 8; changes++)
            mutate(&mutant);
        if (n % 3 == 2)
            import_container(n / 3);
        else
            import_fuzz_one((const u8 *)mutant.text, mutant.length);
    }
    remove(text_file);
    remove(container_file);
    remove(trace_file);
    printf("seed %llu: %u accepted, %u refused\n", (unsigned long long)seed, accepted, refused);
    assert_true(accepted && refused);
}

int main(int count, char **arguments)
{
    seed = count > 1 ? strtoull(arguments[1], NULL, 0) | 1 : seed;
    cases = count > 2 ? strtoull(arguments[2], NULL, 0) : cases;
    return test_run(NULL, NULL);
}
