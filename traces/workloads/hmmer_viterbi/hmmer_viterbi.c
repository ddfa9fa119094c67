#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(hmmer_viterbi, "fung2007", 1, "scores of sequences against a profile by Viterbi's algorithm (Fung 2007: HMMer)");

enum { RESIDUES, BEGINS, SCORES, CELLS, RESULTS, LENGTH, LOOP, MOVE, TURN, ARGUMENTS };

/* Rows of scores. */
enum { MM, MI, MD, IM, II, DM, DD, ENTER, LEAVE, EMIT_M, KINDS = 20, EMIT_I = EMIT_M + KINDS, ROWS = EMIT_I + KINDS };

enum { NEVER = -987654321, MOST_ROW = 128 };

/* Sequences of least to most residues, and positions of the profile. */
static const struct {
    const char *source;
    u32 groups, items, least, most, length;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"hmmer_viterbi:tiny", 1, 32, 2, 8, 8},
    [WS_SIZE_SMALL] = {"hmmer_viterbi:small", 8, 256, 2, 10, 8},
    [WS_SIZE_PAPER] = {"hmmer_viterbi:paper", 8, 256, 1, 3, 112},
};

/* Thousandths of a bit, in the range that profiles of protein families have. */
static const struct {
    i32 least, most;
} transitions[EMIT_M] = {
    [MM] = {-100, -10},  [MI] = {-8000, -6000}, [MD] = {-9000, -7000},    [IM] = {-1000, -500},     [II] = {-1900, -1000},
    [DM] = {-900, -500}, [DD] = {-1700, -1100}, [ENTER] = {-7000, -2000}, [LEAVE] = {-5000, -1000},
};

/* Of N, C and J as for sequences of ten residues. */
static i32 loop = -260, move = -2600, turn = -1000;

static i32 between(u64 *random, i32 least, i32 most)
{
    return least + (i32)ws_random_range(random, 0, (u32)(most - least));
}

/* M emits one kind of residue gladly at each position, I all alike. */
static void fill_scores(i32 *scores, u32 row, u64 *random)
{
    for (u32 n = 0; n < EMIT_M; n++)
        for (u32 k = 0; k < row; k++)
            scores[n * row + k] = between(random, transitions[n].least, transitions[n].most);
    for (u32 k = 0; k < row; k++) {
        const u32 favourite = ws_random_range(random, 0, KINDS - 1);
        for (u32 kind = 0; kind < KINDS; kind++) {
            scores[(EMIT_M + kind) * row + k] = kind == favourite ? between(random, 1500, 3500) : between(random, -3000, 700);
            scores[(EMIT_I + kind) * row + k] = between(random, -600, 300);
        }
    }
}

/* Lengths are sums of two numbers: those in the middle are the most frequent. */
static void fill_begins(u32 *begins, u32 sequences, u32 least, u32 most, u64 *random)
{
    begins[0] = 0;
    for (u32 n = 0; n < sequences; n++)
        begins[n + 1] =
            begins[n] + least + ws_random_range(random, 0, (most - least) / 2) + ws_random_range(random, 0, (most - least) / 2);
}

/* The residue that M at position k emits most gladly. */
static u32 favourite(const i32 *scores, u32 row, u32 k)
{
    u32 best = 0;
    for (u32 kind = 1; kind < KINDS; kind++)
        if (scores[(EMIT_M + kind) * row + k] > scores[(EMIT_M + best) * row + k])
            best = kind;
    return best;
}

/* Half of the sequences are random. The others are of the profile's family: they follow it from anywhere, over and over, but of ten
 * residues about one is inserted, one another, and before one a position is left out. */
static void fill_residues(u8 *residues, u32 count, const i32 *scores, u32 row, u64 *random)
{
    enum { INSERTED, ANOTHER, LEFT_OUT, CHANGES = 10 };
    const bool family = ws_random_range(random, 0, 1) == 1;
    u32 position = ws_random_range(random, 0, row - 2);
    for (u32 n = 0; n < count; n++) {
        const u32 change = ws_random_range(random, 0, CHANGES - 1), other = ws_random_range(random, 0, KINDS - 1);
        position += change == INSERTED ? 0 : change == LEFT_OUT ? 2 : 1;
        const bool follows = family && change != INSERTED && change != ANOTHER;
        residues[n] = (u8)(follows ? favourite(scores, row, position % (row - 1) + 1) : other);
    }
}

