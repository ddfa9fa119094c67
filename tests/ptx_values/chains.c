/* Random sequences of forms that ptxas folds: each instruction uses results of earlier ones. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/random.h"
#include "ptx_values/values.h"

enum { LINKS = 6, NAME = 4 };

/* Variables of a chain: its sources, then a result per link. */
struct chain {
    struct form form;
    char name[VALUES_SOURCES + LINKS][NAME];
    u8 bits[VALUES_SOURCES + LINKS];
    u32 count;
    size_t length;
    u64 *random;
};

/* Forms whose differences are allowed would differ in every chain. */
static bool is_link(const struct form *form)
{
    static const char *const no[] = {"slct.s32.s32 *", "cvt.f32.f32 *", "cvt.ftz.f32.f32 *", "abs.*f32 *", "neg.*f32 *",
                                     "fns*",           "v*.m?? *",      "sh[lr].?64 *",      "bf[ei].*",   "*approx*",
                                     "div.full*",      "*16*",          "*.f64 *",           "*cc*"};
    for (u32 n = 0; n < sizeof no / sizeof *no; n++)
        if (fnmatch(no[n], form->text, 0) == 0)
            return false;
    return form->folds && form->result.bits >= 32;
}

/* A variable of this many bits; the newest in three of four draws, if it fits. NULL for none. */
static const char *variable(struct chain *chain, u32 bits)
{
    const u32 from = (u32)ws_random(chain->random), last = chain->count - 1;
    if (chain->bits[last] == bits && ws_random(chain->random) % 4)
        return chain->name[last];
    for (u32 n = 0; n < chain->count; n++)
        if (chain->bits[(from + n) % chain->count] == bits)
            return chain->name[(from + n) % chain->count];
    return NULL;
}

static bool in_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '.' || letter == '%' || letter == '_';
}

/* Appends the link's text with variables for a, b, c, e and d. */
static void append(struct chain *chain, const char *text, const char *const to[VALUES_SOURCES + 1])
{
    char *const out = chain->form.text;
    for (const char *at = text; *at && chain->length + 8 < VALUES_TEXT; at++) {
        const char *const letter = strchr("abced", *at);
        const bool alone = letter && (at == text || !in_word(at[-1])) && !in_word(at[1]);
        chain->length += (size_t)snprintf(out + chain->length, VALUES_TEXT - chain->length, alone ? "%s" : "%.1s",
                                          alone ? to[letter - "abced"] : at);
    }
    chain->length += (size_t)snprintf(out + chain->length, VALUES_TEXT - chain->length, " ");
}

static void add_link(struct chain *chain, const struct form *link, bool last)
{
    const char *to[VALUES_SOURCES + 1] = {NULL};
    for (u32 n = 0; n < link->sources; n++) {
        to[n] = variable(chain, link->source[n].bits);
        if (!to[n])
            return;
    }
    char *const name = chain->name[chain->count];
    snprintf(name, NAME, last ? "d" : "%c%u", link->result.bits == 64 ? 'x' : 'r', chain->count % 10);
    to[VALUES_SOURCES] = name;
    append(chain, link->text, to);
    chain->bits[chain->count++] = link->result.bits;
    chain->form.result = link->result;
}

static bool make_chain(struct chain *chain, const struct values *of)
{
    static const struct value_type sources[VALUES_SOURCES] = {{'i', 32}, {'f', 32}, {'i', 64}, {'n', 32}};
    static const char declarations[] = ".reg .b32 r<10>; .reg .b64 x<10>; ";
    chain->form = (struct form){.sources = VALUES_SOURCES};
    memcpy(chain->form.source, sources, sizeof sources);
    chain->length = (size_t)snprintf(chain->form.text, VALUES_TEXT, "%s", declarations);
    chain->count = VALUES_SOURCES;
    for (u32 n = 0; n < VALUES_SOURCES; n++) {
        snprintf(chain->name[n], NAME, "%c", "abce"[n]);
        chain->bits[n] = sources[n].bits;
    }
    const u32 links = 2 + (u32)(ws_random(chain->random) % (LINKS - 1));
    for (u32 tries = 0; tries < 1000 && chain->count < VALUES_SOURCES + links; tries++) {
        const struct form *const link = &of->forms[ws_random(chain->random) % of->form_count];
        if (is_link(link))
            add_link(chain, link, chain->count + 1 == VALUES_SOURCES + links);
    }
    return chain->count == VALUES_SOURCES + links && chain->length + 10 < VALUES_TEXT;
}

void values_make_chains(struct values *values, const struct values *of, u64 seed, u32 count)
{
    struct chain chain = {.random = &seed};
    for (u32 n = 0; n < count; n++)
        if (make_chain(&chain, of))
            values_add_form(values, &chain.form);
}
