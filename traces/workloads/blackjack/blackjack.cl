/* Rounds of blackjack, to estimate the edge of the house. Each player has a deck of 52 cards, a byte each, and a random generator
 * of his own. The deck is shuffled when fewer than FEWEST cards are left. The player hits by a plain strategy, the dealer to 17; an
 * ace counts 11 where that does not exceed 21. A won or lost bet is 2, a blackjack wins 3; winnings has the sum of each player's
 * rounds. */
#define CARDS  52
#define FEWEST 20

/* Seventeen or more of the dealer's points can be expected from a card of this value on, and from an ace. */
#define STRONG 7

struct table {
    uchar deck[CARDS]; /* values 1 (ace) to 10 */
    uint left;
    uint random;
};

struct hand {
    uint points; /* aces count 1 */
    uint aces, cards;
};

static uint draw_random(struct table *table)
{
    uint x = table->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    table->random = x;
    return x;
}

static void shuffle_deck(struct table *table)
{
#pragma nounroll
    for (uint card = CARDS - 1; card > 0; card--) {
        const uint other = mul_hi(draw_random(table), card + 1);
        const uchar value = table->deck[card];
        table->deck[card] = table->deck[other];
        table->deck[other] = value;
    }
    table->left = CARDS;
}

static void take_card(struct table *table, struct hand *hand)
{
    const uint value = table->deck[--table->left];
    hand->points += value;
    hand->aces += value == 1;
    hand->cards++;
}

static uint is_soft(const struct hand *hand)
{
    return hand->aces > 0 && hand->points <= 11;
}

static uint points_of(const struct hand *hand)
{
    return is_soft(hand) ? hand->points + 10 : hand->points;
}

static uint player_hits(const struct hand *hand, uint shown)
{
    const uint points = points_of(hand);
    if (is_soft(hand))
        return points < 18;
    return points < 12 || (points < 17 && (shown == 1 || shown >= STRONG));
}

static int play(struct table *table)
{
    struct hand player = {0, 0, 0}, dealer = {0, 0, 0};
    take_card(table, &player);
    take_card(table, &dealer);
    take_card(table, &player);
    const uint shown = dealer.points;
    while (player_hits(&player, shown))
        take_card(table, &player);
    const uint ours = points_of(&player);
    if (ours > 21)
        return -2;
    while (points_of(&dealer) < 17)
        take_card(table, &dealer);
    const uint theirs = points_of(&dealer);
    const uint natural = ours == 21 && player.cards == 2, house_natural = theirs == 21 && dealer.cards == 2;
    if (natural != house_natural)
        return natural ? 3 : -2;
    if (theirs > 21 || ours > theirs)
        return 2;
    return ours < theirs ? -2 : 0;
}

__kernel void blackjack(__global const uint *seeds, __global int *winnings, uint players, uint rounds)
{
    for (size_t player = get_local_id(0); player < players; player += get_local_size(0)) {
        struct table table;
        int sum = 0;
        table.random = seeds[player];
        table.left = 0;
#pragma nounroll
        for (uint card = 0; card < CARDS; card++)
            table.deck[card] = (uchar)min(card % 13 + 1, 10u);
        for (uint round = 0; round < rounds; round++) {
            if (table.left < FEWEST)
                shuffle_deck(&table);
            sum += play(&table);
        }
        winnings[player] = sum;
    }
}
