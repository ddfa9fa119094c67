#include "frontend/ptx/mangled.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* State while a symbol is read. */
struct reading {
    const char *at;
    struct ws_text name;   /* with arguments of templates */
    struct ws_text short_; /* without */
};

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

/* L <type> [n] <number> E */
static bool read_literal(struct reading *reading)
{
    const char type = *++reading->at;
    if (!builtin(type))
        return false;
    reading->at++;
    const bool negative = *reading->at == 'n';
    reading->at += negative;
    const size_t digits = strspn(reading->at, "0123456789");
    if (digits == 0 || reading->at[digits] != 'E')
        return false;
    if (type == 'b')
        ws_text_add(&reading->name, "%s", *reading->at == '1' ? "true" : "false");
    else
        ws_text_add(&reading->name, "%s%.*s", negative ? "-" : "", (int)digits, reading->at);
    reading->at += digits + 1;
    return true;
}

/* A type of one word, const or not, and pointers to it; their marks precede it. */
static bool read_type(struct reading *reading)
{
    size_t pointers = 0;
    bool constant = false;
    for (; *reading->at == 'P' || *reading->at == 'K'; reading->at++) {
        pointers += *reading->at == 'P';
        constant = constant || *reading->at == 'K';
    }
    if (constant)
        ws_text_add(&reading->name, "const ");
    if (builtin(*reading->at))
        ws_text_add(&reading->name, "%s", builtin(*reading->at++));
    else if (!read_word(reading, &reading->name))
        return false;
    for (; pointers > 0; pointers--)
        ws_text_add(&reading->name, "*");
    return true;
}

/* I <argument>... E */
static bool read_arguments(struct reading *reading)
{
    reading->at++;
    ws_text_add(&reading->name, "<");
    for (bool first = true; *reading->at != 'E'; first = false) {
        ws_text_add(&reading->name, "%s", first ? "" : ",");
        if (!(*reading->at == 'L' ? read_literal(reading) : read_type(reading)))
            return false;
    }
    reading->at++;
    ws_text_add(&reading->name, ">");
    return true;
}

/* A name with its template arguments, the last of which may be unknown. */
static bool read_name(struct reading *reading)
{
    if (strncmp(reading->at, "_Z", 2) != 0)
        return false;
    reading->at += 2;
    const bool nested = *reading->at == 'N';
    reading->at += nested;
    for (bool first = true; first || (nested && *reading->at >= '1' && *reading->at <= '9'); first = false) {
        ws_text_add(&reading->name, "%s", first ? "" : "::");
        ws_text_add(&reading->short_, "%s", first ? "" : "::");
        const char *const start = reading->at;
        if (!read_word(reading, &reading->name))
            return false;
        reading->at = start;
        read_word(reading, &reading->short_);
        if (*reading->at == 'I' && !read_arguments(reading)) {
            ws_text_free(&reading->name);
            return true;
        }
    }
    return true;
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

bool ws_mangled_is(const char *symbol, const char *plain)
{
    struct reading reading = {.at = symbol};
    const bool is = read_name(&reading) && !reading.short_.failed && !reading.name.failed &&
                    (equal(reading.name.data, plain) || equal(reading.short_.data, plain));
    ws_text_free(&reading.name);
    ws_text_free(&reading.short_);
    return is;
}

void ws_mangled_name(const char *symbol, struct ws_text *name)
{
    struct reading reading = {.at = symbol};
    if (read_name(&reading) && !reading.name.failed && !reading.short_.failed)
        ws_text_add(name, "%s", reading.name.data ? reading.name.data : reading.short_.data);
    ws_text_free(&reading.name);
    ws_text_free(&reading.short_);
}
