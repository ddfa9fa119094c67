/* A growing text, and helpers for word lists in messages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Starts as {0}. data is NULL or zero-terminated, and freed by ws_text_free. After a failed allocation `failed` stays set and
 * nothing more is added: one check at the end suffices. */
struct ws_text {
    char *data;
    size_t length, room;
    bool failed;
};

void ws_text_add(struct ws_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ws_text_bytes(struct ws_text *text, const char *bytes, size_t length);
void ws_text_free(struct ws_text *text);

/* Length of the name before its suffix; 0 if it lacks the suffix, or is no longer than it. */
size_t ws_stem(const char *name, const char *suffix);

/* The known word nearest to an unknown one. Starts as {.word = word}; offer every known word once. */
struct ws_nearest {
    const char *word;
    const char *best; /* NULL while no offered word is near enough */
    size_t distance;
};
void ws_nearest_offer(struct ws_nearest *nearest, const char *known);

/* The known words, for a message about an unknown one: "a, bc, d (did you mean 'bc'?)". Starts as {.nearest = {.word = word}};
 * offer every known word once. With more than WS_NAMES_SHOWN words, the text gives only the command in `listing`, if set. */
enum { WS_NAMES_SHOWN = 12 };
struct ws_names {
    struct ws_nearest nearest;
    const char *listing; /* the command that lists them, or NULL */
    struct ws_text list;
    size_t count;
};
void ws_names_offer(struct ws_names *names, const char *known);

/* The text, owned by names until ws_names_free; "others" when out of memory, "none" when no word was offered. */
const char *ws_names_text(struct ws_names *names);
void ws_names_free(struct ws_names *names);
