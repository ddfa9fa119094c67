/* Mutated PTX: each text gives an error with file and line, or a program that executes and has a readable trace; the sanitizer
 * build checks the rest. WS_SEED is the first case, WS_CASES their number. The text of a case that crashes is left in ptx_fuzz.ptx
 * in a folder of /tmp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "frontend/ptx/forms.h"
#include "fuzz/mutate.h"
#include "test.h"
#include "unit/kit/config_files.h"

enum { CASES = 10000, MOST_EDITS = 5, MOST_WORDS = 600, MOST_INSTRUCTIONS = 300000, TRACED = 40 };

static const char file[] = "ptx_fuzz.ptx", trace_file[] = "ptx_fuzz.wst";

/* Outcomes of the cases. */
static u32 refused, stopped, executed, traced;

/* ---- Texts and their launches ---- */

struct seed {
    char *text;
    size_t length;
    const struct ws_workload *workload; /* NULL for seed.ptx */
};

static void read_seed(struct seed *seed, const struct ws_workload *workload)
{
    char path[300];
    if (workload)
        snprintf(path, sizeof path, "%s/%s/%s.ptx", WORKLOADS_FOLDER, workload->kernel, workload->kernel);
    else
        snprintf(path, sizeof path, "%s/seed.ptx", FUZZ_FOLDER);
    seed->workload = workload;
    assert_int_equal(ws_file_read(path, MUTANT_ROOM / 2, &seed->text, &seed->length, NULL), WS_STATUS_ok);
}

/* A launch of seed.ptx: two blocks of 64 threads. */
static void prepare_own(struct ws_ndrange *launch)
{
    static u64 out[128];
    static u32 count;
    static struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .name = "out", .bytes = sizeof out, .data = out},
                                             {.kind = WS_ARGUMENT_SCALAR, .name = "count", .bytes = sizeof count, .data = &count}};
    memset(out, 0, sizeof out);
    count = 100;
    *launch = (struct ws_ndrange){
        .kernel = "k", .source = "seed", .global = {128, 1, 1}, .local = {64, 1, 1}, .argument_count = 2, .arguments = arguments};
}

static void prepare(const struct seed *seed, struct ws_ndrange *launch)
{
    if (seed->workload)
        assert_int_equal(seed->workload->prepare(WS_SIZE_TINY, 7, launch, NULL), WS_STATUS_ok);
    else
        prepare_own(launch);
}

static void release(const struct seed *seed, struct ws_ndrange *launch)
{
    if (seed->workload)
        seed->workload->release(launch);
}

/* ---- Judging ---- */

static void check_refusal(const struct mutant *mutant, enum ws_status status, const struct ws_error *error)
{
    assert_int_equal(error->status, status);
    if (status != WS_STATUS_bad_input)
        fail_msg("%s: %s", ws_status_name(status), error->message);
    if (strcmp(error->message, "ptx_fuzz.ptx: found no kernel (.entry); name a file with one") != 0)
        mutant_expect_line(mutant, "ptx_fuzz.ptx:", error->message);
}

/* Errors of launches that do not fit the mutated kernel name the kernel, and no line. */
static void check_fault(const struct mutant *mutant, enum ws_status status, const struct ws_error *error)
{
    assert_int_equal(error->status, status);
    if (status != WS_STATUS_bad_input)
        fail_msg("%s: %s", ws_status_name(status), error->message);
    if (strncmp(error->message, "kernel ", 7) != 0 && strncmp(error->message, "ptx_fuzz.ptx: there is no kernel ", 33) != 0)
        mutant_expect_line(mutant, "ptx_fuzz.ptx:", error->message);
}

/* The trace is valid. */
static void read_trace(void)
{
    struct ws_trace *trace;
    struct ws_trace_info info;
    EXPECT_OK(ws_trace_open(trace_file, &trace, &error));
    EXPECT_OK(ws_trace_info(trace, &info, NULL, &error));
    ws_trace_close(trace);
    unlink(trace_file);
    traced++;
}

