#include "json_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *path, *at, *end;
    size_t line;
};

static void fail(const struct reader *reader, const char *what)
{
    fprintf(stderr, "%s:%zu: not JSON: %s\n", reader->path, reader->line, what);
    exit(1);
}

static void *room(void *old, size_t bytes)
{
    void *const memory = realloc(old, bytes);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static char peek(const struct reader *reader)
{
    return reader->at < reader->end ? *reader->at : '\0';
}

static char next(struct reader *reader)
{
    if (reader->at == reader->end)
        fail(reader, "it ends early");
    return *reader->at++;
}

static void skip_space(struct reader *reader)
{
    for (; reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at; reader->at++)
        reader->line += *reader->at == '\n';
}

static void expect(struct reader *reader, const char *word)
{
    for (; *word; word++)
        if (next(reader) != *word)
            fail(reader, "a word that is none of true, false, null, or a sign that is missing");
}

/* ---- Text ---- */

static unsigned hex(struct reader *reader)
{
    unsigned value = 0;
    for (int n = 0; n < 4; n++) {
        static const char digits[] = "0123456789abcdef";
        char c = next(reader);
        c = (char)(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
        const char *const digit = c ? strchr(digits, c) : NULL;
        if (!digit)
            fail(reader, "\\u without four hexadecimal digits");
        value = value * 16 + (unsigned)(digit - digits);
    }
    return value;
}

/* Code points of the basic plane are all that the tests write. */
static size_t add_utf8(struct reader *reader, char *out, unsigned point)
{
    if (point >= 0xD800 && point < 0xE000)
        fail(reader, "a surrogate, which this reader does not take");
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (char)(0xC0 | point >> 6);
        out[1] = (char)(0x80 | (point & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | point >> 12);
    out[1] = (char)(0x80 | (point >> 6 & 0x3F));
    out[2] = (char)(0x80 | (point & 0x3F));
    return 3;
}

static size_t escape(struct reader *reader, char *out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char c = next(reader);
    if (c == 'u')
        return add_utf8(reader, out, hex(reader));
    const char *const name = c ? strchr(names, c) : NULL;
    if (!name)
        fail(reader, "an escape that there is not");
    *out = values[name - names];
    return 1;
}

static char *text(struct reader *reader)
{
    char *out = NULL;
    size_t length = 0;
    expect(reader, "\"");
    for (;;) {
        const char c = next(reader);
        if (length % 64 < 4)
            out = room(out, length + 128);
        if (c == '"')
            break;
        if ((unsigned char)c < 0x20)
            fail(reader, "a control character in a text");
        if (c == '\\')
            length += escape(reader, out + length);
        else
            out[length++] = c;
    }
    out[length] = '\0';
    return room(out, length + 1);
}

/* ---- Values ---- */

static void digits(struct reader *reader)
{
    if (peek(reader) < '0' || peek(reader) > '9')
        fail(reader, "a number without a digit where one must be");
    while (peek(reader) >= '0' && peek(reader) <= '9')
        reader->at++;
}

static void number(struct reader *reader, struct json *value)
{
    const char *const begin = reader->at;
    if (peek(reader) == '-')
        reader->at++;
    if (peek(reader) == '0')
        reader->at++;
    else
        digits(reader);
    if (peek(reader) == '.') {
        reader->at++;
        digits(reader);
    }
    if (peek(reader) == 'e' || peek(reader) == 'E') {
        reader->at++;
        if (peek(reader) == '+' || peek(reader) == '-')
            reader->at++;
        digits(reader);
    }
    const size_t length = (size_t)(reader->at - begin);
    value->type = JSON_NUMBER;
    value->text = room(NULL, length + 1);
    memcpy(value->text, begin, length);
    value->text[length] = '\0';
    value->number = strtod(value->text, NULL);
}

static void read_value(struct reader *reader, struct json *value);

/* The next member of an array or object. */
static struct json *add_member(struct json *value)
{
    if ((value->count & (value->count - 1)) == 0)
        value->member = room(value->member, (value->count ? 2 * value->count : 1) * sizeof *value->member);
    struct json *const member = &value->member[value->count++];
    memset(member, 0, sizeof *member);
    return member;
}

static void read_key(struct reader *reader, const struct json *object, struct json *member)
{
    skip_space(reader);
    char *const key = text(reader);
    for (size_t n = 0; n + 1 < object->count; n++)
        if (strcmp(object->member[n].key, key) == 0)
            fail(reader, "a key that its object has twice");
    member->key = key;
    skip_space(reader);
    expect(reader, ":");
}

static void read_members(struct reader *reader, struct json *value, char close)
{
    reader->at++;
    skip_space(reader);
    if (peek(reader) == close) {
        reader->at++;
        return;
    }
    for (;;) {
        struct json *const member = add_member(value);
        if (value->type == JSON_OBJECT)
            read_key(reader, value, member);
        read_value(reader, member);
        skip_space(reader);
        const char c = next(reader);
        if (c == close)
            return;
        if (c != ',')
            fail(reader, "neither a comma nor the end of an array or object");
    }
}

static void read_value(struct reader *reader, struct json *value)
{
    static const char *const words[] = {[JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};
    skip_space(reader);
    switch (peek(reader)) {
    case '{':
        value->type = JSON_OBJECT;
        read_members(reader, value, '}');
        return;
    case '[':
        value->type = JSON_ARRAY;
        read_members(reader, value, ']');
        return;
    case '"':
        value->type = JSON_TEXT;
        value->text = text(reader);
        return;
    case 'n':
    case 'f':
    case 't':
        value->type = peek(reader) == 'n' ? JSON_NULL : peek(reader) == 'f' ? JSON_FALSE : JSON_TRUE;
        expect(reader, words[value->type]);
        return;
    default:
        number(reader, value);
    }
}

/* ---- The file ---- */

static char *load(const char *path, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    char *bytes = NULL;
    *length = 0;
    if (!file) {
        perror(path);
        exit(1);
    }
    for (size_t got = 1; got > 0; *length += got) {
        bytes = room(bytes, *length + (1 << 20));
        got = fread(bytes + *length, 1, 1 << 20, file);
    }
    fclose(file);
    return bytes;
}

const struct json *json_read(const char *path)
{
    size_t length;
    char *const bytes = load(path, &length);
    struct reader reader = {.path = path, .at = bytes, .end = bytes + length, .line = 1};
    struct json *const value = room(NULL, sizeof *value);
    memset(value, 0, sizeof *value);
    read_value(&reader, value);
    skip_space(&reader);
    if (reader.at != reader.end)
        fail(&reader, "something after the end");
    free(bytes);
    return value;
}

const struct json *json_find(const struct json *object, const char *key)
{
    for (size_t n = 0; object->type == JSON_OBJECT && n < object->count; n++)
        if (strcmp(object->member[n].key, key) == 0)
            return &object->member[n];
    return NULL;
}
