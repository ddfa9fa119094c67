#include "capture/cuda/core/event.h"

#include <stdlib.h>

static struct gpu_event *events;

struct gpu_event *gpu_event_find(void *handle)
{
    for (struct gpu_event *event = events; event; event = event->next)
        if (event == handle)
            return event;
    return NULL;
}

struct gpu_event *gpu_event_make(u32 flags)
{
    struct gpu_event *const event = calloc(1, sizeof *event);
    if (!event)
        return NULL;
    *event = (struct gpu_event){.flags = flags, .next = events};
    events = event;
    return event;
}

void gpu_event_free(struct gpu_event *event)
{
    struct gpu_event **at = &events;
    while (*at && *at != event)
        at = &(*at)->next;
    if (*at)
        *at = event->next;
    free(event);
}

void gpu_event_record(struct gpu_event *event)
{
    event->recorded = true;
    event->seconds = gpu_seconds();
}
