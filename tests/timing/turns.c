#include "timing/turns.h"

#include <string.h>

#include "oracle/oracle.h"
#include "test.h"

enum { INTERVAL = 8, FIRST = 2, TURNS = 1024 };

u32 turn_cycle(u32 turn)
{
    return FIRST + INTERVAL * turn;
}

static void add_letter(struct scene *scene, char letter)
{
    switch (letter) {
    case 'S':
        OP(scene, .kind = WS_KIND_minmax, .dst = {1});
        break;
    case 'w': /* writes what is still to be written */
        OP(scene, .kind = WS_KIND_other, .dst = {1});
        break;
    case 'g':
        OP(scene, .guarded = true);
        break;
    case 'b':
        add_barrier(&scene->build);
        break;
    case 'l':
        add_load(scene, WS_SPACE_global, 1);
        break;
    case 'x':
        add_end(scene);
        break;
    default:
        OP(scene, .class_ = WS_CLASS_int);
    }
}

/* The branches that lead to scripts first to first + count - 1, and these. */
static void add_scripts(struct scene *scene, const char *const *scripts, u32 first, u32 count)
{
    if (count > 1) {
        const u32 branch = OP(scene, .class_ = WS_CLASS_branch);
        add_scripts(scene, scripts, first, count / 2);
        scene->build.program[branch].target = (u16)scene->build.instructions;
        add_scripts(scene, scripts, first + count / 2, count / 2);
        return;
    }
    for (const char *letter = scripts[first] ? scripts[first] : "x"; *letter; letter++)
        if (*letter != ' ')
            add_letter(scene, *letter);
}

static void follow_script(struct scene *scene, u32 block, u32 thread, const char *script, u32 number, u32 count)
{
    for (u32 half = count / 2; half > 0; half /= 2)
        add_decision(&scene->build, block, thread, number / half % 2);
    for (const char *letter = script ? script : "x"; *letter; letter++)
        if (*letter == 'g')
            add_decision(&scene->build, block, thread, false);
        else if (*letter == 'l')
            add_access(&scene->build, block, thread, 0);
}

void turns_start(struct scene *scene, u32 blocks, u32 threads, u32 sleep, const char *const *scripts)
{
    const u32 warps = (threads + WS_LANES - 1) / WS_LANES;
    u32 count = 1;
    scene_start(scene, blocks, threads);
    scene->machine.core_buffer = 1;         /* no exit has anything behind it */
    scene->machine.unit_collect = INTERVAL; /* the next has its operands when the unit is free */
    scene->machine.unit_sp = 1;
    scene->machine.unit_sp_queue = 1;
    scene->machine.interval_other = INTERVAL;
    scene->machine.interval_int_minmax = INTERVAL;
    scene->machine.latency_int_minmax = INTERVAL * (sleep - 1) - 2; /* a turn to its start, 2 cycles to the register */
    while (count < MOST_SCRIPTS && count < blocks * warps)
        count *= 2;
    add_scripts(scene, scripts, 0, count);
    for (u32 block = 0; block < blocks; block++)
        for (u32 thread = 0; thread < threads; thread++) {
            const u32 warp = block * warps + thread / WS_LANES, number = warp < count ? warp : count - 1;
            follow_script(scene, block, thread, scripts[number], number, count);
        }
}

/* The cycles of the turns of a slot. */
static size_t turns_of(const char *turns, u32 slot, u32 cycles[TURNS])
{
    size_t found = 0;
    u32 turn = 0;
    for (const char *c = turns; *c != '\0'; c++)
        if (*c != ' ') {
            if ((u32)(*c - '0') == slot)
                cycles[found++] = turn_cycle(turn);
            turn++;
        }
    return found;
}

static void print_turns(const struct trial *trial)
{
    char text[TURNS + 1];
    size_t length = 0;
    for (size_t e = 0; e < trial->event_count && length < TURNS; e++)
        if (trial->events[e].kind == ORACLE_ISSUE)
            text[length++] = (char)('0' + trial->events[e].warp);
    text[length] = '\0';
    print_message("%s: turns %s\n", trial->who, text);
}

static bool turns_are(const struct trial *trial, const char *turns)
{
    u32 cycles[TURNS];
    size_t issues = 0, expected = 0;
    for (u32 slot = 0; slot < 10; slot++) {
        const size_t count = turns_of(turns, slot, cycles);
        size_t n = 0;
        for (size_t e = 0; e < trial->event_count; e++)
            if (trial->events[e].kind == ORACLE_ISSUE && trial->events[e].warp == slot) {
                if (n == count || trial->events[e].cycle != cycles[n++])
                    return false;
                issues++;
            }
        expected += count;
    }
    return issues == expected;
}

void expect_turns(const struct scene *scene, const char *turns)
{
    bool failed = false;
    for (u32 i = 0; i < TRIALS; i++)
        if (!turns_are(&scene->trials[i], turns)) {
            print_turns(&scene->trials[i]);
            failed = true;
        }
    if (failed)
        fail_msg("turns are not %s", turns);
}
