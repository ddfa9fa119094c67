/* Every planted defect of mutants.def is compiled into a copy of the kernels and must be caught by a random case. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "differential/judge.h"
#include "differential/kernel_run.h"
#include "oracle/allocate.h"

enum {
    FIRST_SEED = 1,
    CASES = 3000,
    LONGEST_PATH = 1000,
    SECONDS = 30,
    SLICE = 1 << 20,
    ORDERS = 3,
    CAUGHT = 10,
    SURVIVED,
    LOST,
    BROKEN
};

struct mutant {
    const char *name, *section;
    u32 divergence;
    const char *form; /* lane form in which it shows, LOOP for all */
    const char *file, *text, *replacement;
};

static const struct mutant mutants[] = {
#define MUTANT(name, section, unit, file, text, replacement)                                                                       \
    {#name, section, WS_divergence_##unit, "LOOP", file, text, replacement},
#define LANES(name, form, unit, file, text, replacement) {#name, "lanes", WS_divergence_##unit, #form, file, text, replacement},
#include "differential/mutants/mutants.def"
#undef MUTANT
#undef LANES
};

enum { MUTANTS = sizeof mutants / sizeof *mutants };

/* The cases and what they must give, made once for all. */
static struct {
    struct random_case cases[CASES];
    struct verdict verdicts[CASES];
} judged;

static const struct case_size size = {.blocks = 5, .block_threads = 600, .statements = 50, .thread_instructions = 12000};

static int make_cases(void **state)
{
    (void)state;
    for (u32 i = 0; i < CASES; i++) {
        random_case_make(&judged.cases[i], FIRST_SEED + i, &size);
        verdict_make(&judged.cases[i], &judged.verdicts[i]);
    }
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    for (u32 i = 0; i < CASES; i++) {
        random_case_free(&judged.cases[i]);
        verdict_free(&judged.verdicts[i]);
    }
    return 0;
}

/* Text of a file; NULL when it cannot be read. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t length = 0;
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        text = oracle_grow(text, length, 1);
        text[length++] = (char)c;
    }
    text = oracle_grow(text, length, 1);
    text[length] = 0;
    fclose(file);
    return text;
}

static void make_folder_of(const char *path)
{
    char folder[LONGEST_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(folder, 0777);
        *slash = '/';
    }
}

/* Writes a kernel file into the overlay, with text (if any) replaced. False when it does not occur exactly once. */
static bool overlay_file(const char *overlay, const char *name, const char *text, const char *replacement)
{
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s/kernels/%s", WS_SOURCE_DIR, name);
    char *whole = read_text(path);
    const char *place = whole && text ? strstr(whole, text) : whole;
    const bool once = place && (!text || !strstr(place + 1, text));
    snprintf(path, sizeof path, "%s/%s", overlay, name);
    make_folder_of(path);
    FILE *file = once ? fopen(path, "wb") : NULL;
    if (file && text)
        fprintf(file, "%.*s%s%s", (int)(place - whole), whole, replacement, place + strlen(text));
    else if (file)
        fputs(whole, file);
    free(whole);
    return file && fclose(file) == 0;
}

/* A mutant ready to run: seed decides the order of lanes, where there is one. */
struct library {
    ws_native_slice *advance;
    void (*seed)(u64 seed);
};

static void find_symbol(void *handle, const char *name, void *function)
{
    void *symbol = handle ? dlsym(handle, name) : NULL;
    memcpy(function, &symbol, sizeof symbol);
}

/* Compiles the kernels with the overlay's files before their own; false when that fails. */
static bool compile(const char *overlay, u32 divergence, const char *form, struct library *library)
{
    char command[8 * LONGEST_PATH + 16], path[LONGEST_PATH + 16];
    const bool fibers = strcmp(form, "LOOP") != 0;
    const char *sources = fibers ? "'%s/tests/differential/fiber_kernel.c' '%s/tests/differential/fiber.c'"
                                 : "'%s/host/engine/native/native_kernel.c'";
    char files[2 * LONGEST_PATH + 64];
    snprintf(path, sizeof path, "%s/mutant.so", overlay);
    snprintf(files, sizeof files, sources, WS_SOURCE_DIR, WS_SOURCE_DIR);
    snprintf(command, sizeof command,
             "%s -std=c11 -O0 -w -shared -fPIC -D_XOPEN_SOURCE=700 -DWS_NATIVE_NAME=mutant -DWS_FIBER_NAME=mutant "
             "-DWS_LANES_%s -DWS_DIVERGENCE=%u -I'%s' "
             "-I'%s/kernels' -I'%s/include' -I'%s/host' -I'%s/tests' %s -o '%s'",
             WS_CC, form, divergence, overlay, WS_SOURCE_DIR, WS_SOURCE_DIR, WS_SOURCE_DIR, WS_SOURCE_DIR, files, path);
    void *handle = system(command) == 0 ? dlopen(path, RTLD_NOW) : NULL;
    find_symbol(handle, "mutant", &library->advance);
    find_symbol(handle, "fibers_seed", &library->seed);
    return library->advance && (library->seed || !fibers);
}

/* Whether the mutant does what the verdict says, in every order of lanes. */
static bool agrees(const struct library *library, const struct random_case *random_case, const struct verdict *verdict)
{
    bool same = true;
    for (u64 order = 0; same && order < (library->seed ? ORDERS : 1); order++) {
        struct ws_job_result result;
        if (library->seed)
            library->seed(mix(random_case->seed ^ order << 32));
        kernel_run(random_case, library->advance, SLICE, &result);
        same = verdict_agrees(verdict, &result, false);
        ws_job_result_free(&result);
    }
    return same;
}

/* A crash ends this process, whatever handlers the test has set. */
static void crash_plainly(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
}

/* In a process of its own, since a defect may crash or hang: exits with what came of it. */
static _Noreturn void judge_mutant(const struct mutant *mutant)
{
    char overlay[LONGEST_PATH];
    snprintf(overlay, sizeof overlay, "%s/mutants/%s", WS_BINARY_DIR, mutant->name);
    if (!overlay_file(overlay, "sm.cl", NULL, NULL) || !overlay_file(overlay, mutant->file, mutant->text, mutant->replacement))
        _exit(LOST);
    struct library library;
    if (!compile(overlay, mutant->divergence, mutant->form, &library))
        _exit(BROKEN);
    crash_plainly();
    alarm(SECONDS);
    for (u32 i = 0; i < CASES; i++)
        if (judged.cases[i].machine.divergence_unit == mutant->divergence &&
            !agrees(&library, &judged.cases[i], &judged.verdicts[i]))
            _exit(CAUGHT);
    _exit(SURVIVED);
}

/* Whether the ended process found what it should; says so where not. */
static bool is_caught(const struct mutant *mutant, int status)
{
    if (WIFSIGNALED(status) || WEXITSTATUS(status) == CAUGHT)
        return true;
    const char *what = WEXITSTATUS(status) == SURVIVED ? "not caught"
                       : WEXITSTATUS(status) == LOST   ? "its text does not occur exactly once in the kernels"
                                                       : "it does not compile";
    fprintf(stderr, "  %s (section %s): %s\n", mutant->name, mutant->section, what);
    return false;
}

/* Waits for one of the processes; the number of its mutant. */
static u32 wait_for_one(const pid_t *processes, int *status)
{
    const pid_t ended = wait(status);
    for (u32 i = 0; i < MUTANTS; i++)
        if (processes[i] == ended)
            return i;
    fail_msg("no process to wait for");
    return 0;
}

static void every_mutant_is_caught(void **state)
{
    (void)state;
    const char *only = getenv("WS_MUTANT");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pid_t processes[MUTANTS] = {0};
    u32 running = 0, judged_mutants = 0, missed = 0;
    for (u32 i = 0; i < MUTANTS || running > 0;) {
        if (i < MUTANTS && only && strcmp(only, mutants[i].name) != 0) {
            i++;
        } else if (i < MUTANTS && running < (u32)cores) {
            processes[i] = fork();
            if (processes[i] == 0)
                judge_mutant(&mutants[i]);
            running++;
            i++;
        } else {
            int status;
            const u32 ended = wait_for_one(processes, &status);
            missed += !is_caught(&mutants[ended], status);
            judged_mutants++;
            running--;
        }
    }
    fprintf(stderr, "%u mutants, %u not caught\n", judged_mutants, missed);
    assert_true(judged_mutants > 0);
    assert_int_equal(missed, 0);
}

/* What catches them must itself agree with the kernels as they are. */
static void without_a_mutant_all_agree(void **state)
{
    (void)state;
    char overlay[LONGEST_PATH];
    struct library library;
    for (u32 divergence = WS_divergence_pdom; divergence <= WS_divergence_tbc; divergence++) {
        snprintf(overlay, sizeof overlay, "%s/mutants/none%u", WS_BINARY_DIR, divergence);
        assert_true(overlay_file(overlay, "sm.cl", NULL, NULL));
        assert_true(compile(overlay, divergence, "LOOP", &library));
        for (u32 i = 0; i < CASES; i++)
            if (judged.cases[i].machine.divergence_unit == divergence)
                assert_true(agrees(&library, &judged.cases[i], &judged.verdicts[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_mutant_all_agree),
        cmocka_unit_test(every_mutant_is_caught),
    };
    return cmocka_run_group_tests(tests, make_cases, free_cases);
}
