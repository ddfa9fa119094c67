#include "cli/sweep/slurm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/output.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/cli.h"
#include "embedded/cli_slurm.h"

enum { PATH_ROOM = 4096, STANDARD_PARTS = 16 };

/* ---- The command line ---- */

/* --slurm, or a prefix that getopt_long accepts. */
static bool is_slurm(const char *word)
{
    return strlen(word) >= strlen("--slu") && strncmp(word, "--slurm", strlen(word)) == 0;
}

static bool asks(int argc, char **argv)
{
    int n = 1;
    while (n < argc && strcmp(argv[n], "--") != 0 && !is_slurm(argv[n]))
        n++;
    return n < argc && is_slurm(argv[n]);
}

/* Number of words of an option at this position: "--name WORD" or "-l WORD" 2, "--name=WORD" or "-lWORD" 1. */
static int words_of(const char *word, const char *name, char letter)
{
    const size_t length = strlen(name);
    const bool by_letter = letter && word[0] == '-' && word[1] == letter;
    if (strcmp(word, name) == 0 || (by_letter && !word[2]))
        return 2;
    return by_letter || (strncmp(word, name, length) == 0 && word[length] == '=');
}

int cli_slurm_split(struct cli_slurm *slurm, int argc, char **argv)
{
    size_t count = 0;
    int n;
    if (!asks(argc, argv))
        return argc;
    slurm->words = calloc((size_t)argc + 1, sizeof *slurm->words);
    if (!slurm->words)
        return 0;
    for (n = 1; n < argc && strcmp(argv[n], "--") != 0; n++) {
        const int set_by_script = words_of(argv[n], "--parts", 0) + words_of(argv[n], "--output", 'o');
        slurm->threads = slurm->threads || words_of(argv[n], "--threads", 'j') > 0;
        if (set_by_script > 0)
            n += set_by_script - 1;
        else if (!is_slurm(argv[n]))
            slurm->words[count++] = argv[n];
    }
    slurm->sbatch = n < argc ? argv + n + 1 : NULL;
    return n < argc ? n : argc;
}

/* ---- The script ---- */

/* A word quoted for the shell, after a blank. */
static void add_word(struct ws_text *text, const char *word)
{
    ws_text_add(text, " '");
    for (; *word; word++)
        if (*word == '\'')
            ws_text_add(text, "'\\''");
        else
            ws_text_bytes(text, word, 1);
    ws_text_add(text, "'");
}

static void add_words(struct ws_text *text, const char *const *words)
{
    for (; words && *words; words++)
        add_word(text, *words);
}

static void add_variable(struct ws_text *text, const char *name, const char *value)
{
    struct ws_text quoted = {0};
    add_word(&quoted, value);
    ws_text_add(text, "%s=%s\n", name, quoted.failed ? "" : quoted.data + 1);
    text->failed = text->failed || quoted.failed;
    ws_text_free(&quoted);
}

static enum ws_status add_places(struct ws_text *text, struct ws_error *error)
{
    char program[PATH_ROOM] = "", folder[PATH_ROOM];
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return ws_fail(error, WS_STATUS_no_file, "/proc/self/exe: %s", strerror(errno));
    if (!getcwd(folder, sizeof folder))
        return ws_fail(error, WS_STATUS_no_file, "the folder of this shell: %s", strerror(errno));
    add_variable(text, "program", program);
    add_variable(text, "folder", folder);
    return WS_STATUS_ok;
}

static enum ws_status write_script(const struct cli_slurm *slurm, const char *name, const char *results, const char *path,
                                   struct ws_error *error)
{
    struct ws_text text = {0};
    struct ws_text job = {0};
    ws_text_add(&text, "#!/bin/sh\n# Made by warpsweep sweep --slurm, which overwrites it.\n");
    enum ws_status status = add_places(&text, error);
    add_variable(&text, "results", results);
    add_variable(&text, "script", path);
    ws_text_add(&text, "parts=%u\nsweep() { exec \"$program\" sweep%s", slurm->parts,
                slurm->threads ? "" : " --threads \"${SLURM_CPUS_ON_NODE:-0}\"");
    add_words(&text, slurm->words);
    ws_text_add(&text, " \"$@\"; }\nqueue() { sbatch --parsable --requeue --open-mode append --job-name");
    ws_text_add(&job, "sweep %s", name);
    add_word(&text, job.failed ? "sweep" : job.data);
    ws_text_add(&text, " --output \"$log\"");
    add_words(&text, (const char *const *)(uintptr_t)slurm->sbatch);
    ws_text_add(&text, " \"$@\"; }\n%s", cli_slurm);
    if (status == WS_STATUS_ok)
        status = text.failed ? ws_no_memory(error) : ws_output_write(path, WS_OUTPUT_batch, text.data, text.length, error);
    ws_text_free(&job);
    ws_text_free(&text);
    return status;
}

