/* Numbers of launch files: a value is held as the kernel's bits, in the low bits of a u64. */
#pragma once

#include "base/documents/yaml.h"
#include "shared/dialect.h"

enum ws_element_kind { WS_ELEMENT_integer, WS_ELEMENT_natural, WS_ELEMENT_real };

struct ws_element {
    const char *name;
    enum ws_element_kind kind;
    u32 bits; /* 8, 16, 32 or 64 */
};

/* Reads the name of an element type. The type has static storage. */
enum ws_status ws_element_type(const struct ws_yaml *node, const struct ws_element **element, struct ws_error *error);

/* The type of that name, or NULL. */
const struct ws_element *ws_element_named(const char *name);

/* Names of the types, NULL-terminated. */
const char *const *ws_element_names(void);

/* Reads a value that the type can hold. */
enum ws_status ws_element_value(const struct ws_yaml *node, const struct ws_element *element, u64 *bits, struct ws_error *error);

/* A real value as a number, and whether numpy has no such type (bf16, e4m3, e5m2). */
double ws_element_number(const struct ws_element *element, u64 bits);
bool ws_element_is_foreign(const struct ws_element *element);

/* n as a value of the type; integers wrap, and reals are rounded. */
u64 ws_element_of_index(const struct ws_element *element, u64 n);

/* A value between low and high: an integer in [low, high], or a real low + (high - low) x with x in [0, 1). random is 64 uniformly
 * distributed bits. */
u64 ws_element_between(const struct ws_element *element, u64 low, u64 high, u64 random);

/* Whether low is above high as values of the type. */
bool ws_element_above(const struct ws_element *element, u64 low, u64 high);
