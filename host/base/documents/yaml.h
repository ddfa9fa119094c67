/* Strict YAML: reads a file into a small tree with line numbers. Duplicate keys, anchors, aliases, tags, directives, several
 * documents, nesting over WS_YAML_DEPTH, files over WS_YAML_BYTES, zero bytes and malformed UTF-8 are refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warpsweep/status.h"

enum { WS_YAML_DEPTH = 16, WS_YAML_KEYS = 4096, WS_YAML_BYTES = 4 << 20 };

enum ws_yaml_kind { WS_YAML_SCALAR, WS_YAML_SEQUENCE, WS_YAML_MAPPING };

/* A node. The tree owns all of it. */
struct ws_yaml {
    enum ws_yaml_kind kind;
    unsigned line;                /* from 1; for a member, the line of its key. 0 without a file: file then names an option */
    char *file;                   /* name for messages, the same in all nodes of a file */
    char *key;                    /* of a member of a mapping, else NULL */
    char *text;                   /* of a scalar, zero-terminated, else NULL */
    bool quoted;                  /* the scalar was in quotes or a block */
    size_t count;                 /* items of a sequence, members of a mapping */
    const struct ws_yaml *parent; /* NULL for the root */
    struct ws_yaml *first, *next; /* first child; next sibling */
};

/* Reads a file. *root is to be freed by ws_yaml_free. Errors are "FILE:LINE: ...". */
enum ws_status ws_yaml_load(const char *path, struct ws_yaml **root, struct ws_error *error);

/* The same from memory; file is the name for messages. */
enum ws_status ws_yaml_parse(const char *file, const char *text, size_t length, struct ws_yaml **root, struct ws_error *error);

/* NULL is allowed. */
void ws_yaml_free(struct ws_yaml *root);

/* ---- Lookup. Every error names file, line, the key's path, the value found and what is allowed. ---- */

/* The member of a mapping, NULL when there is none or node is no mapping. */
const struct ws_yaml *ws_yaml_get(const struct ws_yaml *mapping, const char *key);

/* The same, where it must be there. */
enum ws_status ws_yaml_need(const struct ws_yaml *mapping, const char *key, const struct ws_yaml **node, struct ws_error *error);

/* Refuses a node of another kind and, given known (NULL-terminated), other members of a mapping, suggesting the nearest. */
enum ws_status ws_yaml_expect(const struct ws_yaml *node, enum ws_yaml_kind kind, struct ws_error *error);
enum ws_status ws_yaml_expect_keys(const struct ws_yaml *node, const char *const *known, struct ws_error *error);

/* Values of scalars. Text must not be empty and belongs to the tree; integers are decimal or 0x hexadecimal and within
 * [least, most]; reals are finite; choices give the index in names (NULL-terminated). Numbers in quotes are refused. */
enum ws_status ws_yaml_text(const struct ws_yaml *node, const char **text, struct ws_error *error);

/* The same; NULL for a missing node. */
enum ws_status ws_yaml_optional_text(const struct ws_yaml *node, const char **text, struct ws_error *error);
enum ws_status ws_yaml_unsigned(const struct ws_yaml *node, uint64_t least, uint64_t most, uint64_t *value, struct ws_error *error);
enum ws_status ws_yaml_signed(const struct ws_yaml *node, int64_t least, int64_t most, int64_t *value, struct ws_error *error);
enum ws_status ws_yaml_real(const struct ws_yaml *node, double *value, struct ws_error *error);
enum ws_status ws_yaml_bool(const struct ws_yaml *node, bool *value, struct ws_error *error);
enum ws_status ws_yaml_choice(const struct ws_yaml *node, const char *const *names, size_t *index, struct ws_error *error);

/* WS_STATUS_no_memory, with the file. */
enum ws_status ws_yaml_no_memory(const struct ws_yaml *node, struct ws_error *error);

/* Fails with "FILE:LINE: PATH: " and a printf-style message. PATH: the keys and item numbers from the root ("points[2].label"),
 * omitted for the root itself. */
enum ws_status ws_yaml_fail(const struct ws_yaml *node, struct ws_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "FILE:LINE: " of a node in front of the message in *error; returns its status. */
enum ws_status ws_yaml_at(const struct ws_yaml *node, struct ws_error *error);
