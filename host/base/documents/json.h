/* Writing JSON, indented by two spaces, or on one line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Starts as {.text = text}. Members take their key, items of arrays NULL. */
struct ws_json {
    struct ws_text *text;
    unsigned depth;
    bool flat;   /* on one line */
    bool filled; /* the innermost object or array is not empty */
};

void ws_json_object(struct ws_json *json, const char *key);
void ws_json_array(struct ws_json *json, const char *key);
void ws_json_end_object(struct ws_json *json);
void ws_json_end_array(struct ws_json *json);

void ws_json_text(struct ws_json *json, const char *key, const char *value);
void ws_json_unsigned(struct ws_json *json, const char *key, uint64_t value);
void ws_json_real(struct ws_json *json, const char *key, double value); /* null when not finite */
void ws_json_bool(struct ws_json *json, const char *key, bool value);
void ws_json_null(struct ws_json *json, const char *key);

/* A value that is already JSON. */
void ws_json_raw(struct ws_json *json, const char *key, const char *value);

/* An array of numbers, on one line. */
void ws_json_numbers(struct ws_json *json, const char *key, const uint64_t *values, size_t count);

/* Adds value in double quotes, escaped for JSON and YAML. Malformed UTF-8 becomes U+FFFD. */
void ws_json_quote(struct ws_text *text, const char *value);
