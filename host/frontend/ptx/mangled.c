/* Names of C++ functions from their symbols (Itanium C++ ABI, 5.1): the function's own name and its template arguments. */
#include "frontend/ptx/mangled.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "shared/dialect.h"

/* Names that later ones refer to (substitutions); nested types. */
enum { MOST_KNOWN = 64, DEEPEST = 40 };

/* State while a symbol is read. */
struct reading {
    const char *at;
    bool casts;            /* numbers of an enum have its type: (mode)1 */
    struct ws_text short_; /* the name without its last template arguments */
    char *known[MOST_KNOWN];
    u32 known_count, depth;
    bool failed;
};

static bool read_type(struct reading *reading, struct ws_text *text);
static bool read_arguments(struct reading *reading, struct ws_text *text);

static const char *builtin(char letter)
{
    static const char *const names[] = {['a' - 'a'] = "signed char",
                                        ['b' - 'a'] = "bool",
                                        ['c' - 'a'] = "char",
                                        ['d' - 'a'] = "double",
                                        ['f' - 'a'] = "float",
                                        ['h' - 'a'] = "unsigned char",
                                        ['i' - 'a'] = "int",
                                        ['j' - 'a'] = "unsigned int",
                                        ['l' - 'a'] = "long",
                                        ['m' - 'a'] = "unsigned long",
                                        ['s' - 'a'] = "short",
                                        ['t' - 'a'] = "unsigned short",
                                        ['v' - 'a'] = "void",
                                        ['x' - 'a'] = "long long",
                                        ['y' - 'a'] = "unsigned long long",
                                        ['z' - 'a'] = NULL};
    return letter >= 'a' && letter <= 'z' ? names[letter - 'a'] : NULL;
}

/* ---- Substitutions ---- */

static void know(struct reading *reading, const char *text)
{
    if (reading->known_count == MOST_KNOWN || !text)
        reading->failed = true;
    else if (!(reading->known[reading->known_count++] = strdup(text)))
        reading->failed = true;
}

/* What has been added to a text since its length was `from`. */
static void know_from(struct reading *reading, const struct ws_text *text, size_t from)
{
    know(reading, text->data ? text->data + from : NULL);
}

