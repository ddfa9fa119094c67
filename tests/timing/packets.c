#include "timing/packets.h"

#include <stdio.h>
#include <string.h>

#include "oracle/oracle.h"
#include "test.h"

enum { WARP = 4, TEXT_ROOM = 4096 };

void packets_start(struct scene *scene, u32 unit, u32 blocks, u32 threads)
{
    scene_start(scene, blocks, threads);
    scene->machine = plain_machine();
    scene->machine.divergence_unit = unit;
    scene->machine.schedule_policy = unit == WS_divergence_dwf ? WS_policy_timestamp : WS_policy_rr;
    scene->machine.core_warp_size = scene->machine.core_simd_width = WARP;
    scene->machine.core_warps = 8;
    scene->machine.core_depth = 10;
    scene->machine.dwf_stage = 0;
    scene->machine.dwf_swizzle = WS_dwf_swizzle_none;
    scene->machine.dram_row_hit = scene->machine.dram_row_conflict = 20;
}

void give_decisions(struct scene *scene, u32 block, const char *digits)
{
    u32 thread = 0;
    for (const char *c = digits; *c; c++) {
        if (*c == ' ')
            continue;
        if (*c != '-')
            add_decision(&scene->build, block, thread, *c == '1');
        thread++;
    }
}

void give_lines(struct scene *scene, u32 block, const char *digits)
{
    u32 thread = 0;
    for (const char *c = digits; *c; c++) {
        if (*c == ' ')
            continue;
        if (*c != '-')
            add_access(&scene->build, block, thread, line_granule((u32)(*c - '0')));
        thread++;
    }
}

static void print_packets(const struct trial *trial, char text[TEXT_ROOM])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t e = 0; e < trial->event_count && length + 64 < TEXT_ROOM; e++) {
        const struct ws_timeline_event *const event = &trial->events[e];
        if (event->kind != ORACLE_ISSUE)
            continue;
        length += (size_t)sprintf(text + length, "%s%llu %u ", length > 0 ? ", " : "", (unsigned long long)event->cycle, event->pc);
        for (u32 lane = 0; lane < WARP; lane++)
            text[length++] = event->lanes >> lane & 1u ? '1' : '0';
        text[length] = '\0';
    }
}

void expect_packets(const struct scene *scene, const char *packets)
{
    char found[TEXT_ROOM];
    for (u32 i = 0; i < TRIALS; i++) {
        print_packets(&scene->trials[i], found);
        if (strcmp(found, packets) != 0)
            fail_msg("%s: issues are\n%s, not\n%s", scene->trials[i].who, found, packets);
    }
}
