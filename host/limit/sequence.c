#include "limit/sequence.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

void limit_sequence_free(struct limit_sequence *sequence)
{
    free(sequence->tokens);
    free(sequence->lanes);
    free(sequence->ends);
    *sequence = (struct limit_sequence){0};
}

/* Makes *array room elements long; false when out of memory. */
static bool resize(u32 **array, u32 room)
{
    u32 *const larger = realloc(*array, (size_t)room * sizeof(u32));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static u32 next_room(u32 room)
{
    return room == 0 ? FIRST_ROOM : 2 * room;
}

void limit_sequence_add(struct limit_sequence *sequence, u32 token, u32 lanes)
{
    if (sequence->length == sequence->room) {
        const u32 room = next_room(sequence->room);
        sequence->failed = sequence->failed || !resize(&sequence->tokens, room) || !resize(&sequence->lanes, room);
        if (sequence->failed)
            return;
        sequence->room = room;
    }
    sequence->tokens[sequence->length] = token;
    sequence->lanes[sequence->length++] = lanes;
}

void limit_sequence_cut(struct limit_sequence *sequence)
{
    if (sequence->segments == sequence->segment_room) {
        const u32 room = next_room(sequence->segment_room);
        sequence->failed = sequence->failed || !resize(&sequence->ends, room);
        if (sequence->failed)
            return;
        sequence->segment_room = room;
    }
    sequence->ends[sequence->segments++] = sequence->length;
}

bool limit_sequence_equal(const struct limit_sequence *one, const struct limit_sequence *other)
{
    return one->length == other->length && memcmp(one->tokens, other->tokens, (size_t)one->length * sizeof(u32)) == 0 &&
           memcmp(one->ends, other->ends, (size_t)one->segments * sizeof(u32)) == 0;
}

u32 limit_segment_first(const struct limit_sequence *sequence, u32 n)
{
    if (n == 0)
        return 0;
    return n <= sequence->segments ? sequence->ends[n - 1] : sequence->length;
}

u32 limit_segment_length(const struct limit_sequence *sequence, u32 n)
{
    return n < sequence->segments ? sequence->ends[n] - limit_segment_first(sequence, n) : 0;
}

static void add_range(const struct limit_sequence *from, u32 first, u32 end, struct limit_sequence *to)
{
    for (u32 n = first; n < end; n++)
        limit_sequence_add(to, from->tokens[n], from->lanes[n]);
}

static void join_segment(const struct limit_sequence *first, const struct limit_sequence *second, u32 n, const u32 *matched,
                         struct limit_sequence *joined)
{
    const u32 begin = limit_segment_first(first, n), end = begin + limit_segment_length(first, n);
    u32 at = limit_segment_first(second, n);
    const u32 second_end = at + limit_segment_length(second, n);
    for (u32 place = begin; place < end; place++) {
        if (matched[place] == LIMIT_UNMATCHED) {
            limit_sequence_add(joined, first->tokens[place], first->lanes[place]);
            continue;
        }
        add_range(second, at, matched[place], joined);
        at = matched[place] + 1;
        limit_sequence_add(joined, first->tokens[place], first->lanes[place] | second->lanes[matched[place]]);
    }
    add_range(second, at, second_end, joined);
    limit_sequence_cut(joined);
}

void limit_sequence_join(const struct limit_sequence *first, const struct limit_sequence *second, const u32 *matched,
                         struct limit_sequence *joined)
{
    const u32 segments = ws_max(first->segments, second->segments);
    for (u32 n = 0; n < segments; n++)
        join_segment(first, second, n, matched, joined);
}