static void execute(struct mutant *mutant, const struct seed *seed, const struct ws_program *program,
                    const struct ws_frontend_options *options)
{
    const bool with_trace = random_below(&mutant->random, TRACED) == 0;
    struct ws_error error = {.message = ""};
    struct ws_ndrange launch;
    prepare(seed, &launch);
    const enum ws_status status = with_trace ? ws_trace_build(program, options, &launch, trace_file, NULL, &error)
                                             : ws_execute(program, options, &launch, NULL, NULL, &error);
    release(seed, &launch);
    executed += status == WS_STATUS_ok;
    stopped += status != WS_STATUS_ok;
    if (status != WS_STATUS_ok)
        check_fault(mutant, status, &error);
    else if (with_trace)
        read_trace();
}

static void use(struct mutant *mutant, const struct seed *seed)
{
    static const u32 most[] = {0, 4, 4, 100};
    const struct ws_frontend_options options = {.if_convert = most[random_below(&mutant->random, 4)],
                                                .guarded_moves = random_below(&mutant->random, 2),
                                                .lenient = random_below(&mutant->random, 4) == 0,
                                                .registers = random_below(&mutant->random, 8) ? 0 : 20,
                                                .most_instructions = MOST_INSTRUCTIONS};
    struct ws_program *program;
    struct ws_error error = {.message = ""};
    const enum ws_status status = ws_program_load(file, mutant->text, mutant->length, &options, &program, &error);
    if (status == WS_STATUS_ok) {
        execute(mutant, seed, program, &options);
        ws_program_free(program);
        return;
    }
    assert_null(program);
    check_refusal(mutant, status, &error);
    refused++;
}

/* ---- Cases ---- */

/* Every word that the tables of the parser know. */
static const char *const *known_words(void)
{
    static const char *words[MOST_WORDS];
    size_t forms, modifiers, count = 0;
    const struct ptx_form *const form = ptx_forms(&forms);
    const struct ptx_modifier *const modifier = ptx_modifiers(&modifiers);
    assert_true(forms + modifiers + PTX_TYPES < MOST_WORDS);
    for (size_t n = 0; n < forms; n++)
        words[count++] = form[n].mnemonic;
    for (size_t n = 0; n < modifiers; n++)
        words[count++] = modifier[n].word;
    for (u32 n = 0; n < PTX_TYPES; n++)
        words[count++] = ptx_type_name((enum ptx_type)n);
    return words;
}

static const char *const numbers[] = {"0",
                                      "1",
                                      "-1",
                                      "3",
                                      "4",
                                      "16",
                                      "255",
                                      "4096",
                                      "65535",
                                      "100000",
                                      "1048577",
                                      "2147483647",
                                      "2147483648",
                                      "-2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "0x",
                                      "0xFFFFFFFFFFFFFFFFF",
                                      "0f7FC00000",
                                      "0fFF800000",
                                      "0d7FEFFFFFFFFFFFFF",
                                      "1e999",
                                      "1.5",
                                      NULL};

