/* A strict JSON reader (RFC 8259): everything it accepts is valid for any reader. Keys of an object must differ. */
#pragma once

#include <stddef.h>

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_type type;
    char *key;  /* in an object */
    char *text; /* of a text, escapes resolved; of a number, unchanged */
    double number;
    struct json *member; /* of an array or object, in order */
    size_t count;
};

/* Reads a file with one value; ends the program with file and line for anything else. The value is never freed. */
const struct json *json_read(const char *path);

/* The member of an object, or NULL. */
const struct json *json_find(const struct json *object, const char *key);
