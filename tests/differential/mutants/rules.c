/* Every rule of docs/model/ and docs/lanes.md has a mutant, or a reason in unplanted.def why it has none. A page defines a rule by
 * its id in bold brackets, and refers to it in plain ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "differential/mutants/table.h"
#include "test.h"

enum { MOST_BYTES = 1 << 20, LONGEST_ID = 64, MOST_RULES = 1000 };

static const char *const pages[] = {"model/README.md",     "model/order.md",    "model/divergence.md",
                                    "model/schedulers.md", "model/dispatch.md", "model/memory.md",
                                    "model/pipelines.md",  "model/subcore.md",  "lanes.md"};

static const struct {
    const char *rule, *reason;
} unplanted[] = {
#define UNPLANTED(rule, reason) {rule, reason},
#include "differential/mutants/unplanted.def"
#undef UNPLANTED
};

enum { PAGES = sizeof pages / sizeof *pages, REASONS = sizeof unplanted / sizeof *unplanted };

/* The ids of a text, and errors in them. */
struct rules {
    char id[MOST_RULES][LONGEST_ID];
    u32 count, faults;
    bool shown;
};

static void fault(struct rules *rules, const char *id, const char *what)
{
    rules->faults++;
    if (rules->shown)
        fprintf(stderr, "  [%s] %s\n", id, what);
}

/* Reads the id after a bracket: words with at least one dot between them. False for anything else, and for a link. */
static bool read_id(const char *bracket, char *id)
{
    const size_t length = strspn(bracket + 1, "abcdefghijklmnopqrstuvwxyz0123456789_.");
    if (bracket[length + 1] != ']' || bracket[length + 2] == '(' || length >= LONGEST_ID)
        return false;
    memcpy(id, bracket + 1, length);
    id[length] = 0;
    return strchr(id, '.') != NULL;
}

static bool is_defined(const struct rules *rules, const char *id)
{
    for (u32 i = 0; i < rules->count; i++)
        if (strcmp(rules->id[i], id) == 0)
            return true;
    return false;
}

static void define_rules(struct rules *rules, const char *text)
{
    for (const char *at = strstr(text, "**["); at; at = strstr(at + 1, "**[")) {
        char id[LONGEST_ID];
        if (!read_id(at + 2, id))
            continue;
        if (is_defined(rules, id))
            fault(rules, id, "is defined twice");
        assert_true(rules->count < MOST_RULES);
        strcpy(rules->id[rules->count++], id);
    }
}

static void check_references(struct rules *rules, const char *text)
{
    for (const char *at = strchr(text, '['); at; at = strchr(at + 1, '[')) {
        char id[LONGEST_ID];
        if (read_id(at, id) && !is_defined(rules, id))
            fault(rules, id, "is referred to, and defined nowhere");
    }
}

static u32 count_defects(const char *id)
{
    u32 defects = 0;
    for (u32 n = 0; n < mutant_count; n++)
        defects += strcmp(mutants[n].rule, id) == 0;
    return defects;
}

static u32 count_reasons(const char *id)
{
    u32 reasons = 0;
    for (u32 n = 0; n < REASONS; n++)
        reasons += strcmp(unplanted[n].rule, id) == 0;
    return reasons;
}

/* Number of errors in the pages' text against the two tables. */
static u32 check_rules(const char *text, bool shown)
{
    struct rules *const rules = calloc(1, sizeof *rules);
    assert_non_null(rules);
    rules->shown = shown;
    define_rules(rules, text);
    check_references(rules, text);
    for (u32 i = 0; i < rules->count; i++) {
        const u32 defects = count_defects(rules->id[i]), reasons = count_reasons(rules->id[i]);
        if (defects == 0 && reasons == 0)
            fault(rules, rules->id[i], "has neither a mutant nor a reason why not");
        if (reasons > 1 || (defects > 0 && reasons > 0))
            fault(rules, rules->id[i], "has a reason to have no defect, and another reason or a defect");
    }
    for (u32 n = 0; n < mutant_count; n++)
        if (!is_defined(rules, mutants[n].rule))
            fault(rules, mutants[n].rule, "has a defect, and is defined nowhere");
    for (u32 n = 0; n < REASONS; n++)
        if (!is_defined(rules, unplanted[n].rule))
            fault(rules, unplanted[n].rule, "has a reason, and is defined nowhere");
    if (shown)
        fprintf(stderr, "%u rules, %u mutants, %u reasons why not\n", rules->count, mutant_count, (u32)REASONS);
    const u32 faults = rules->faults;
    free(rules);
    return faults;
}

static struct ws_text read_pages(void)
{
    struct ws_text text = {0};
    for (u32 i = 0; i < PAGES; i++) {
        struct ws_error error;
        struct ws_text path = {0};
        char *page;
        size_t length;
        ws_text_add(&path, "%s/docs/%s", WS_SOURCE_DIR, pages[i]);
        EXPECT_DONE(ws_file_read(path.data, MOST_BYTES, &page, &length, &error), &error);
        ws_text_bytes(&text, page, length);
        ws_text_free(&path);
        free(page);
    }
    assert_false(text.failed);
    return text;
}

TEST(every_rule_has_a_defect_or_a_reason)
{
    struct ws_text text = read_pages();
    assert_int_equal(check_rules(text.data, true), 0);
    ws_text_free(&text);
}

/* Errors of the pages with some words added. */
static u32 faults_with(const char *words)
{
    struct ws_text text = read_pages();
    ws_text_add(&text, "%s", words);
    const u32 faults = check_rules(text.data, false);
    ws_text_free(&text);
    return faults;
}

TEST(a_rule_without_either_is_found)
{
    assert_int_equal(faults_with("**[made.up]**"), 1);
    assert_int_equal(faults_with("as in [made.up]"), 1);
    assert_int_equal(faults_with("**[job.same]**"), 1);
    assert_int_equal(faults_with("a link to [page.md](page.md), an array[n] and a [word]"), 0);
}

/* Without their rules, all mutants and reasons are superfluous. */
TEST(a_defect_without_a_rule_is_found)
{
    assert_int_equal(check_rules("", false), mutant_count + REASONS);
}
