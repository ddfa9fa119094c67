/* ptx-values: values of PTX instructions by the front end against the constants that NVIDIA's compiler folds.
 *     ptx-values [-s SEED] [-n CASES] [-r CHAINS] [-f TEXT] [-o TABLE] make PTXAS ARCHITECTURE...
 *         draws CASES (24) cases of each form whose PTX contains TEXT, asks ptxas for each architecture (75 120), judges, and
 * writes what is folded to TABLE; with CHAINS, random sequences of the folded forms, a case each, instead of the forms ptx-values
 * check TABLE...                        judges the cases of tables ptx-values compare PTXAS ARCHITECTURES TABLE...  asks ptxas for
 * the cases of tables again ("75 120": in one word) ptx-values allowed                               lists the differences that are
 * allowed, as rows of a page Standard error has the differences, standard output for each form: cases, folded, allowed differences,
 * differences. Exit code 1: something differs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "ptx_values/values.h"

enum { MOST_FORMS = 80, SHOWN = 4 };

struct settings {
    u64 seed;
    u32 cases, chains;
    const char *text, *table;
};

static void say_different(const char *what, const struct form *form, const struct value_case *one, u64 result)
{
    fprintf(stderr, "%s %s :", what, form->text);
    for (u32 s = 0; s < form->sources; s++)
        fprintf(stderr, " %" PRIx64, one->source[s]);
    fprintf(stderr, " gives %" PRIx64 ", expected %" PRIx64 "\n", result, one->result);
}

/* Outcomes of a form's cases: counts, and the first few differences. */
static bool judge(const struct values *values, struct form *form)
{
    struct ws_error error;
    u64 *const results = calloc(form->count + 1, sizeof *results);
    const bool good = results && values_execute(values, form, results, &error);
    if (!good)
        fprintf(stderr, "REFUSED %s: %s\n", form->text, error.message);
    for (u32 n = 0; good && n < form->count; n++) {
        const struct value_case *const one = &values->cases[form->first + n];
        if (one->differs)
            say_different("ARCHITECTURES", form, one, results[n]);
        if (!one->known || one->differs)
            continue;
        const enum verdict verdict = values_judge(form, one, results[n]);
        form->folded++;
        form->allowed += verdict == VALUE_ALLOWED;
        form->differ += verdict == VALUE_DIFFERENT;
        if (verdict == VALUE_DIFFERENT && form->differ <= SHOWN)
            say_different("DIFFERENT", form, one, results[n]);
    }
    free(results);
    return good;
}

static int report(struct values *values)
{
    u32 folded = 0, differ = 0, allowed = 0, refused = 0;
    for (size_t f = 0; f < values->form_count; f++) {
        struct form *const form = &values->forms[f];
        refused += !judge(values, form);
        printf("%6u cases %6u folded %6u allowed %6u different  %s\n", form->count, form->folded, form->allowed, form->differ,
               form->text);
        folded += form->folded;
        differ += form->differ;
        allowed += form->allowed;
    }
    printf("%zu forms, %zu cases: %u folded, %u allowed differences, %u different, %u forms refused\n", values->form_count,
           values->case_count, folded, allowed, differ, refused);
    return differ || refused || folded == 0;
}

static bool write_table(const struct values *values, const char *path)
{
    FILE *const file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "# Constants that ptxas folds. \"= types of result and sources | PTX\", then cases: sources and result. Made by "
                  "ptx-values.\n");
    values_write(values, file);
    return fclose(file) == 0;
}

static bool ask(struct values *values, char **words)
{
    for (char **architecture = words + 1; *architecture; architecture++)
        if (!values_fold(values, words[0], *architecture))
            return false;
    return true;
}

/* Chains of the folded forms replace them, one case each. */
static bool make_chains(struct values *values, const struct settings *settings, char **words)
{
    const struct values forms = *values;
    *values = (struct values){.forms = NULL};
    values_make_chains(values, &forms, settings->seed, settings->chains);
    values_free((struct values[]){forms});
    values_make_cases(values, settings->seed, 1);
    return ask(values, words);
}

