/* Parameters by table index; internal. */
#pragma once

#include "base/documents/yaml.h"
#include "base/text.h"
#include "warpsweep/machine.h"

enum {
#define NUMBER(group, name, standard, least, most, unit, doc) PARAMETER_##group##_##name,
#define POWER(group, name, standard, least, most, unit, doc)  PARAMETER_##group##_##name,
#define CHOOSE(group, name, set, standard, doc)               PARAMETER_##group##_##name,
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
    PARAMETERS
};

/* Number of the parameter with this dotted key, PARAMETERS if unknown. */
size_t config_find(const char *key);

u32 config_value(const struct ws_machine *machine, size_t n);
void config_put(struct ws_machine *machine, size_t n, u32 value);

/* Name of the machine's choice for parameter n; empty if the value is invalid. */
const char *config_chosen(const struct ws_machine *machine, size_t n);

/* Whether parameter n may have this value, regardless of other parameters. */
bool config_within(size_t n, u32 value);

/* Parses a value of parameter n; fails with "KEY: found 'TEXT', allowed ...". */
enum ws_status config_parse(size_t n, const char *text, u32 *value, struct ws_error *error);

/* Parses a whole number for parameter n; for bytes with a suffix K or Ki (1024), M or Mi, G or Gi. False for anything else, or
 * above 32 bits. */
bool config_parse_number(size_t n, const char *text, u32 *value);

/* The set's name for a text: on and off for true and false if the set is toggle, else the text. */
const char *config_choice(const char *set, const char *text);

/* Fails for an unknown key, and suggests the nearest. */
enum ws_status config_unknown(const char *key, struct ws_error *error);

/* Number of the parameter with this dotted key; fails if unknown, naming the node's file and line. */
enum ws_status config_find_at(const struct ws_yaml *node, const char *key, size_t *n, struct ws_error *error);

/* Calls take for each parameter of a mapping, {l1.size: X} and {l1: {size: X}} alike, with its value. Refuses unknown and repeated
 * keys; stops when take fails. */
typedef enum ws_status config_take(void *context, size_t n, const struct ws_yaml *value, struct ws_error *error);
enum ws_status config_each(const struct ws_yaml *mapping, config_take *take, void *context, struct ws_error *error);

/* Fails if no variant has the machine's pipeline, path unit, scheduler and dispatch: names a smallest conflicting subset, and
 * alternatives for each. */
enum ws_status config_fail_variant(const struct ws_machine *machine, struct ws_error *error);

/* Adds the legal values of parameter n with their unit: "one of pdom, lwm" or "a power of two from 4 to 1024 (threads)". */
void config_add_allowed(struct ws_text *text, size_t n);