/* ---- Remaining jobs ---- */

/* Appends to a list in sbatch's form: 0-3,7. */
static void add_range(struct ws_text *list, u32 first, u32 last)
{
    ws_text_add(list, first == last ? "%s%u" : "%s%u-%u", list->length > 0 ? "," : "", first, last);
}

/* The parts with remaining jobs, by their own results. */
static enum ws_status list_parts(const struct ws_experiment *experiment, const struct ws_sweep_options *options, u32 parts,
                                 struct ws_text *list, struct ws_error *error)
{
    struct ws_sweep_options of_part = *options;
    u32 first = 0;
    of_part.dry_run = true;
    of_part.parts = parts;
    for (u32 part = 0; part <= parts; part++) {
        struct ws_sweep_summary summary = {0};
        struct ws_text file = {0};
        enum ws_status status = WS_STATUS_ok;
        ws_text_add(&file, "%s.parts/%u-of-%u.db", options->results, part, parts);
        of_part.part = part;
        of_part.results = file.data;
        if (part < parts)
            status = file.failed ? ws_no_memory(error) : ws_sweep(experiment, &of_part, &summary, error);
        ws_text_free(&file);
        if (status != WS_STATUS_ok)
            return status;
        if (summary.before < summary.jobs)
            continue;
        if (part > first)
            add_range(list, first, part - 1);
        first = part + 1;
    }
    return list->failed ? ws_no_memory(error) : WS_STATUS_ok;
}

/* ---- Submitting ---- */

static enum ws_status submit(const struct cli_slurm *slurm, const char *name, const char *results, const char *list, int *code,
                             struct ws_error *error)
{
    struct ws_text folder = {0}, script = {0};
    ws_text_add(&folder, "%s.parts", results);
    ws_text_add(&script, "%s.parts/slurm.sh", results);
    enum ws_status status = folder.failed || script.failed ? ws_no_memory(error) : ws_folder_make(folder.data, error);
    WS_THEN(status, write_script(slurm, name, results, script.data, error));
    if (status == WS_STATUS_ok)
        status = ws_process_run((const char *[]){"sh", script.data, "submit", list, NULL}, code, error);
    ws_text_free(&folder);
    ws_text_free(&script);
    return status;
}

/* Number of remaining jobs of all; for a dry run, with their parts. */
static int tell(const char *name, const struct ws_sweep_summary *summary, u32 parts, const struct ws_text *list, bool dry_run)
{
    struct ws_text out = {0};
    ws_text_add(&out, "%s: %zu jobs, %zu of them done before\n", name, summary->jobs, summary->before);
    if (dry_run && summary->before < summary->jobs)
        ws_text_add(&out, "parts to run, of %u: %s\n", parts, list->length > 0 ? list->data : "none, only the merge is left");
    return cli_print(&out);
}

static enum ws_status run(const struct cli_slurm *slurm, const struct ws_experiment *experiment,
                          const struct ws_sweep_options *options, struct ws_text *list, int *code, struct ws_error *error)
{
    struct cli_slurm own = *slurm;
    struct ws_sweep_options whole = *options;
    struct ws_sweep_summary summary;
    whole.dry_run = true;
    WS_TRY(ws_sweep(experiment, &whole, &summary, error));
    if (own.parts == 0)
        own.parts = summary.jobs < STANDARD_PARTS ? (u32)summary.jobs : STANDARD_PARTS;
    const bool left = summary.before < summary.jobs;
    if (left)
        WS_TRY(list_parts(experiment, options, own.parts, list, error));
    *code = tell(experiment->name, &summary, own.parts, list, options->dry_run);
    if (!left || options->dry_run || *code != 0)
        return WS_STATUS_ok;
    return submit(&own, experiment->name, options->results, list->length > 0 ? list->data : "", code, error);
}

int cli_slurm_submit(const struct cli_slurm *slurm, const struct ws_experiment *experiment, const struct ws_sweep_options *options)
{
    struct ws_text list = {0};
    struct ws_error error;
    int code = 0;
    const enum ws_status status = run(slurm, experiment, options, &list, &code, &error);
    ws_text_free(&list);
    return status == WS_STATUS_ok ? code : cli_fail(&error);
}
