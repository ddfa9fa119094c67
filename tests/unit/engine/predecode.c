/* Pre-decoded traces: the records of a warp, word by word, and their sharing. */
#include <string.h>

#include "engine/jobs/predecode.h"
#include "engine/jobs/predecoded.h"
#include "oracle/image_build.h"
#include "shared/packets.h"
#include "test.h"

enum { THREADS = 4, TAKEN = 4, MEET = 5 };

/* A warp of four threads whose halves diverge and reconverge, load from three lines of 128 bytes, reach a barrier and end. */
static struct ws_image *diamond(void)
{
    static const u32 granules[THREADS] = {0, 1, 4, 9};
    struct image_build build;
    image_build_start(&build, 1, THREADS);
    add_alu(&build);
    add_branch(&build, TAKEN, MEET);
    add_alu(&build);
    add_jump(&build, MEET);
    add_alu(&build); /* TAKEN */
    add_memory(&build, WS_CLASS_load, WS_SPACE_global);
    add_barrier(&build);
    add_exit(&build);
    for (u32 thread = 0; thread < THREADS; thread++) {
        add_decision(&build, 0, thread, thread < 2);
        add_access(&build, 0, thread, granules[thread]);
    }
    struct ws_image *const image = image_build_finish(&build);
    image_build_free(&build);
    return image;
}

static struct ws_machine machine_with_lines(u32 bytes)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    machine.l1_line = bytes;
    return machine;
}

static struct ws_image *lower(const struct ws_image *image, const struct ws_machine *machine, u64 bytes)
{
    struct ws_predecoding lowering;
    struct ws_image *packets;
    assert_true(ws_predecoding_of(machine, &lowering));
    const enum ws_status status = ws_predecode(image, &lowering, bytes, &packets);
    assert_int_equal(status, packets ? WS_STATUS_ok : WS_STATUS_no_memory);
    return packets;
}

TEST(records_say_what_happens)
{
    static const u32 expected[] = {
        1 | WS_PACKET_MOVES | WS_PACKET_DIVERGED,
        TAKEN,
        0x3,
        2 | 2u << 16, /* the branch, after one plain instruction */
        0 | WS_PACKET_MOVES,
        2 | 1u << 16,
        0xC, /* the taken path ends: the other begins */
        1 | WS_PACKET_MOVES,
        MEET | 1u << 16,
        0xF, /* the jump: all meet */
        0 | 3u << 16 | WS_PACKET_LINES,
        0,
        4,
        8,                     /* the load */
        0 | WS_PACKET_ARRIVES, /* the barrier */
        0 | WS_PACKET_ENDS,    /* the exit */
        0,
    };
    const struct ws_machine machine = machine_with_lines(128);
    struct ws_image *const image = diamond(), *const packets = lower(image, &machine, UINT64_MAX);
    assert_non_null(packets);
    assert_int_equal(packets->packets, machine.core_warp_size);
    assert_int_equal(packets->groups[0].decisions, 0);
    assert_int_equal(packets->word_count, sizeof expected / sizeof *expected);
    assert_memory_equal(packets->words, expected, sizeof expected);
    ws_predecoded_free(packets);
    image_free(image);
}

TEST(too_little_memory_makes_none)
{
    const struct ws_machine machine = machine_with_lines(128);
    struct ws_image *const image = diamond();
    assert_null(lower(image, &machine, 40));
    image_free(image);
}

TEST(machines_that_regroup_have_none)
{
    static const u32 units[] = {WS_divergence_lwm, WS_divergence_tbc, WS_divergence_dwf, WS_divergence_mimd};
    struct ws_machine machine = machine_with_lines(128);
    struct ws_predecoding lowering;
    for (size_t n = 0; n < sizeof units / sizeof *units; n++) {
        machine.divergence_unit = units[n];
        assert_false(ws_predecoding_of(&machine, &lowering));
    }
    machine.divergence_unit = WS_divergence_pdom;
    machine.divergence_merge = WS_toggle_off;
    assert_false(ws_predecoding_of(&machine, &lowering));
}

/* Machines with equal lines share a pre-decoded trace, others have their own, a single job has none; the last user frees it. */
TEST(machines_alike_share_packets)
{
    struct ws_machine machines[5];
    struct ws_job_spec jobs[5];
    struct ws_image *const image = diamond();
    static const u32 bytes[5] = {128, 64, 128, 64, 256};
    for (u32 n = 0; n < 5; n++) {
        machines[n] = machine_with_lines(bytes[n]);
        machines[n].core_depth = 4 + n;
        jobs[n] = (struct ws_job_spec){.machine = &machines[n], .image = image};
    }
    assert_null(ws_predecoded_open(jobs, 5, WS_PREDECODE_NEVER));
    assert_null(ws_predecoded_open(&jobs[3], 2, WS_PREDECODE_SHARED));
    struct ws_predecoded *const lowered = ws_predecoded_open(jobs, 5, WS_PREDECODE_SHARED);
    assert_non_null(lowered);
    const struct ws_image *const first = ws_predecoded_image(lowered, jobs, 0), *const second =
                                                                                    ws_predecoded_image(lowered, jobs, 1);
    assert_int_equal(first->packets, 32);
    assert_ptr_equal(ws_predecoded_image(lowered, jobs, 2), first);
    assert_ptr_equal(ws_predecoded_image(lowered, jobs, 3), second);
    assert_ptr_not_equal(first, second);
    assert_ptr_equal(ws_predecoded_image(lowered, jobs, 4), image);
    for (size_t n = 0; n < 5; n++)
        ws_predecoded_done(lowered, n);
    ws_predecoded_close(lowered);
    image_free(image);
}
