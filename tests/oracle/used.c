/* Resource use: slots, energy, and events of single warps (order.md). */
#include "oracle/sm.h"

void used_in_cycle(struct sm *sm)
{
    u32 held = 0, unissued = 0;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        held += sm->warps[slot].state != SLOT_FREE;
    for (u32 block = 0; sm->rules.dispatch->unissued && block < sm->image->blocks; block++)
        unissued += sm->rules.dispatch->unissued(sm, block);
    count(sm, WS_COUNT_resident_warps, sm->warps_entered - sm->counters[WS_COUNT_warps_done]);
    count(sm, WS_COUNT_held_warps, held);
    count(sm, WS_COUNT_unissued_warps, unissued);
}

/* 4096 times the logarithm to the base 2, as rtru.log has it. */
static u64 logarithm(u64 q)
{
    u32 e = 0;
    while (q >> (e + 1) != 0)
        e++;
    u64 x = q << (31 - e), f = 0;
    for (u32 n = 0; n < 12; n++) {
        x = x * x >> 31;
        f = 2 * f;
        if (x >= 1ull << 32) {
            x /= 2;
            f++;
        }
    }
    return 4096ull * e + f;
}

void used_by_block(struct sm *sm, u32 block)
{
    const u32 warps = warps_per_block(sm);
    u64 longest = 0, sum = 0;
    for (u32 number = 0; number < warps; number++) {
        const struct ws_warp_time *life = life_of(sm, block, number);
        const u64 time = life->ended - life->entered;
        longest = longest > time ? longest : time;
        sum += time;
    }
    const u64 ratio = longest == 0 ? 0 : 65536 * (warps * longest - sum) / (warps * longest);
    count(sm, WS_COUNT_rtru_sum, ratio);
    if (ratio == 0)
        count(sm, WS_COUNT_rtru_zeros, 1);
    else
        count(sm, WS_COUNT_rtru_log, 65536 - logarithm(ratio));
}

void used_by_packet(struct sm *sm, const struct packet *packet)
{
    const struct ws_instruction *ins = packet->ins;
    const struct warp *warp = &sm->warps[packet->slot];
    if (!sm->rules.path->mixes)
        life_of(sm, warp->block, warp->number)->packets++;
    if (packet->threads == 0)
        return;
    count(sm, WS_COUNT_operand_reads, ins->reads);
    count(sm, WS_COUNT_operand_writes, ins->writes);
    if (ins->class_ <= WS_CLASS_sfu)
        count(sm, WS_COUNT_lane_operations + 8u * ins->class_ + ins->kind, packet->threads);
    if (ins->class_ == WS_CLASS_tensor)
        count(sm, WS_COUNT_tensor_operations, packet->threads);
}

struct used_misses used_misses(const struct sm *sm)
{
    return (struct used_misses){.l1 = sm->counters[WS_COUNT_l1_misses],
                                .constant = sm->counters[WS_COUNT_constant_misses],
                                .texture = sm->counters[WS_COUNT_texture_misses]};
}

void used_missed(struct sm *sm, u32 slot, struct used_misses before)
{
    const struct warp *warp = &sm->warps[slot];
    const struct used_misses now = used_misses(sm);
    struct ws_warp_time *life = life_of(sm, warp->block, warp->number);
    if (sm->rules.path->mixes)
        return;
    life->l1_misses += (u32)(now.l1 - before.l1);
    life->constant_misses += (u32)(now.constant - before.constant);
    life->texture_misses += (u32)(now.texture - before.texture);
}