enum ws_status ws_hmmer_viterbi_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 items = inputs[size].items, sequences = inputs[size].groups * items, row = inputs[size].length + 1;
    const u64 most = (u64)sequences * inputs[size].most; /* residues, whole words */
    i32 length = (i32)inputs[size].length;
    const struct ws_argument arguments[ARGUMENTS] = {
        [RESIDUES] = {WS_ARGUMENT_BUFFER, "residues", most, NULL},
        [BEGINS] = {WS_ARGUMENT_BUFFER, "begins", (sequences + 1) * sizeof(u32), NULL},
        [SCORES] = {WS_ARGUMENT_BUFFER, "scores", (u64)ROWS * row * sizeof(i32), NULL},
        [CELLS] = {WS_ARGUMENT_BUFFER, "cells", (most + sequences) * (3 * row + 1) * sizeof(i32), NULL},
        [RESULTS] = {WS_ARGUMENT_BUFFER, "results", sequences * sizeof(i32), NULL},
        [LENGTH] = {WS_ARGUMENT_SCALAR, "length", sizeof length, &length},
        [LOOP] = {WS_ARGUMENT_SCALAR, "loop", sizeof loop, &loop},
        [MOVE] = {WS_ARGUMENT_SCALAR, "move", sizeof move, &move},
        [TURN] = {WS_ARGUMENT_SCALAR, "turn", sizeof turn, &turn},
    };
    *launch = (struct ws_ndrange){
        .kernel = "hmmer_viterbi", .source = inputs[size].source, .global = {sequences, 1, 1}, .local = {items, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    fill_scores(launch->arguments[SCORES].data, row, &seed);
    fill_begins(launch->arguments[BEGINS].data, sequences, inputs[size].least, inputs[size].most, &seed);
    const u32 *begins = launch->arguments[BEGINS].data;
    for (u32 n = 0; n < sequences; n++)
        fill_residues((u8 *)launch->arguments[RESIDUES].data + begins[n], begins[n + 1] - begins[n], launch->arguments[SCORES].data,
                      row, &seed);
    return WS_STATUS_ok;
}

/* The best scores of paths that end in each position's states, after some residues. */
struct states {
    i32 m[MOST_ROW], i[MOST_ROW], d[MOST_ROW], e;
};

static void give(i32 *to, i32 score)
{
    if (score > *to)
        *to = score;
}

/* Every state with the same score. */
static void fill(struct states *states, i32 score)
{
    for (u32 k = 0; k < MOST_ROW; k++)
        states->m[k] = states->i[k] = states->d[k] = score;
    states->e = score;
}

/* Every state gives its score to those that follow it, which emit a residue; b to all positions. */
static void advance(const i32 *scores, u32 row, u32 residue, const struct states *before, i32 b, struct states *after)
{
    fill(after, 2 * NEVER);
    for (u32 k = 0; k + 1 < row; k++) {
        give(&after->m[k + 1], before->m[k] + scores[MM * row + k]);
        give(&after->m[k + 1], before->i[k] + scores[IM * row + k]);
        give(&after->m[k + 1], before->d[k] + scores[DM * row + k]);
        give(&after->m[k + 1], b + scores[ENTER * row + k + 1]);
        give(&after->i[k], before->m[k] + scores[MI * row + k]);
        give(&after->i[k], before->i[k] + scores[II * row + k]);
    }
    for (u32 k = 0; k < row; k++) {
        after->m[k] += scores[(EMIT_M + residue) * row + k];
        after->i[k] += scores[(EMIT_I + residue) * row + k];
        give(&after->m[k], NEVER);
        give(&after->i[k], NEVER);
        give(&after->d[k], NEVER);
        give(&after->e, k > 0 ? after->m[k] + scores[LEAVE * row + k] : NEVER);
        if (k + 1 < row) {
            give(&after->d[k + 1], after->m[k] + scores[MD * row + k]);
            give(&after->d[k + 1], after->d[k] + scores[DD * row + k]);
        }
    }
}

/* The rows of cells of M, I and D, and E. The kernel never leaves I at the last position, but before the first residue. */
static void keep(const struct states *states, u32 row, bool first, i32 *cells)
{
    for (u32 k = 0; k < row; k++) {
        cells[k] = states->m[k];
        cells[row + k] = k + 1 < row || first ? states->i[k] : 0;
        cells[2 * row + k] = states->d[k];
    }
    cells[3 * row] = first ? 0 : states->e;
}

/* The score of a sequence, and its cells. */
static i32 score(const u8 *residues, u32 count, const i32 *scores, u32 row, i32 *cells)
{
    struct states states[2];
    i32 n = 0, b = move, c = NEVER, j = NEVER;
    fill(&states[0], NEVER);
    keep(&states[0], row, true, cells);
    for (u32 place = 0; place < count; place++) {
        struct states *const after = &states[(place + 1) % 2];
        advance(scores, row, residues[place], &states[place % 2], b, after);
        keep(after, row, false, cells += 3 * row + 1);
        n += loop;
        c += loop;
        j += loop;
        give(&c, after->e + turn);
        give(&j, after->e + turn);
        b = (n > j ? n : j) + move;
    }
    return c + move;
}

enum ws_status ws_hmmer_viterbi_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u32 row = inputs[size].length + 1;
    struct ws_ndrange expected;
    WS_TRY(ws_hmmer_viterbi_prepare(size, seed, &expected, error));
    const u8 *residues = expected.arguments[RESIDUES].data;
    const u32 *begins = expected.arguments[BEGINS].data;
    i32 *cells = expected.arguments[CELLS].data, *results = expected.arguments[RESULTS].data;
    for (u32 n = 0; n < inputs[size].groups * inputs[size].items; n++)
        results[n] = score(residues + begins[n], begins[n + 1] - begins[n], expected.arguments[SCORES].data, row,
                           cells + (size_t)(begins[n] + n) * (3 * row + 1));
    enum ws_status status = ws_launch_equal(launch, &expected, RESULTS, sizeof(i32), error);
    if (status == WS_STATUS_ok)
        status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
