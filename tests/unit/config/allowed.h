/* Messages about allowed values, generated from the tables. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static inline void add_choices(char *text, size_t room, const char *set)
{
    static const struct {
        const char *set, *name;
    } choices[] = {
#define CHOICE(set, name, value, doc) {#set, #name},
#include "shared/choices.def"
#undef CHOICE
    };
    const char *separator = "";
    for (size_t n = 0; n < sizeof choices / sizeof *choices; n++) {
        if (strcmp(choices[n].set, set) != 0)
            continue;
        snprintf(text + strlen(text), room - strlen(text), "%s%s", separator, choices[n].name);
        separator = ", ";
    }
}

/* Writes a message in which $KEY stands for the allowed values of the parameter KEY: "pdom, lwm, tbc", "a whole number from 1 to 64
 * (stages)". */
static inline void fill_in_allowed(char *text, size_t room, const char *message)
{
    static const struct {
        const char *key, *set, *kind, *unit;
        unsigned long least, most;
    } rows[] = {
#define NUMBER(group, name, standard, least, most, unit, doc) {#group "." #name, NULL, "a whole number", unit, least, most},
#define POWER(group, name, standard, least, most, unit, doc)  {#group "." #name, NULL, "a power of two", unit, least, most},
#define CHOOSE(group, name, set, standard, doc)               {#group "." #name, #set, "", "", 0, 0},
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
    };
    const char *const dollar = strchr(message, '$');
    if (!dollar) {
        snprintf(text, room, "%s", message);
        return;
    }
    const size_t length = strspn(dollar + 1, "abcdefghijklmnopqrstuvwxyz0123456789_.");
    snprintf(text, room, "%.*s", (int)(dollar - message), message);
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        if (strlen(rows[n].key) != length || strncmp(rows[n].key, dollar + 1, length) != 0)
            continue;
        if (rows[n].set)
            add_choices(text, room, rows[n].set);
        else
            snprintf(text + strlen(text), room - strlen(text), "%s from %lu to %lu (%s%s)", rows[n].kind, rows[n].least,
                     rows[n].most, rows[n].unit, strcmp(rows[n].unit, "bytes") == 0 ? "; 1K is 1024" : "");
    }
    snprintf(text + strlen(text), room - strlen(text), "%s", dollar + 1 + length);
}

/* Fails the test unless found is that message. */
#define assert_allowed(found, message)                                                                                             \
    do {                                                                                                                           \
        char allowed_[1000];                                                                                                       \
        fill_in_allowed(allowed_, sizeof allowed_, message);                                                                       \
        assert_string_equal(found, allowed_);                                                                                      \
    } while (0)
