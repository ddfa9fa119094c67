/* A growing text, and small helpers for words in messages. */
#ifndef WS_BASE_TEXT_H
#define WS_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Starts as {0}. data is NULL or zero-terminated, and freed by ws_text_free. After a failed allocation `failed` stays set and
 * nothing more is added, so that one look at the end suffices. */
struct ws_text {
    char *data;
    size_t length, room;
    bool failed;
};

void ws_text_add(struct ws_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ws_text_bytes(struct ws_text *text, const char *bytes, size_t length);
void ws_text_free(struct ws_text *text);

/* The known word nearest to one that is not known. Starts as {.word = word}; every known word is offered once. */
struct ws_nearest {
    const char *word;
    const char *best; /* NULL while no word offered was near enough to be meant */
    size_t distance;
};
void ws_nearest_offer(struct ws_nearest *nearest, const char *known);

/* The words that are known, for a message about one that is not: "a, bc, d (did you mean 'bc'?)". Starts as
 * {.nearest = {.word = word}}; every known word is offered once. */
struct ws_names {
    struct ws_nearest nearest;
    struct ws_text list;
};
void ws_names_offer(struct ws_names *names, const char *known);

/* The text, which belongs to names until ws_names_free; "others" when memory did not suffice, "none" when no word was offered. */
const char *ws_names_text(struct ws_names *names);
void ws_names_free(struct ws_names *names);

#endif
