#include "unit/limit/textbook.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

/* table[row][column]: the best score of the first row and column tokens, or of those from row and column on. */
typedef u32 table[TEXTBOOK_MOST + 1][TEXTBOOK_MOST + 1];

static bool same(const struct textbook *one, u32 row, const struct textbook *other, u32 column)
{
    return one->tokens[row] == other->tokens[column] && one->segment[row] == other->segment[column];
}

static u32 largest(u32 a, u32 b, u32 c)
{
    return ws_max(ws_max(a, b), c);
}

static void fill_forward(const u32 *weights, const struct textbook *one, const struct textbook *other, table best)
{
    for (u32 row = 0; row <= one->length; row++) {
        for (u32 column = 0; column <= other->length; column++) {
            u32 matched = 0;
            if (row > 0 && column > 0 && same(one, row - 1, other, column - 1))
                matched = best[row - 1][column - 1] + weights[one->tokens[row - 1]];
            best[row][column] = largest(matched, row > 0 ? best[row - 1][column] : 0, column > 0 ? best[row][column - 1] : 0);
        }
    }
}

static void fill_backward(const u32 *weights, const struct textbook *one, const struct textbook *other, table best)
{
    for (u32 row = one->length + 1; row-- > 0;) {
        for (u32 column = other->length + 1; column-- > 0;) {
            const bool inside = row < one->length && column < other->length;
            u32 matched = 0;
            if (inside && same(one, row, other, column))
                matched = best[row + 1][column + 1] + weights[one->tokens[row]];
            best[row][column] =
                largest(matched, row < one->length ? best[row + 1][column] : 0, column < other->length ? best[row][column + 1] : 0);
        }
    }
}

u32 textbook_score(const u32 *weights, const struct textbook *one, u32 rows, const struct textbook *other, u32 columns)
{
    static table best;
    struct textbook shorter = *one, less = *other;
    shorter.length = rows;
    less.length = columns;
    fill_forward(weights, &shorter, &less, best);
    return best[rows][columns];
}

/* The fewest tokens of other that a maximum-weight alignment uses for each prefix of one. */
static u32 least_used(table before, table after, u32 row, u32 columns)
{
    for (u32 column = 0; column <= columns; column++)
        if (before[row][column] + after[row][column] == after[0][0])
            return column;
    fail_msg("no alignment of most weight passes row %u", row);
    return 0;
}

void textbook_match(const u32 *weights, const struct textbook *one, const struct textbook *other, u32 *matched)
{
    static table before, after;
    fill_forward(weights, one, other, before);
    fill_backward(weights, one, other, after);
    u32 used = least_used(before, after, 0, other->length);
    for (u32 row = 0; row < one->length; row++) {
        const u32 then = least_used(before, after, row + 1, other->length);
        matched[row] = LIMIT_UNMATCHED;
        if (before[row + 1][then] > before[row][used]) {
            assert_true(then > used && same(one, row, other, then - 1));
            matched[row] = then - 1;
        }
        used = then;
    }
}

static void add(struct textbook *columns, const struct textbook *from, u32 n)
{
    assert_true(columns->length < TEXTBOOK_MOST);
    columns->tokens[columns->length] = from->tokens[n];
    columns->lanes[columns->length] = from->lanes[n];
    columns->segment[columns->length++] = from->segment[n];
}

/* Adds other's columns before its column n, from the one after the last added on, within a segment. */
static void catch_up(struct textbook *columns, const struct textbook *other, u32 *at, u32 n, u32 segment)
{
    while (*at < n && other->segment[*at] <= segment)
        add(columns, other, (*at)++);
}

static void join(const u32 *weights, const struct textbook *one, const struct textbook *other, struct textbook *columns)
{
    u32 matched[TEXTBOOK_MOST], at = 0;
    textbook_match(weights, one, other, matched);
    columns->length = 0;
    for (u32 n = 0; n < one->length; n++) {
        if (n > 0 && one->segment[n] > one->segment[n - 1])
            catch_up(columns, other, &at, other->length, one->segment[n] - 1);
        if (matched[n] != LIMIT_UNMATCHED)
            catch_up(columns, other, &at, matched[n], one->segment[n]);
        add(columns, one, n);
        if (matched[n] != LIMIT_UNMATCHED)
            columns->lanes[columns->length - 1] |= other->lanes[at++];
    }
    catch_up(columns, other, &at, other->length, 0xFFFFFFFFu);
}

static bool equal(const struct textbook *one, const struct textbook *other)
{
    const size_t bytes = one->length * sizeof(u32);
    return one->length == other->length && memcmp(one->tokens, other->tokens, bytes) == 0 &&
           memcmp(one->segment, other->segment, bytes) == 0;
}

static u32 gather(const struct textbook *threads, u32 count, struct textbook *groups)
{
    u32 group_count = 0;
    for (u32 n = 0; n < count; n++) {
        u32 group = 0;
        while (group < group_count && !equal(&groups[group], &threads[n]))
            group++;
        if (group == group_count)
            groups[group_count++] = threads[n];
        else
            for (u32 place = 0; place < threads[n].length; place++)
                groups[group].lanes[place] |= threads[n].lanes[place];
    }
    return group_count;
}

void textbook_warp(const u32 *weights, const struct textbook *threads, u32 count, struct textbook *columns)
{
    struct textbook *const groups = calloc(count, sizeof *groups);
    assert_non_null(groups);
    u32 left = gather(threads, count, groups);
    for (; left > 1; left--) {
        u32 low = 0, high = 1, most = 0;
        for (u32 one = 0; one < left; one++) {
            for (u32 other = one + 1; other < left; other++) {
                const u32 found = textbook_score(weights, &groups[one], groups[one].length, &groups[other], groups[other].length);
                if (found > most) {
                    most = found;
                    low = one;
                    high = other;
                }
            }
        }
        join(weights, &groups[low], &groups[high], columns);
        groups[low] = *columns;
        memmove(&groups[high], &groups[high + 1], (left - high - 1) * sizeof *groups);
    }
    *columns = groups[0];
    free(groups);
}

struct limit_sequence textbook_sequence(const struct textbook *columns)
{
    struct limit_sequence sequence = {0};
    for (u32 n = 0; n < columns->length; n++) {
        while (sequence.segments < columns->segment[n])
            limit_sequence_cut(&sequence);
        limit_sequence_add(&sequence, columns->tokens[n], columns->lanes[n]);
    }
    limit_sequence_cut(&sequence);
    assert_false(sequence.failed);
    return sequence;
}
