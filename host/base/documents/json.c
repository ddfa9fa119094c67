#include "base/documents/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static void add_character(struct ws_text *text, char c)
{
    if (c == '"' || c == '\\')
        ws_text_add(text, "\\%c", c);
    else if (c == '\n')
        ws_text_add(text, "\\n");
    else if ((unsigned char)c < 0x20 || c == 0x7F)
        ws_text_add(text, "\\u%04x", (unsigned)c);
    else
        ws_text_bytes(text, &c, 1);
}

void ws_json_quote(struct ws_text *text, const char *value)
{
    ws_text_add(text, "\"");
    for (size_t left = strlen(value); left > 0;) {
        const size_t valid = ws_utf8_span(value, left);
        for (size_t n = 0; n < valid; n++)
            add_character(text, value[n]);
        const size_t broken = valid < left;
        if (broken)
            ws_text_add(text, "\\ufffd");
        value += valid + broken;
        left -= valid + broken;
    }
    ws_text_add(text, "\"");
}

static void new_line(struct ws_json *json)
{
    if (json->depth > 0 && !json->flat)
        ws_text_add(json->text, "\n%*s", (int)(2 * json->depth), "");
}

static void begin(struct ws_json *json, const char *key)
{
    if (json->filled)
        ws_text_add(json->text, json->flat ? ", " : ",");
    new_line(json);
    json->filled = true;
    if (key) {
        ws_json_quote(json->text, key);
        ws_text_add(json->text, ": ");
    }
}

static void open_bracket(struct ws_json *json, const char *key, const char *bracket)
{
    begin(json, key);
    ws_text_add(json->text, "%s", bracket);
    json->depth++;
    json->filled = false;
}

static void close_bracket(struct ws_json *json, const char *bracket)
{
    const bool filled = json->filled;
    json->depth--;
    const bool ends_line = json->depth == 0 && !json->flat;
    if (filled && ends_line)
        ws_text_add(json->text, "\n");
    else if (filled)
        new_line(json);
    ws_text_add(json->text, ends_line ? "%s\n" : "%s", bracket);
    json->filled = true;
}

void ws_json_object(struct ws_json *json, const char *key)
{
    open_bracket(json, key, "{");
}

void ws_json_array(struct ws_json *json, const char *key)
{
    open_bracket(json, key, "[");
}

void ws_json_end_object(struct ws_json *json)
{
    close_bracket(json, "}");
}

void ws_json_end_array(struct ws_json *json)
{
    close_bracket(json, "]");
}

void ws_json_text(struct ws_json *json, const char *key, const char *value)
{
    begin(json, key);
    ws_json_quote(json->text, value);
}

void ws_json_unsigned(struct ws_json *json, const char *key, uint64_t value)
{
    begin(json, key);
    ws_text_add(json->text, "%" PRIu64, value);
}

void ws_json_real(struct ws_json *json, const char *key, double value)
{
    char digits[32];
    begin(json, key);
    snprintf(digits, sizeof digits, "%.15g", value);
    if (strtod(digits, NULL) < value || strtod(digits, NULL) > value)
        snprintf(digits, sizeof digits, "%.17g", value);
    ws_text_add(json->text, "%s", isfinite(value) ? digits : "null");
}

void ws_json_bool(struct ws_json *json, const char *key, bool value)
{
    begin(json, key);
    ws_text_add(json->text, "%s", value ? "true" : "false");
}

void ws_json_null(struct ws_json *json, const char *key)
{
    begin(json, key);
    ws_text_add(json->text, "null");
}

void ws_json_raw(struct ws_json *json, const char *key, const char *value)
{
    begin(json, key);
    ws_text_bytes(json->text, value, strlen(value));
}

void ws_json_numbers(struct ws_json *json, const char *key, const uint64_t *values, size_t count)
{
    begin(json, key);
    ws_text_add(json->text, "[");
    for (size_t n = 0; n < count; n++)
        ws_text_add(json->text, "%s%" PRIu64, n > 0 ? ", " : "", values[n]);
    ws_text_add(json->text, "]");
}
