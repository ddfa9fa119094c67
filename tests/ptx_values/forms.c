/* Forms from opcodes.def: each row with every type and every set of modifiers that the parser accepts. */
#include <stdlib.h>
#include <string.h>

#include "frontend/ptx/forms.h"
#include "ptx_values/values.h"

/* Groups of modifiers in PTX order, each by one of its words; behind = position of .NaN relative to the types. */
static const char *const order[] = {"rn", "rni", "approx", "eq", "and", "ftz", "sat", "relu"};
enum { GROUPS = sizeof order / sizeof *order, FTZ_AT = 5, COMBINE_AT = 4 };

struct row {
    const struct ptx_form *form;
    enum ptx_type type, second;
    const char *modifier[GROUPS]; /* NULL: none */
    struct values *values;        /* NULL: forms are counted in total */
    u32 most, total;
};

static u32 group_of(const char *word)
{
    size_t count;
    const struct ptx_modifier *const modifiers = ptx_modifiers(&count);
    for (size_t n = 0; n < count; n++)
        if (strcmp(modifiers[n].word, word) == 0)
            return modifiers[n].group;
    return 0;
}

/* The instruction's words: "min.ftz.NaN.f32", "prmt.b32.f4e", "cvt.pack.sat.u8.s32.b32". */
static void spell(const struct row *row, char *text, size_t room)
{
    const char *const mnemonic = row->form->mnemonic, *rest = strchr(mnemonic, '.');
    const bool nan = rest && strcmp(rest, ".NaN") == 0, mode = strncmp(mnemonic, "prmt.", 5) == 0;
    const bool last = rest && strstr(rest, ".b32");
    const size_t head = nan || mode ? (size_t)(rest - mnemonic) : strlen(mnemonic) - (last ? 4 : 0);
    int length = snprintf(text, room, "%.*s", (int)head, mnemonic);
    for (u32 n = 0; n < GROUPS; n++)
        if (row->modifier[n] && !(nan && n > FTZ_AT))
            length += snprintf(text + length, room - (size_t)length, ".%s", row->modifier[n]);
    if (nan)
        length += snprintf(text + length, room - (size_t)length, ".NaN");
    length += snprintf(text + length, room - (size_t)length, ".%s", ptx_type_name(row->type));
    if (row->form->second_types)
        length += snprintf(text + length, room - (size_t)length, ".%s", ptx_type_name(row->second));
    snprintf(text + length, room - (size_t)length, "%s", mode ? rest : last ? ".b32" : "");
}

static bool accepted(const char *spelling)
{
    struct ptx_words words = {.count = 0};
    const struct ptx_form *form;
    struct ws_op op;
    char reason[200];
    for (const char *at = spelling; *at; at += *at == '.') {
        const size_t length = strcspn(at, ".");
        snprintf(words.word[words.count++], sizeof words.word[0], "%.*s", (int)length, at);
        at += length;
    }
    return ptx_match(&words, &form, &op, reason, sizeof reason);
}

static struct value_type type_of(enum ptx_type type, u32 factor)
{
    const enum ws_type means = ptx_type_means(type);
    const u8 bits = (u8)(8 * factor * ws_type_bytes(means));
    const char kind = means == WS_TYPE_f32 || means == WS_TYPE_f64       ? 'f'
                      : means == WS_TYPE_f16 || means == WS_TYPE_f16x2   ? 'h'
                      : means == WS_TYPE_bf16 || means == WS_TYPE_bf16x2 ? 'g'
                                                                         : 'i';
    return (struct value_type){kind, bits < 16 ? 32 : bits};
}

static struct value_type amount_of(const char *mnemonic)
{
    const char kind = strncmp(mnemonic, "prmt", 4) == 0 ? 's' : strncmp(mnemonic, "dp", 2) == 0 || *mnemonic == 'c' ? 'i' : 'n';
    return (struct value_type){kind, 32};
}

/* The type of an operand by its letter in opcodes.def; kind 0 for letters of no arithmetic. */
static struct value_type operand(const struct row *row, char letter)
{
    switch (letter) {
    case 'd':
    case 'l':
        return type_of(row->type, 1);
    case 'a':
        return strncmp(row->form->mnemonic, "bmsk", 4) == 0 ? (struct value_type){'n', 32} : type_of(row->type, 1);
    case 'w':
    case 'c':
        return type_of(row->type, 2);
    case 'f':
    case 'g':
        return type_of(row->second, 1);
    case 'x':
        return (struct value_type){'i', 32};
    case 'u':
        return amount_of(row->form->mnemonic);
    case 'q':
    case 'p':
    case 'P':
        return (struct value_type){'p', 32};
    default:
        return (struct value_type){0, 0};
    }
}

