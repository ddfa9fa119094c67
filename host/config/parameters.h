/* Parameters by their place in the table, inside this part. */
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

/* Name of the machine's choice of parameter n; empty where its value is none. */
const char *config_chosen(const struct ws_machine *machine, size_t n);

/* Whether parameter n may have this value, other parameters aside. */
bool config_within(size_t n, u32 value);

/* Reads the text of a value of parameter n; fails with "KEY: found 'TEXT', allowed ...". */
enum ws_status config_parse(size_t n, const char *text, u32 *value, struct ws_error *error);

/* Reads a whole number as parameter n has them: with a suffix where the unit is bytes, K or Ki (1024), M or Mi, G or Gi. False when
 * it is none or above 32 bits. */
bool config_parse_number(size_t n, const char *text, u32 *value);

/* The name that a set has for a text: on and off for true and false where the set is toggle, else the text itself. */
const char *config_choice(const char *set, const char *text);

/* Fails because no parameter has this key, suggesting the nearest. */
enum ws_status config_unknown(const char *key, struct ws_error *error);

/* Number of the parameter with this dotted key; fails if unknown, naming the node's file and line. */
enum ws_status config_find_at(const struct ws_yaml *node, const char *key, size_t *n, struct ws_error *error);

/* Calls take for each parameter of a mapping, {l1.size: X} and {l1: {size: X}} alike, with its value. Unknown keys and those given
 * twice are refused; what take fails with ends it. */
typedef enum ws_status config_take(void *context, size_t n, const struct ws_yaml *value, struct ws_error *error);
enum ws_status config_each(const struct ws_yaml *mapping, config_take *take, void *context, struct ws_error *error);

/* Fails because no variant has the machine's pipeline, path unit, scheduler and dispatch: names the fewest of them that conflict,
 * and what each may be instead. */
enum ws_status config_fail_variant(const struct ws_machine *machine, struct ws_error *error);

/* Adds the legal values of parameter n with their unit: "one of pdom, lwm" or "a power of two from 4 to 1024 (threads)". */
void config_add_allowed(struct ws_text *text, size_t n);
