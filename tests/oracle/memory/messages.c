#include <stdlib.h>

#include "oracle/memory/levels.h"

void messages_append(struct messages *messages, struct message *message)
{
    struct message **last = &messages->first;
    while (*last)
        last = &(*last)->next;
    message->next = NULL;
    *last = message;
}

struct message *messages_take(struct messages *messages)
{
    struct message *message = messages->first;
    messages->first = message->next;
    return message;
}

u32 messages_count(const struct messages *messages)
{
    u32 found = 0;
    for (const struct message *message = messages->first; message; message = message->next)
        found++;
    return found;
}

void messages_free(struct messages *messages)
{
    while (messages->first)
        free(messages_take(messages));
}
