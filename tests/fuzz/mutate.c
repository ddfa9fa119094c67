#include "fuzz/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

struct piece {
    size_t at, length;
};

static u32 draw(struct mutant *mutant, size_t limit)
{
    return random_below(&mutant->random, (u32)limit);
}

static const char *draw_text(struct mutant *mutant, const char *const *texts)
{
    size_t count = 0;
    while (texts[count])
        count++;
    return texts[draw(mutant, count)];
}

/* Replaces a piece by bytes that are not part of the text. */
static void replace(struct mutant *mutant, struct piece piece, const char *bytes, size_t length)
{
    if (mutant->length - piece.length + length > MUTANT_ROOM)
        return;
    char *const at = mutant->text + piece.at;
    memmove(at + length, at + piece.length, mutant->length - piece.at - piece.length);
    memcpy(at, bytes, length);
    mutant->length += length - piece.length;
}

/* ---- Pieces ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || c == '%';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* A word, or one character of another kind, at or after a random place. Without the dot before it. */
static struct piece draw_token(struct mutant *mutant)
{
    const char *const text = mutant->text;
    size_t at = draw(mutant, mutant->length + 1);
    while (at < mutant->length && is_blank(text[at]))
        at++;
    size_t end = at < mutant->length ? at + 1 : at;
    if (at < mutant->length && is_word(text[at])) {
        while (at > 0 && is_word(text[at - 1]))
            at--;
        while (end < mutant->length && is_word(text[end]))
            end++;
    }
    return (struct piece){at, end - at};
}

/* Replacements that may go unnoticed at first: registers for registers, modifiers for modifiers. */
static int kind_of(const struct mutant *mutant, struct piece token)
{
    if (token.length == 0)
        return 0;
    const char first = mutant->text[token.at];
    if (!is_word(first))
        return 1;
    if (token.at > 0 && mutant->text[token.at - 1] == '.')
        return 2;
    return is_digit(first) ? 3 : first == '%' ? 4 + (token.length > 1 ? mutant->text[token.at + 1] : 0) : 5;
}

/* Mostly of the same kind. */
static struct piece draw_like(struct mutant *mutant, struct piece token)
{
    struct piece other = draw_token(mutant);
    for (u32 n = draw(mutant, 40); n > 0 && kind_of(mutant, other) != kind_of(mutant, token); n--)
        other = draw_token(mutant);
    return other;
}

static struct piece draw_line(struct mutant *mutant)
{
    size_t at = draw(mutant, mutant->length + 1), end = at;
    while (at > 0 && mutant->text[at - 1] != '\n')
        at--;
    while (end < mutant->length && mutant->text[end++] != '\n')
        ;
    return (struct piece){at, end - at};
}

/* ---- Changes ---- */

/* Copies a piece over another, or in front of it. */
static void copy(struct mutant *mutant, struct piece from, struct piece to)
{
    char bytes[1024];
    if (from.length > sizeof bytes)
        return;
    memcpy(bytes, mutant->text + from.at, from.length);
    replace(mutant, to, bytes, from.length);
}

static struct piece before(struct piece piece)
{
    return (struct piece){piece.at, 0};
}

static void swap(struct mutant *mutant, struct piece a, struct piece b)
{
    const struct piece first = a.at < b.at ? a : b, second = a.at < b.at ? b : a;
    char bytes[1024];
    if (first.at + first.length > second.at || second.length > sizeof bytes)
        return;
    memcpy(bytes, mutant->text + second.at, second.length);
    copy(mutant, first, second);
    replace(mutant, first, bytes, second.length);
}

static void change_byte(struct mutant *mutant)
{
    const char byte = (char)draw(mutant, 256);
    const size_t at = draw(mutant, mutant->length + 1);
    replace(mutant, (struct piece){at, at < mutant->length ? draw(mutant, 2) : 0}, &byte, 1);
}

static void change_token(struct mutant *mutant)
{
    const struct piece token = draw_token(mutant), other = draw_like(mutant, token);
    switch (draw(mutant, 6)) {
    case 0:
        replace(mutant, token, "", 0);
        break;
    case 1:
        copy(mutant, token, before(token));
        break;
    case 2:
        swap(mutant, token, other);
        break;
    case 3: {
        const char *const word = draw_text(mutant, mutant->words);
        replace(mutant, token, word, strlen(word));
        break;
    }
    default:
        copy(mutant, other, token);
    }
}

static void change_line(struct mutant *mutant)
{
    const struct piece line = draw_line(mutant), other = draw_line(mutant);
    switch (draw(mutant, 5)) {
    case 0:
        replace(mutant, line, "", 0);
        break;
    case 1:
        copy(mutant, line, before(line));
        break;
    case 2:
        swap(mutant, line, other);
        break;
    case 3: {
        const char *const text = draw_text(mutant, mutant->lines);
        replace(mutant, before(line), text, strlen(text));
        break;
    }
    default:
        copy(mutant, other, before(line));
    }
}

/* Changes a number: also in "%r<10>" and "[%rd1+8]", and inside names. */
static void change_number(struct mutant *mutant)
{
    size_t at = draw(mutant, mutant->length + 1);
    while (at < mutant->length && !is_digit(mutant->text[at]))
        at++;
    size_t end = at;
    while (end < mutant->length && is_word(mutant->text[end]))
        end++;
    const char *const number = draw_text(mutant, mutant->numbers);
    replace(mutant, (struct piece){at, end - at}, number, strlen(number));
}

/* The same token many times: "{" and others nest. */
static void repeat(struct mutant *mutant)
{
    const struct piece token = draw_token(mutant);
    for (u32 n = draw(mutant, 100); n > 0; n--)
        copy(mutant, token, before(token));
}

void mutate(struct mutant *mutant)
{
    const u32 choice = draw(mutant, 32);
    if (choice == 0)
        mutant->length = draw(mutant, mutant->length + 1);
    else if (choice == 1)
        repeat(mutant);
    else if (choice < 4)
        change_byte(mutant);
    else if (choice < 10)
        change_number(mutant);
    else if (choice < 24)
        change_token(mutant);
    else
        change_line(mutant);
}

void mutant_expect_line(const struct mutant *mutant, const char *prefix, const char *message)
{
    const size_t length = strlen(prefix);
    unsigned long lines = 1;
    for (size_t n = 0; n < mutant->length; n++)
        lines += mutant->text[n] == '\n';
    char *end = NULL;
    const unsigned long line = strncmp(message, prefix, length) == 0 ? strtoul(message + length, &end, 10) : 0;
    if (line == 0 || line > lines || strncmp(end, ": ", 2) != 0 || strlen(end) < 8)
        fail_msg("no line, or none of the text's %lu lines: %s", lines, message);
}