/* Whether the row computes a value from values; fills in the types. */
static bool has_values(const struct row *row, struct form *form)
{
    static const char *const no[] = {".sync", "mov", "cvta", "nanosleep", "bar", "ld", "atom"};
    for (u32 n = 0; n < sizeof no / sizeof *no; n++)
        if (*no[n] == '.' ? strstr(row->form->mnemonic, no[n]) != NULL : strncmp(row->form->mnemonic, no[n], strlen(no[n])) == 0)
            return false;
    const char *const letters = row->form->operands;
    if (!strchr("dwxlq", *letters) || !*letters || !letters[1])
        return false;
    form->result = operand(row, *letters);
    form->sources = 0;
    for (const char *at = letters + 1; *at; at++) {
        const struct value_type type = operand(row, *at);
        if (*at == 'A') /* may be left out */
            continue;
        if (!type.kind)
            return false;
        if (*at != 'P' || row->modifier[COMBINE_AT])
            form->source[form->sources++] = type;
    }
    return true;
}

static const char names[] = "abce";

/* PTX of one instruction, with predicates as integers. */
static void write_text(const char *spelling, struct form *form)
{
    const bool both = strncmp(spelling, "setp", 4) == 0 && values_hash(spelling) & 1, predicate = form->result.kind == 'p';
    const bool table = strncmp(spelling, "lop3", 4) == 0;
    int length = 0;
    for (u32 n = 0; n < form->sources; n++)
        if (form->source[n].kind == 'p')
            length += snprintf(form->text, VALUES_TEXT, "setp.ne.u32 q, %c, 0; ", names[n]);
    length += snprintf(form->text + length, VALUES_TEXT - (size_t)length, "%s %s", spelling, both ? "p|q" : predicate ? "p" : "d");
    for (u32 n = 0; n < form->sources && !(table && n == 3); n++)
        length += snprintf(form->text + length, VALUES_TEXT - (size_t)length, ", %c", form->source[n].kind == 'p' ? 'q' : names[n]);
    if (table)
        length += snprintf(form->text + length, VALUES_TEXT - (size_t)length, ", %u", form->count & 0xFF);
    length += snprintf(form->text + length, VALUES_TEXT - (size_t)length, ";");
    if (predicate)
        length += snprintf(form->text + length, VALUES_TEXT - (size_t)length, " selp.b32 d, 1, 0, p;");
    if (both)
        snprintf(form->text + length, VALUES_TEXT - (size_t)length, " selp.b32 t, 2, 0, q; add.u32 d, d, t;");
}

/* lop3 is drawn with random tables. */
static void add_form(const struct row *row, const char *spelling, struct form *form)
{
    const bool tables = strncmp(spelling, "lop3", 4) == 0;
    if (tables)
        form->sources = 3;
    for (u32 n = 0; n < (tables ? 16 : 1); n++) {
        form->count = n * 113 + 0x96;
        write_text(spelling, form);
        form->count = 0;
        values_add_form(row->values, form);
    }
}

static void add(struct row *row)
{
    char spelling[200];
    struct form form = {.sources = 0};
    spell(row, spelling, sizeof spelling);
    if (!has_values(row, &form) || !accepted(spelling))
        return;
    if (!row->values)
        row->total++;
    else if (row->total <= row->most || values_hash(spelling) % row->total < row->most)
        add_form(row, spelling, &form);
}

static void choose(struct row *row, u32 n)
{
    if (n == GROUPS) {
        add(row);
        return;
    }
    size_t count;
    const struct ptx_modifier *const modifiers = ptx_modifiers(&count);
    const u32 group = group_of(order[n]) & row->form->allowed;
    row->modifier[n] = NULL;
    choose(row, n + 1);
    for (size_t m = 0; group && m < count; m++)
        if (modifiers[m].group & group) {
            row->modifier[n] = modifiers[m].word;
            choose(row, n + 1);
        }
    row->modifier[n] = NULL;
}

static void choose_types(struct row *row)
{
    for (u32 type = PTX_pred + 1; type < PTX_TYPES; type++) {
        if (!(row->form->types >> type & 1))
            continue;
        row->type = (enum ptx_type)type;
        for (u32 second = 0; second < PTX_TYPES; second++)
            if (row->form->second_types >> second & 1 || (!row->form->second_types && second == 0)) {
                row->second = (enum ptx_type)second;
                choose(row, 0);
            }
    }
}

/* Removes the forms without the text. */
static void keep_forms(struct values *values, const char *text)
{
    size_t kept = 0;
    for (size_t n = 0; n < values->form_count; n++)
        if (strstr(values->forms[n].text, text))
            values->forms[kept++] = values->forms[n];
    values->form_count = kept;
}

void values_make_forms(struct values *values, u32 most, const char *text)
{
    size_t count;
    const struct ptx_form *const forms = ptx_forms(&count);
    for (size_t n = 0; n < count; n++) {
        const bool all = strcmp(forms[n].mnemonic, "cvt") == 0;
        struct row row = {.form = &forms[n], .most = all ? UINT32_MAX : most};
        choose_types(&row);
        row.values = values;
        choose_types(&row);
    }
    values_make_sequences(values);
    keep_forms(values, text);
}