/* S_, S0_, ...: number in base 36, less one; St: std. */
static bool read_known(struct reading *reading, struct ws_text *text)
{
    const char *at = reading->at + 1, *const digits = at;
    u32 number = 0;
    if (*at == 't') {
        reading->at += 2;
        ws_text_add(text, "std");
        return true;
    }
    for (; (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z'); at++)
        number = number < MOST_KNOWN ? number * 36 + (u32)(*at <= '9' ? *at - '0' : *at - 'A' + 10) : number;
    number += at > digits;
    if (*at != '_' || number >= reading->known_count)
        return false;
    reading->at = at + 1;
    ws_text_add(text, "%s", reading->known[number]);
    return true;
}

/* ---- Names ---- */

/* <source-name>: a length and as many letters. */
static bool read_word(struct reading *reading, struct ws_text *text)
{
    char *end;
    const unsigned long length = strtoul(reading->at, &end, 10);
    if (*reading->at < '1' || *reading->at > '9' || length > strlen(end))
        return false;
    ws_text_bytes(text, end, length);
    reading->at = end + length;
    return true;
}

static bool at_word(const struct reading *reading)
{
    return *reading->at >= '1' && *reading->at <= '9';
}

static bool at_known(const struct reading *reading)
{
    return *reading->at == 'S';
}

/* N [K] <prefix>... E, after N. Each prefix is known from then on; the last one if it is a type. */
static bool read_nested(struct reading *reading, struct ws_text *text, bool is_type)
{
    const size_t from = text->length;
    reading->at += strspn(reading->at, "rVK");
    for (bool first = true; *reading->at != 'E'; first = false) {
        const bool known = at_known(reading) && first, std = known && reading->at[1] == 't';
        if (*reading->at == 'I' && !first) {
            if (!read_arguments(reading, text))
                return false;
        } else {
            ws_text_add(text, "%s", first ? "" : "::");
            if (!(known ? read_known(reading, text) : read_word(reading, text)))
                return false;
        }
        if ((*reading->at != 'E' || is_type) && !std && !known)
            know_from(reading, text, from);
    }
    reading->at++;
    return true;
}

/* ---- Types ---- */

/* Types of two letters, D and another one. */
static bool read_special(struct reading *reading, struct ws_text *text)
{
    static const struct {
        const char *code, *name;
    } types[] = {{"DF16_", "_Float16"}, {"DF16b", "__bf16"}, {"Dh", "__half"},
                 {"Ds", "char16_t"},    {"Di", "char32_t"},  {"Dn", "std::nullptr_t"}};
    for (size_t n = 0; n < sizeof types / sizeof *types; n++)
        if (strncmp(reading->at, types[n].code, strlen(types[n].code)) == 0) {
            reading->at += strlen(types[n].code);
            ws_text_add(text, "%s", types[n].name);
            return true;
        }
    return false;
}

/* A pointer, reference or const type: its mark follows the type, but const precedes a type that is no pointer. */
static bool read_compound(struct reading *reading, struct ws_text *text)
{
    const size_t from = text->length;
    const char mark = *reading->at++;
    const bool constant = mark == 'K', prefix = constant && *reading->at != 'P';
    if (prefix)
        ws_text_add(text, "const ");
    if (!read_type(reading, text))
        return false;
    ws_text_add(text, "%s", prefix ? "" : constant ? " const" : mark == 'P' ? "*" : mark == 'R' ? "&" : "&&");
    know_from(reading, text, from);
    return true;
}

/* A class or enum, with its template arguments. */
static bool read_class(struct reading *reading, struct ws_text *text)
{
    const size_t from = text->length;
    if (*reading->at == 'N') {
        reading->at++;
        return read_nested(reading, text, true);
    }
    if (at_known(reading)) {
        const bool std = reading->at[1] == 't';
        if (!read_known(reading, text))
            return false;
        if (std) {
            ws_text_add(text, "::");
            if (!read_word(reading, text))
                return false;
            know_from(reading, text, from);
        }
    } else {
        if (!read_word(reading, text))
            return false;
        know_from(reading, text, from);
    }
    if (*reading->at != 'I')
        return true;
    if (!read_arguments(reading, text))
        return false;
    know_from(reading, text, from);
    return true;
}

static bool read_type(struct reading *reading, struct ws_text *text)
{
    bool good = ++reading->depth < DEEPEST;
    if (!good) {
    } else if (*reading->at && strchr("PROK", *reading->at)) {
        good = read_compound(reading, text);
    } else if (*reading->at == 'D') {
        good = read_special(reading, text);
    } else if (builtin(*reading->at)) {
        ws_text_add(text, "%s", builtin(*reading->at++));
    } else {
        good = read_class(reading, text);
    }
    reading->depth--;
    return good;
}

/* ---- Template arguments ---- */

/* L <type> [n] <number> E */
static bool read_literal(struct reading *reading, struct ws_text *text)
{
    struct ws_text type = {0};
    const char letter = *++reading->at;
    const bool is_enum = !builtin(letter), good = read_type(reading, &type);
    const bool negative = *reading->at == 'n';
    reading->at += negative;
    const size_t digits = strspn(reading->at, "0123456789");
    const bool whole = good && digits > 0 && reading->at[digits] == 'E' && letter != 'f' && letter != 'd';
    if (whole && letter == 'b')
        ws_text_add(text, "%s", *reading->at == '1' ? "true" : "false");
    else if (whole)
        ws_text_add(text, "%s%s%s%s%.*s", is_enum && reading->casts ? "(" : "", is_enum && reading->casts ? type.data : "",
                    is_enum && reading->casts ? ")" : "", negative ? "-" : "", (int)digits, reading->at);
    reading->at += whole ? digits + 1 : 0;
    ws_text_free(&type);
    return whole;
}

/* L_Z <name> <type of a parameter>... E, with X ad before and E behind it for its address: the name of a function. nvcc puts static
 * functions into a namespace of the file, _INTERNAL_..., which the source does not have. */
static bool read_function(struct reading *reading, struct ws_text *text)
{
    static const char address[] = "Xad", begin[] = "L_Z", file[] = "_INTERNAL_";
    const bool is_address = strncmp(reading->at, address, sizeof address - 1) == 0;
    struct ws_text name = {0}, types = {0};
    reading->at += is_address ? sizeof address - 1 : 0;
    bool good = strncmp(reading->at, begin, sizeof begin - 1) == 0;
    if (good) {
        reading->at += sizeof begin - 1;
        reading->at += *reading->at == 'L';
        const bool nested = *reading->at == 'N';
        reading->at += nested;
        good = nested ? read_nested(reading, &name, false) : read_word(reading, &name);
    }
    while (good && *reading->at != 'E')
        good = read_type(reading, &types);
    good = good && name.data && (!is_address || reading->at[1] == 'E');
    if (good) {
        const char *const inner = strncmp(name.data, file, sizeof file - 1) == 0 ? strstr(name.data, "::") : NULL;
        ws_text_add(text, "%s", inner ? inner + 2 : name.data);
        reading->at += is_address ? 2 : 1;
    }
    ws_text_free(&name);
    ws_text_free(&types);
    return good;
}

/* One of them, by its first letters. */
static bool read_argument(struct reading *reading, struct ws_text *text)
{
    if (*reading->at == 'X' || strncmp(reading->at, "L_Z", 3) == 0)
        return read_function(reading, text);
    return *reading->at == 'L' ? read_literal(reading, text) : read_type(reading, text);
}

/* Up to E. Arguments of packs (J ... E) stand among the others. */
static bool read_list(struct reading *reading, struct ws_text *text, bool *first)
{
    reading->at++;
    while (*reading->at != 'E') {
        if (*reading->at == 'J') {
            if (++reading->depth >= DEEPEST || !read_list(reading, text, first))
                return false;
            reading->depth--;
            continue;
        }
        ws_text_add(text, "%s", *first ? "" : ",");
        *first = false;
        if (!read_argument(reading, text))
            return false;
    }
    reading->at++;
    return true;
}

/* I <argument>... E */
static bool read_arguments(struct reading *reading, struct ws_text *text)
{
    bool first = true;
    ws_text_add(text, "<");
    if (!read_list(reading, text, &first))
        return false;
    ws_text_add(text, ">");
    return true;
}

/* ---- The function ---- */

/* N <prefix>... E of a function: the last part's arguments are left out of the short name. */
static bool read_nested_name(struct reading *reading, struct ws_text *text)
{
    reading->at++;
    reading->at += strspn(reading->at, "rVK");
    for (bool first = true; *reading->at != 'E'; first = false) {
        const bool arguments = *reading->at == 'I' && !first;
        if (arguments) {
            ws_text_free(&reading->short_);
            ws_text_add(&reading->short_, "%s", text->data);
        }
        ws_text_add(text, "%s", first || arguments ? "" : "::");
        if (!(arguments                    ? read_arguments(reading, text)
              : first && at_known(reading) ? read_known(reading, text)
                                           : read_word(reading, text)))
            return false;
        if (!arguments) {
            ws_text_free(&reading->short_);
            ws_text_add(&reading->short_, "%s", text->data);
        }
        if (*reading->at != 'E' && !(first && strcmp(text->data, "std") == 0))
            know(reading, text->data);
    }
    return true;
}

/* A name with its template arguments in text; without them in short_. False if there is no name at all. */
static bool read_name(struct reading *reading, struct ws_text *text)
{
    if (strncmp(reading->at, "_Z", 2) != 0)
        return false;
    reading->at += 2;
    reading->at += *reading->at == 'L'; /* internal */
    bool good;
    if (*reading->at == 'N') {
        good = read_nested_name(reading, text);
    } else {
        if (!at_word(reading) || !read_word(reading, text))
            return false;
        ws_text_add(&reading->short_, "%s", text->data);
        if (*reading->at == 'I')
            know(reading, text->data);
        good = *reading->at != 'I' || read_arguments(reading, text);
    }
    if (!good || reading->failed) /* arguments of another kind */
        ws_text_free(text);
    return reading->short_.data != NULL;
}

static void end(struct reading *reading)
{
    ws_text_free(&reading->short_);
    for (u32 n = 0; n < reading->known_count; n++)
        free(reading->known[n]);
}

/* Whether two names are equal except for blanks. */
static bool equal(const char *a, const char *b)
{
    while (a && b) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
    return false;
}

static bool is(const char *symbol, const char *plain, bool casts)
{
    struct reading reading = {.at = symbol, .casts = casts};
    struct ws_text name = {0};
    const bool same = read_name(&reading, &name) && !reading.short_.failed && !name.failed &&
                      (equal(name.data, plain) || equal(reading.short_.data, plain));
    ws_text_free(&name);
    end(&reading);
    return same;
}

bool ws_mangled_is(const char *symbol, const char *plain)
{
    return is(symbol, plain, true) || is(symbol, plain, false);
}

void ws_mangled_name(const char *symbol, struct ws_text *name)
{
    struct reading reading = {.at = symbol, .casts = true};
    struct ws_text text = {0};
    if (read_name(&reading, &text) && !text.failed && !reading.short_.failed)
        ws_text_add(name, "%s", text.data ? text.data : reading.short_.data);
    ws_text_free(&text);
    end(&reading);
}
