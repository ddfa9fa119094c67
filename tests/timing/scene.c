#include "timing/scene.h"

#include <stdio.h>
#include <string.h>

#include "oracle/oracle.h"
#include "test.h"

enum { TEXT_ROOM = 4096 };

struct ws_machine scoreboard_machine(void)
{
    struct ws_machine machine = plain_machine();
    machine.core_pipeline = WS_pipeline_scoreboard;
    machine.schedule_policy = WS_policy_lrr;
    machine.memory_network = 10;
    machine.l2_latency = 20;
    machine.l2_data_port = 4;
    machine.dram_delay = 30;
    machine.dram_t_cl = 5;
    machine.dram_t_rp = 6;
    machine.dram_t_rcd = 7;
    machine.dram_t_ras = 15;
    machine.dram_t_rc = 25;
    machine.dram_t_rrd = 3;
    return machine;
}

void scene_start(struct scene *scene, u32 blocks, u32 threads)
{
    scene->machine = scoreboard_machine();
    image_build_start(&scene->build, blocks, threads);
}

void scene_run(struct scene *scene)
{
    trials_run(&scene->machine, &scene->build, scene->trials);
}

void scene_end(struct scene *scene)
{
    trials_free(scene->trials);
    image_build_free(&scene->build);
}

u32 scene_op(struct scene *scene, const struct op *op)
{
    struct ws_instruction ins = {.class_ = (u8)op->class_, .kind = (u8)op->kind, .space = (u8)op->space, .reconverge = WS_PC_NONE};
    memset(ins.dst, WS_NO_REGISTER, sizeof ins.dst);
    memset(ins.src, WS_NO_REGISTER, sizeof ins.src);
    ins.flags = op->guarded ? WS_GUARDED : 0;
    if (op->space != WS_SPACE_none) {
        ins.bytes = 4;
        if (op->space != WS_SPACE_local)
            ins.flags |= WS_ADDRESSED;
    }
    for (; ins.writes < sizeof ins.dst && op->dst[ins.writes] != 0; ins.writes++)
        ins.dst[ins.writes] = op->dst[ins.writes];
    for (; ins.reads < sizeof ins.src && op->src[ins.reads] != 0; ins.reads++)
        ins.src[ins.reads] = op->src[ins.reads];
    return add_instruction(&scene->build, ins);
}

u32 add_load(struct scene *scene, u32 space, u32 dst)
{
    return OP(scene, .class_ = WS_CLASS_load, .space = space, .dst = {(u8)dst}, .src = {15});
}

u32 add_store(struct scene *scene, u32 space)
{
    return OP(scene, .class_ = WS_CLASS_store, .space = space, .src = {15});
}

u32 add_move(struct scene *scene, u32 dst)
{
    return OP(scene, .dst = {(u8)dst});
}

u32 add_use(struct scene *scene, u32 src)
{
    return OP(scene, .src = {(u8)src});
}

u32 add_end(struct scene *scene)
{
    return add_exit(&scene->build);
}

void touch_lines(struct scene *scene, u32 block, u32 warp, u32 first, u32 lines)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        add_access(&scene->build, block, warp * WS_LANES + lane, line_granule(first + lane % lines));
}

void touch(struct scene *scene, u32 block, u32 warp, u32 address)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        add_access(&scene->build, block, warp * WS_LANES + lane, address);
}

void decide(struct scene *scene, u32 block, u32 warp, bool decision)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        add_decision(&scene->build, block, warp * WS_LANES + lane, decision);
}

static void list_cycles(char *text, const u32 *cycles, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count && length + 16 < TEXT_ROOM; i++)
        length += (size_t)sprintf(text + length, " %u", cycles[i]);
}

void expect_issues(const struct scene *scene, u32 slot, const u32 *cycles, size_t count)
{
    static u32 found[TEXT_ROOM];
    char expected_text[TEXT_ROOM] = "", text[TEXT_ROOM] = "";
    for (u32 i = 0; i < TRIALS; i++) {
        const struct trial *const trial = &scene->trials[i];
        size_t n = 0;
        for (size_t e = 0; e < trial->event_count && n < TEXT_ROOM; e++)
            if (trial->events[e].kind == ORACLE_ISSUE && trial->events[e].warp == slot)
                found[n++] = (u32)trial->events[e].cycle;
        if (n == count && memcmp(found, cycles, n * sizeof *found) == 0)
            continue;
        list_cycles(text, found, n);
        list_cycles(expected_text, cycles, count);
        fail_msg("%s: warp %u issued at%s, not%s", trial->who, slot, text, expected_text);
    }
}

static void lay_out_slots(const struct trial *trial, char text[TEXT_ROOM])
{
    static const char letters[] = {[ORACLE_IDLE] = 'i', [ORACLE_SCOREBOARD] = 's', [ORACLE_PIPELINE] = 'p'};
    memset(text, 0, TEXT_ROOM);
    for (size_t e = 0; e < trial->event_count; e++) {
        const struct ws_timeline_event *const event = &trial->events[e];
        const char letter = event->kind == ORACLE_ISSUE ? (char)('0' + event->warp) : letters[event->kind];
        for (u64 cycle = event->cycle; cycle < event->cycle + event->cycles && cycle < TEXT_ROOM - 1; cycle++)
            text[cycle] = letter;
    }
}

void expect_slots(const struct scene *scene, const char *text)
{
    char expected[TEXT_ROOM] = "", found[TEXT_ROOM];
    size_t length = 0;
    for (const char *c = text; *c != '\0'; c++)
        if (*c != ' ')
            expected[length++] = *c;
    for (u32 i = 0; i < TRIALS; i++) {
        lay_out_slots(&scene->trials[i], found);
        if (strncmp(found, expected, length) != 0)
            fail_msg("%s: slots became %.*s, not %s", scene->trials[i].who, (int)length, found, expected);
    }
}
