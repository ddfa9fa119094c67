#include "model/access.h"

struct ws_access_rules ws_access_rules_of(const struct ws_machine *machine)
{
    return (struct ws_access_rules){.shared_banks = machine->memory_shared_banks,
                                    .shared_wide = machine->memory_shared_wide,
                                    .shared_atomics = machine->memory_shared_atomics,
                                    .atomics = machine->memory_atomics};
}

/* Lanes of a mask with a value that no lower lane of the mask has. */
static u32 leaders(const u32 *value, u32 lanes)
{
    u32 lead = 0;
    for (u32 left = lanes; left; left &= left - 1) {
        u32 lower = lead;
        while (lower && value[ws_ctz(lower)] != value[ws_ctz(left)])
            lower &= lower - 1;
        lead |= lower ? 0 : left & (0u - left);
    }
    return lead;
}

u32 ws_lanes_together(const struct ws_access_rules *rules, u32 class_, const u32 *access, u32 left)
{
    if (class_ != WS_CLASS_atomic || rules->atomics == WS_atomics_merged)
        return left;
    if (rules->atomics == WS_atomics_halves && left & 0xFFFFu)
        left &= 0xFFFFu;
    return leaders(access, left);
}

/* The largest number of accesses to one bank; each access has this many words. */
static u32 bank_passes(const struct ws_access_rules *rules, const u32 *word, u32 lanes, u32 words)
{
    u32 taken[WS_LANES] = {0}, most = 0;
    for (u32 left = lanes; left; left &= left - 1)
        for (u32 n = 0; n < words; n++)
            most = ws_max(most, ++taken[(word[ws_ctz(left)] + n) % rules->shared_banks]);
    return most;
}

/* bank_passes of accesses of one word each; equal words take one pass unless they are served apart. */
static u32 word_passes(const struct ws_access_rules *rules, const u32 *word, u32 lanes, bool apart)
{
    u32 words[WS_LANES][WS_LANES], most = 0; /* of each bank */
    u8 count[WS_LANES] = {0};
    for (u32 left = lanes; left; left &= left - 1) {
        const u32 value = word[ws_ctz(left)], bank = value % rules->shared_banks;
        u32 n = apart ? 0 : count[bank];
        while (n > 0 && words[bank][n - 1] != value)
            n--;
        if (n > 0)
            continue;
        words[bank][count[bank]++] = value;
        most = ws_max(most, count[bank]);
    }
    return most;
}

/* Whether all lanes with a neighbour in the mask share its word. */
static bool pairs_agree(const u32 *word, u32 lanes, u32 distance)
{
    for (u32 left = lanes; left; left &= left - 1) {
        const u32 lane = ws_ctz(left), other = lane ^ distance;
        if (lanes >> other & 1 && word[lane] != word[other])
            return false;
    }
    return true;
}

u32 ws_shared_passes(const struct ws_access_rules *rules, const struct ws_instruction *instruction, const u32 *word, u32 lanes)
{
    const bool apart = instruction->class_ == WS_CLASS_atomic && rules->shared_atomics == WS_shared_atomics_serial;
    const u32 words = rules->shared_wide == WS_shared_wide_word ? 1 : ws_max(instruction->bytes / 4u, 1u), phase = WS_LANES / words;
    u32 passes = 0;
    if (words == 1)
        return word_passes(rules, word, lanes, apart);
    for (u32 first = 0, size; first < WS_LANES; first += size) {
        const u32 pair = lanes & (ws_bits_below(ws_min(2 * phase, WS_LANES)) << first);
        const bool merges = words > 1 && rules->shared_wide == WS_shared_wide_pairs && first % (2 * phase) == 0 &&
                            (pairs_agree(word, pair, 1) || pairs_agree(word, pair, 2));
        size = merges ? 2 * phase : phase;
        const u32 served = lanes & (ws_bits_below(size) << first);
        passes += bank_passes(rules, word, apart ? served : leaders(word, served), words);
    }
    return passes;
}
