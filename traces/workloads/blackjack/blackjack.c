#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(blackjack, "narasiman2011", 1, "rounds of blackjack, a deck for each player (Narasiman 2011, Table 2: blackjack)");

#define ITEMS 1024u /* in one work-group */

enum { SEEDS, WINNINGS, PLAYERS, ROUNDS, ARGUMENTS };

enum { CARDS = 52, RANKS = 13, FEWEST = 20, MOST_IN_HAND = 22 };

static const struct {
    const char *source;
    u32 players, rounds;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"blackjack:tiny", 40, 4},
    [WS_SIZE_SMALL] = {"blackjack:small", ITEMS, 20},
    [WS_SIZE_PAPER] = {"blackjack:paper", ITEMS, 400},
};

enum ws_status ws_blackjack_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 players = inputs[size].players, rounds = inputs[size].rounds;
    const struct ws_argument arguments[ARGUMENTS] = {
        [SEEDS] = {WS_ARGUMENT_BUFFER, "seeds", players * sizeof(u32), NULL},
        [WINNINGS] = {WS_ARGUMENT_BUFFER, "winnings", players * sizeof(i32), NULL},
        [PLAYERS] = {WS_ARGUMENT_SCALAR, "players", sizeof players, &players},
        [ROUNDS] = {WS_ARGUMENT_SCALAR, "rounds", sizeof rounds, &rounds},
    };
    *launch =
        (struct ws_ndrange){.kernel = "blackjack", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32 *seeds = launch->arguments[SEEDS].data;
    for (u32 player = 0; player < players; player++)
        seeds[player] = ws_random_range(&seed, 1, UINT32_MAX); /* not 0, where the generator stays */
    return WS_STATUS_ok;
}

struct cards {
    u32 count;
    u32 rank[MOST_IN_HAND]; /* 1 to 13 */
};

struct game {
    u32 deck[CARDS]; /* ranks; drawn from the end */
    u32 left;
    u32 random;
};

static u32 next_random(struct game *game)
{
    game->random ^= game->random << 13;
    game->random ^= game->random >> 17;
    game->random ^= game->random << 5;
    return game->random;
}

static void shuffle(struct game *game)
{
    for (u32 card = CARDS - 1; card > 0; card--) {
        const u32 other = (u32)((u64)next_random(game) * (card + 1) >> 32);
        const u32 rank = game->deck[card];
        game->deck[card] = game->deck[other];
        game->deck[other] = rank;
    }
    game->left = CARDS;
}

static void deal(struct game *game, struct cards *cards)
{
    cards->rank[cards->count++] = game->deck[--game->left];
}

/* Recounts the cards: as many aces as possible count 11. */
static u32 value(const struct cards *cards, u32 *high_aces)
{
    u32 sum = 0, high = 0;
    for (u32 n = 0; n < cards->count; n++) {
        const u32 rank = cards->rank[n];
        sum += rank == 1 ? 11 : rank > 10 ? 10 : rank;
        high += rank == 1;
    }
    for (; sum > 21 && high > 0; high--)
        sum -= 10;
    *high_aces = high;
    return sum;
}

static u32 stands(const struct cards *cards, u32 shown)
{
    u32 high_aces;
    const u32 sum = value(cards, &high_aces);
    if (high_aces > 0)
        return sum >= 18;
    if (sum >= 17)
        return 1;
    return sum >= 12 && shown >= 2 && shown <= 6;
}

static i32 round_of(struct game *game)
{
    struct cards player = {0}, house = {0};
    u32 unused;
    deal(game, &player);
    deal(game, &house);
    deal(game, &player);
    while (!stands(&player, house.rank[0]))
        deal(game, &player);
    const u32 ours = value(&player, &unused);
    if (ours > 21)
        return -2;
    while (value(&house, &unused) < 17)
        deal(game, &house);
    const u32 theirs = value(&house, &unused);
    const u32 ours_ranked = ours + (ours == 21 && player.count == 2); /* a blackjack beats 21 */
    const u32 theirs_ranked = theirs > 21 ? 0 : theirs + (theirs == 21 && house.count == 2);
    if (ours_ranked == theirs_ranked)
        return 0;
    return ours_ranked < theirs_ranked ? -2 : ours_ranked == 22 ? 3 : 2;
}

static i32 winnings_of(u32 seed, u32 rounds)
{
    struct game game = {.random = seed};
    i32 sum = 0;
    for (u32 card = 0; card < CARDS; card++)
        game.deck[card] = card % RANKS + 1;
    for (u32 n = 0; n < rounds; n++) {
        if (game.left < FEWEST)
            shuffle(&game);
        sum += round_of(&game);
    }
    return sum;
}

enum ws_status ws_blackjack_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_blackjack_prepare(size, seed, &expected, error));
    const u32 *seeds = expected.arguments[SEEDS].data;
    i32 *winnings = expected.arguments[WINNINGS].data;
    for (u32 player = 0; player < inputs[size].players; player++)
        winnings[player] = winnings_of(seeds[player], inputs[size].rounds);
    enum ws_status status = ws_launch_equal(launch, &expected, SEEDS, sizeof(u32), error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, WINNINGS, sizeof(i32), error);
    ws_launch_release(&expected);
    return status;
}