static int make(struct values *values, const struct settings *settings, char **words)
{
    values_make_forms(values, MOST_FORMS, settings->text);
    values_make_cases(values, settings->seed, settings->cases);
    if (!ask(values, words) || (settings->chains && !make_chains(values, settings, words)))
        return 2;
    if (settings->table && !write_table(values, settings->table)) {
        fprintf(stderr, "cannot write %s\n", settings->table);
        return 2;
    }
    return report(values);
}

/* Folding a table's cases must give the recorded results. */
static int compare(struct values *values, char **words)
{
    u32 known = 0, changed = 0;
    u64 *const before = calloc(values->case_count + 1, sizeof *before);
    if (!before)
        return 2;
    for (size_t n = 0; n < values->case_count; n++) {
        before[n] = values->cases[n].result;
        values->cases[n].known = false;
    }
    const bool asked = ask(values, words);
    for (size_t f = 0; asked && f < values->form_count; f++)
        for (u32 n = 0; n < values->forms[f].count; n++) {
            struct value_case *const one = &values->cases[values->forms[f].first + n];
            const u64 was = before[values->forms[f].first + n];
            known += one->known;
            if (one->known && one->result == was)
                continue;
            changed += one->known;
            if (one->known)
                say_different("CHANGED", &values->forms[f], one, was);
        }
    free(before);
    printf("%zu cases: %u folded again, %u of them to another value\n", values->case_count, known, changed);
    return asked ? changed || known == 0 : 2;
}

static int list_allowed(void)
{
#define ALLOWED(pattern, condition, reason) printf("| `%s` | %s |\n", pattern, reason);
#include "ptx_values/allowed.def"
#undef ALLOWED
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: ptx-values [-s SEED] [-n CASES] [-r CHAINS] [-f TEXT] [-o TABLE] make PTXAS ARCHITECTURE...\n"
                    "       ptx-values check TABLE... | compare PTXAS ARCHITECTURES TABLE... | allowed\n");
    return 2;
}

static bool read_all(struct values *values, char **paths)
{
    bool good = true;
    for (; good && *paths; paths++)
        good = values_read(values, *paths);
    return good;
}

static int compare_tables(struct values *values, char **words)
{
    enum { MOST_ARCHITECTURES = 8 };
    char *asked[MOST_ARCHITECTURES + 2] = {words[0]};
    u32 count = 1;
    for (char *one = strtok(words[1], " "); one && count <= MOST_ARCHITECTURES; one = strtok(NULL, " "))
        asked[count++] = one;
    return read_all(values, words + 2) ? compare(values, asked) : 2;
}

static bool read_options(int argc, char **argv, struct settings *settings)
{
    int option;
    while ((option = getopt(argc, argv, "s:n:r:f:o:")) != -1) {
        if (option == '?')
            return false;
        settings->seed = option == 's' ? strtoull(optarg, NULL, 0) : settings->seed;
        settings->cases = option == 'n' ? (u32)strtoul(optarg, NULL, 0) : settings->cases;
        settings->chains = option == 'r' ? (u32)strtoul(optarg, NULL, 0) : settings->chains;
        settings->text = option == 'f' ? optarg : settings->text;
        settings->table = option == 'o' ? optarg : settings->table;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct values values = {.forms = NULL};
    struct settings settings = {.seed = 1, .cases = 24, .text = ""};
    if (!read_options(argc, argv, &settings) || optind == argc)
        return usage();
    char **const words = argv + optind;
    const int count = argc - optind;
    int code;
    if (count > 1 && strcmp(words[0], "check") == 0)
        code = read_all(&values, words + 1) ? report(&values) : 2;
    else if (count > 2 && strcmp(words[0], "make") == 0)
        code = make(&values, &settings, words + 1);
    else if (count > 3 && strcmp(words[0], "compare") == 0)
        code = compare_tables(&values, words + 1);
    else
        code = strcmp(words[0], "allowed") == 0 ? list_allowed() : usage();
    values_free(&values);
    return code;
}