static const char *const lines[] = {
    "{\n", "}\n", "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{\n", "/*\n", "*/\n", "\"\n", ";", ".weird 1;\n", "bra $L_nowhere;\n",
    "$L_1:\n", "ret;\n", "trap;\n", "bar.sync 0;\n", "call f, (%r1);\n", ".func f(.reg .b32 %r1)\n{\n", ".entry k()\n{\n",
    ".param .b64 p[9];\n", ".reg .b32 %r<65521>;\n", ".reg .pred %p<99>;\n", ".local .b8 large[1048576];\n",
    ".shared .b8 larger[1073741824];\n", ".global .u32 many[4] = {{1}, 2, 3};\n", ".loc 1 4294967296 0\n", ".global .texref t;\n",
    ".alias a, b;\n", ".extern .func f (.param .b32 a)\n", ".pragma \"kernel_arg k 1 count float\", \"\";\n", ".file 3 \"x/y.h\"\n",
    /* what the seeds lack */
    "div.s64 %rd2, %rd1, -1;\n", "rem.s32 %r2, %r1, %r3;\n", "mul.hi.s64 %rd2, %rd1, %rd2;\n",
    "mad.hi.sat.s32 %r2, %r1, %r3, %r2;\n", "mul24.hi.s32 %r2, %r1, %r3;\n", "sad.s64 %rd2, %rd1, %rd2, 9223372036854775807;\n",
    "abs.s32 %r2, -2147483648;\n", "shl.b64 %rd2, %rd1, %r3;\n", "shr.s32 %r2, %r1, 4294967295;\n",
    "shf.r.wrap.b32 %r2, %r1, %r3, 32;\n", "bfe.s64 %rd2, %rd1, 63, %r1;\n", "bfi.b32 %r2, %r1, %r3, 31, 255;\n",
    "prmt.f4e.b32 %r2, %r1, %r3, %r1;\n", "clz.b64 %r2, 0;\n", "cvt.sat.s8.s32 %r2, %r1;\n", "cvt.rpi.u64.f32 %rd2, 0fFF800000;\n",
    "cvt.rzi.sat.s64.f64 %rd2, 0d7FF8000000000000;\n", "cvt.rm.f32.s64 %f2, %rd1;\n",
    "cvt.rz.ftz.sat.f32.f64 %f2, 0d7FEFFFFFFFFFFFFF;\n", "fma.rp.ftz.sat.f32 %f2, %f1, 0f00000001, %f1;\n",
    "min.ftz.f32 %f2, %f1, 0f7FC00000;\n", "set.ltu.u32.f32 %r2, %f1, 0f7FC00000;\n", "ex2.approx.ftz.f32 %f2, %f1;\n",
    "rsqrt.approx.f64 %fd1, 0d8000000000000000;\n", "atom.global.max.s64 %rd2, [%rd1], -1;\n", "atom.inc.u32 %r2, [%rd1+4], 3;\n",
    "red.shared.xor.b32 [%r1], 5;\n", "isspacep.local %p1, %rd1;\n", NULL};

static void write_file(const struct mutant *mutant)
{
    unlink(file); /* file systems flush what is written over */
    FILE *const out = fopen(file, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(mutant->text, 1, mutant->length, out), mutant->length);
    assert_int_equal(fclose(out), 0);
}

static void run_case(u64 number, const struct seed *seeds, u32 count)
{
    static struct mutant mutant;
    mutant.random.state = mix(number);
    mutant.words = known_words();
    mutant.numbers = numbers;
    mutant.lines = lines;
    const struct seed *const seed = &seeds[random_below(&mutant.random, count)];
    mutant.length = seed->length;
    memcpy(mutant.text, seed->text, seed->length);
    for (u32 edits = 1 + random_below(&mutant.random, MOST_EDITS) / 2; edits > 0; edits--)
        mutate(&mutant);
    write_file(&mutant);
    use(&mutant, seed);
}

static u64 setting(const char *name, u64 standard)
{
    const char *const text = getenv(name);
    return text ? strtoull(text, NULL, 0) : standard;
}

TEST(mutated_programs_are_refused_or_run)
{
    struct seed seeds[256];
    u32 count = 0;
    for (const struct ws_workload *workload = ws_workloads(); workload->name && count < 255; workload++)
        read_seed(&seeds[count++], workload);
    read_seed(&seeds[count++], NULL);
    const u64 first = setting("WS_SEED", 1), asked = setting("WS_CASES", getenv("WS_SEED") ? 1 : CASES);
    const u64 most = setting("WS_MOST_CASES", asked), cases = asked < most ? asked : most;
    print_message("cases of seeds %llu to %llu\n", (unsigned long long)first, (unsigned long long)(first + cases - 1));
    for (u64 n = 0; n < cases; n++)
        run_case(first + n, seeds, count);
    print_message("%u refused, %u stopped, %u executed, %u of them traced\n", refused, stopped, executed, traced);
    for (u32 n = 0; n < count; n++)
        free(seeds[n].text);
}

TESTS(files_enter, files_leave)
