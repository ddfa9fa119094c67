/* The invariants detect violations: each row breaks one function of the rules, or its result, and names the violation. */
#include <stdlib.h>
#include <string.h>

#include "oracle/checks/broken.h"
#include "oracle/image_build.h"
#include "oracle/memory/l1.h"
#include "oracle/path/stack.h"
#include "oracle/pipeline/barrel.h"
#include "oracle/pipeline/scoreboard.h"
#include "test.h"

/* A guarded load, a branch into two paths, a barrier. Odd threads execute the load, every fourth takes the branch. */
static void make_program(struct image_build *build)
{
    image_build_start(build, BLOCKS, BLOCK_THREADS);
    add_alu(build);
    const u32 load = add_memory(build, WS_CLASS_load, WS_SPACE_global);
    build->program[load].flags |= WS_GUARDED;
    add_branch(build, THEN, JOIN);
    add_alu(build);
    add_alu(build);
    add_jump(build, JOIN);
    add_alu(build); /* THEN */
    add_alu(build); /* JOIN */
    add_barrier(build);
    add_alu(build);
    add_exit(build); /* LAST */
    for (u32 i = 0; i < BLOCKS * BLOCK_THREADS; i++) {
        const u32 block = i / BLOCK_THREADS, thread = i % BLOCK_THREADS;
        add_decision(build, block, thread, thread % 2 == 1);
        add_decision(build, block, thread, thread % 4 == 0);
        if (thread % 2 == 1)
            add_access(build, block, thread, i * 4);
    }
}

struct oracle_rules whole;

/* ---- Packets ---- */

static void swap_lanes(const struct sm *sm, u32 slot, struct packet *packet)
{
    whole.path->peek(sm, slot, packet);
    struct thread *first = packet->thread[0];
    packet->thread[0] = packet->thread[1];
    packet->thread[1] = first;
}

static void issue_twice(const struct sm *sm, u32 slot, struct packet *packet)
{
    whole.path->peek(sm, slot, packet);
    packet->thread[0] = packet->thread[1];
}

static void ignore_guards(const struct sm *sm, u32 slot, struct packet *packet)
{
    whole.path->peek(sm, slot, packet);
    for (u32 i = 0; i < sm->warps[slot].path.count; i++)
        packet->thread[sm->warps[slot].path.thread[i]->lane] = sm->warps[slot].path.thread[i];
}

static void leave_one_out(const struct sm *sm, u32 slot, struct packet *packet)
{
    whole.path->peek(sm, slot, packet);
    if (packet->pc == 1)
        packet->thread[1] = NULL;
}

/* ---- Streams ---- */

static void take_a_decision_more(struct sm *sm, struct packet *packet)
{
    sm->warps[packet->slot].path.thread[0]->decisions++;
    whole.path->take(sm, packet);
}

static void take_an_address_more(struct sm *sm, struct packet *packet)
{
    sm->warps[packet->slot].path.thread[0]->accesses++;
    whole.path->take(sm, packet);
}

/* ---- Paths and stacks ---- */

static struct path *path_after(struct sm *sm, const struct packet *packet, u32 pc)
{
    whole.path->completed(sm, packet);
    return packet->pc == pc ? &sm->warps[packet->slot].path : NULL;
}

static void skip_a_barrier(struct sm *sm, const struct packet *packet)
{
    struct path *path = path_after(sm, packet, JOIN);
    if (path)
        path->pc++;
}

static void wait_beside_the_path(struct sm *sm, const struct packet *packet)
{
    struct path *path = path_after(sm, packet, 0);
    if (path) {
        path->pc += 2;
        sm->warps[packet->slot].enters = sm->now + 100;
    }
}

static void lose_a_thread(struct sm *sm, const struct packet *packet)
{
    struct path *path = path_after(sm, packet, JOIN);
    if (path)
        path->count--;
}

/* The top of the stack after the divergent branch: the path that runs second. */
static struct path *second_path_after(struct sm *sm, const struct packet *packet)
{
    struct stack *stack = (struct stack *)sm->path + packet->slot;
    return path_after(sm, packet, 2) ? &stack->entries[stack->depth - 1].path : NULL;
}

static void have_a_thread_twice(struct sm *sm, const struct packet *packet)
{
    struct path *second = second_path_after(sm, packet);
    if (second)
        path_add(second, sm->warps[packet->slot].path.thread[0]);
}

static void resume_elsewhere(struct sm *sm, const struct packet *packet)
{
    struct path *second = second_path_after(sm, packet);
    if (second)
        second->pc = LAST;
}

static void keep_the_dead(struct sm *sm, const struct packet *packet)
{
    struct warp *warp = &sm->warps[packet->slot];
    struct thread *last = packet->thread[0];
    if (packet->pc == LAST) {
        path_add(&warp->path, last);
        warp->path.pc = 0;
    }
    whole.path->completed(sm, packet);
}

static void keep_the_dead_waiting(struct sm *sm, const struct packet *packet)
{
    if (packet->pc == LAST)
        sm->warps[packet->slot].enters = sm->now + 100;
    keep_the_dead(sm, packet);
}

/* ---- Large warps and compaction blocks ---- */

static void lose_a_thread_at_the_join(struct sm *sm)
{
    whole.path->advance(sm);
    if (sm->warps[0].path.pc == JOIN && sm->warps[0].path.count == sm->machine->core_warp_size)
        sm->warps[0].path.count--;
}

static void form_the_same_warp_twice(struct sm *sm)
{
    whole.path->advance(sm);
    if (sm->warps[0].path.pc == THEN && sm->warps[1].path.pc == THEN)
        path_copy(&sm->warps[0].path, &sm->warps[1].path);
}

/* ---- The end ---- */

static void end_early(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    if (sm->now == 20)
        sm->status = WS_STATUS_ok;
}

static void keep_a_slot(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    if (sm->status == WS_STATUS_ok)
        sm->warps[1].state = WARP_ENDED;
}

static void forget_a_packet(struct sm *sm)
{
    struct barrel *own = sm->pipeline;
    whole.pipeline->cycle(sm);
    if (sm->status == WS_STATUS_ok)
        own->flights = oracle_allocate(1, sizeof *own->flights);
}

static void forget_a_read(struct sm *sm)
{
    const struct request request = {.kind = LOAD, .bytes = sm->machine->l1_line, .from = &sm->data};
    whole.pipeline->cycle(sm);
    if (sm->status == WS_STATUS_ok)
        sm->dram.rules->ask(sm, &sm->dram, &request);
}

static void forget_a_slot(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    if (sm->now == 5)
        sm->counters[WS_COUNT_warp_instructions]--;
}

/* ---- The scoreboard pipeline ---- */

/* An instruction in flight, of such a unit, with or without results. */
static struct flight *in_flight(const struct sm *sm, bool ldst, bool results)
{
    const struct scoreboard *own = sm->pipeline;
    struct flight *flight = own->flights;
    while (flight && ((flight->unit == UNIT_LDST) != ldst || has_results(flight) != results))
        flight = flight->next;
    return flight;
}

static void issue_two_writers(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    struct flight *flight = in_flight(sm, false, true);
    if (!flight)
        return;
    struct flight *other = oracle_allocate(1, sizeof *other);
    *other = *flight;
    flight->next = other;
}

static void fill_a_unit(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    struct flight *flight = in_flight(sm, false, true);
    for (u32 i = 0; flight && i <= sm->machine->unit_sp_queue; i++) {
        struct flight *other = oracle_allocate(1, sizeof *other);
        *other = (struct flight){
            .next = flight->next, .slot = NO_WARP, .ins = flight->ins, .start = NEVER, .done = NEVER, .written = true};
        flight->next = other;
    }
}

static void wait_for_nothing(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    struct flight *flight = in_flight(sm, true, false);
    if (flight)
        flight->unanswered = flight->access->found.accesses - flight->left + 1;
}

static void forget_an_answer(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    sm->levels->unanswered += sm->levels->unanswered > 0;
}

static void keep_an_mshr(struct sm *sm)
{
    struct l1 *data = sm->levels->l1[L1_DATA];
    whole.pipeline->cycle(sm);
    data->in_flight += data->in_flight == 1;
}

/* ---- Gangs ---- */

static void go_elsewhere(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    if (sm->now == 5)
        sm->warps[1].path.pc++;
}

static void gang_across_sets(struct sm *sm)
{
    static const u32 slots[] = {0, 4};
    whole.pipeline->cycle(sm);
    gang_form(sm, slots, 2);
}

static void keep_the_ended(struct sm *sm)
{
    static const u32 slots[] = {0, 1, 2, 3};
    whole.pipeline->cycle(sm);
    if (sm->warps[1].state == WARP_ENDED)
        gang_form(sm, slots, 4);
}

static void fill_one_buffer(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    feed_of(sm, 1)->entries = 0;
}

static void forget_the_issue(struct sm *sm, const struct packet *packet)
{
    whole.path->completed(sm, packet);
    slice_of(sm, packet->slot)->issues_from = 0;
}

/* ---- Places ---- */

static void keep_a_place(struct sm *sm, u32 slot)
{
    whole.dispatch->warp_retired(sm, slot);
    sm->warps[slot].state = WARP_RETIRED;
}

static void retire_twice(struct sm *sm, u32 slot)
{
    whole.dispatch->warp_retired(sm, slot);
    whole.dispatch->warp_retired(sm, slot);
}

static u32 forget_the_unissued(const struct sm *sm, u32 block)
{
    return block < sm->blocks_done ? whole.dispatch->unissued(sm, block) : 0;
}

static const struct defect defects[] = {
    {"thread 1 issues in lane 0, not 1", WS_divergence_pdom, .peek = swap_lanes},
    {"thread 1 issues in lane 0, not 1", WS_divergence_lwm, .peek = swap_lanes},
    {"thread 1 issues in lane 0, not 1", WS_divergence_tbc, .peek = swap_lanes},
    {"thread 1 issues twice", WS_divergence_pdom, .any_lane = true, .peek = issue_twice},
    {"thread 0 issues pc 1 with a false guard", WS_divergence_pdom, .peek = ignore_guards},
    {"thread 0 issues pc 1 with a false guard", WS_divergence_tbc, .peek = ignore_guards},
    {"thread 1 is at pc 2 where its path has pc 1", WS_divergence_pdom, .peek = leave_one_out},
    {"thread 1 issues pc 2 where its path has pc 1", WS_divergence_tbc, .peek = leave_one_out},
    {"thread 0 has taken 1 decisions, not 0", WS_divergence_pdom, .take = take_a_decision_more},
    {"thread 0 has taken 1 decisions, not 0", WS_divergence_lwm, .take = take_a_decision_more},
    {"thread 0 has taken 1 addresses, not 0", WS_divergence_tbc, .take = take_an_address_more},
    {"thread 0 issues pc 9 where its path has pc 8", WS_divergence_pdom, .completed = skip_a_barrier},
    {"is at pc 3 where its path has pc ", WS_divergence_pdom, .completed = wait_beside_the_path},
    {"is in no place", WS_divergence_pdom, .completed = lose_a_thread},
    {"is in two places, one at pc 3", WS_divergence_pdom, .completed = have_a_thread_twice},
    {"is at pc 10 where its path has pc 3", WS_divergence_pdom, .completed = resume_elsewhere},
    {"issues pc 0 after its exit", WS_divergence_pdom, .completed = keep_the_dead},
    {"has exited and is at pc 0", WS_divergence_pdom, .completed = keep_the_dead_waiting},
    {"is in no place", WS_divergence_lwm, .advance = lose_a_thread_at_the_join},
    {"is in no place", WS_divergence_tbc, .advance = lose_a_thread_at_the_join},
    {"is in two places, one at pc 6", WS_divergence_tbc, .advance = form_the_same_warp_twice},
    {"thread 0 has not exited", WS_divergence_pdom, .cycle = end_early},
    {"slot 1 is not free at the end", WS_divergence_pdom, .cycle = keep_a_slot},
    {"1 packets are in flight at the end", WS_divergence_pdom, .cycle = forget_a_packet},
    {"1 reads are in flight at the end", WS_divergence_pdom, .cycle = forget_a_read},
    {"slots are classed", WS_divergence_pdom, .cycle = forget_a_slot},
    {"thread 1 issues in lane 0, not 1", WS_divergence_serial, .peek = swap_lanes},
    {"thread 0 has taken 1 decisions, not 0", WS_divergence_serial, .take = take_a_decision_more},
    {"slots are classed", WS_divergence_dwf, .cycle = forget_a_slot},
    {"thread 0 has not exited", WS_divergence_mimd, .cycle = end_early},
    {"slots are classed", WS_divergence_pdom, .cycle = forget_a_slot, .pipeline = WS_pipeline_scoreboard},
    {"register 1 of slot 0 is written by two", WS_divergence_pdom, .cycle = issue_two_writers, .pipeline = WS_pipeline_scoreboard},
    {"the units hold 10, 0, 0 and 0", WS_divergence_pdom, .cycle = fill_a_unit, .pipeline = WS_pipeline_scoreboard},
    {"of 16 accesses 16 are not made, 1 unanswered", WS_divergence_pdom, .cycle = wait_for_nothing,
     .pipeline = WS_pipeline_scoreboard},
    {"requests are unanswered, and ", WS_divergence_pdom, .cycle = forget_an_answer, .pipeline = WS_pipeline_scoreboard},
    {"of 1024 MSHRs are in use, and ", WS_divergence_pdom, .cycle = keep_an_mshr, .pipeline = WS_pipeline_scoreboard},
    {"slots are classed", WS_divergence_vws, .cycle = forget_a_slot, .pipeline = WS_pipeline_scoreboard},
    {"thread 1 issues in lane 0, not 1", WS_divergence_vws, .peek = swap_lanes, .pipeline = WS_pipeline_scoreboard},
    {"the gang of slot 0 is at pc ", WS_divergence_vws, .cycle = go_elsewhere, .pipeline = WS_pipeline_scoreboard},
    {"slot 4 is in the gang of slot 0, which has none", WS_divergence_vws, .cycle = gang_across_sets,
     .pipeline = WS_pipeline_scoreboard},
    {"whose warp does not run", WS_divergence_vws, .cycle = keep_the_ended, .pipeline = WS_pipeline_scoreboard},
    {"slots 0 and 1 are a gang and hold", WS_divergence_vws, .cycle = fill_one_buffer, .pipeline = WS_pipeline_scoreboard},
    {"lane 0 of the slices issues twice", WS_divergence_vws, .completed = forget_the_issue, .pipeline = WS_pipeline_scoreboard},
    {"2 blocks (1 partial) have 2 warps in slots, not 2 and 3", WS_divergence_pdom, .retired = keep_a_place,
     .dispatch = WS_dispatch_warp},
    {"warps in slots, not ", WS_divergence_pdom, .retired = retire_twice, .dispatch = WS_dispatch_warp},
    {"is in no place", WS_divergence_pdom, .unissued = forget_the_unissued, .dispatch = WS_dispatch_warp},
};

static struct ws_machine machine_of(u32 pipeline, u32 unit)
{
    struct ws_machine machine;
    machine_defaults(&machine);
    machine.icache_size = 0;
    machine.core_pipeline = pipeline;
    machine.divergence_unit = unit;
    machine.divergence_compaction_block = BLOCK_THREADS;
    machine.core_warp_size = unit == WS_divergence_lwm ? BLOCK_THREADS : unit == WS_divergence_vws ? WS_LANES / 4 : WS_LANES;
    machine.vws_gangs = WS_toggle_on;
    machine.schedule_policy = unit == WS_divergence_dwf   ? WS_policy_majority
                              : unit == WS_divergence_vws ? WS_policy_gto
                                                          : WS_policy_rr;
    machine.core_watchdog = 10000;
    return machine;
}

/* Runs the program with these rules; returns the violation in the run's log. */
static const char *violation_of(const struct ws_machine *machine, const struct oracle_rules *rules, enum ws_status *status)
{
    static char violation[ORACLE_BREACH_ROOM];
    struct image_build build;
    struct oracle_log log = {.want_invariants = true};
    u64 counters[WS_COUNTERS];
    make_program(&build);
    struct ws_image *image = image_build_finish(&build);
    *status = oracle_run_rules(rules, machine, image, counters, &log);
    memcpy(violation, log.violation, sizeof violation);
    oracle_log_free(&log);
    image_free(image);
    image_build_free(&build);
    return violation;
}

static void expect_no_violation(u32 pipeline, u32 unit)
{
    const struct ws_machine machine = machine_of(pipeline, unit);
    const struct oracle_rules rules = rules_of(&machine);
    enum ws_status status;
    assert_string_equal(violation_of(&machine, &rules, &status), "");
    assert_int_equal(status, WS_STATUS_ok);
}

TEST(whole_rules_hold)
{
#define RUNS(pipeline, path, slots, schedulers, dispatches) expect_no_violation(WS_pipeline_##pipeline, WS_divergence_##path);
#include "shared/runs.def"
#undef RUNS
}

void expect_violations(const struct defect *rows, size_t row_count)
{
    for (size_t i = 0; i < row_count; i++) {
        const struct defect *defect = &rows[i];
        struct ws_machine machine = machine_of(defect->pipeline, defect->unit);
        machine.core_warp_size = defect->warp_size ? defect->warp_size : machine.core_warp_size;
        machine.core_dispatch = defect->dispatch;
        machine.core_warps = defect->dispatch == WS_dispatch_warp ? 3 : machine.core_warps;
        whole = rules_of(&machine);
        struct oracle_path path = *whole.path;
        struct oracle_pipeline pipeline = *whole.pipeline;
        struct oracle_pool pool = path.pool ? *path.pool : (struct oracle_pool){0};
        struct oracle_dispatch dispatch = *whole.dispatch;
        struct oracle_rules broken = whole;
        path.home_lanes = path.home_lanes && !defect->any_lane;
        path.peek = defect->peek ? defect->peek : path.peek;
        path.take = defect->take ? defect->take : path.take;
        path.completed = defect->completed ? defect->completed : path.completed;
        path.advance = defect->advance ? defect->advance : path.advance;
        pipeline.cycle = defect->cycle ? defect->cycle : pipeline.cycle;
        pool.select = defect->select ? defect->select : pool.select;
        pool.issued = defect->issued ? defect->issued : pool.issued;
        pool.completed = defect->returned ? defect->returned : pool.completed;
        path.pool = path.pool ? &pool : NULL;
        dispatch.warp_retired = defect->retired ? defect->retired : dispatch.warp_retired;
        dispatch.unissued = defect->unissued ? defect->unissued : dispatch.unissued;
        broken.dispatch = &dispatch;
        broken.path = &path;
        broken.pipeline = &pipeline;
        enum ws_status status;
        const char *violation = violation_of(&machine, &broken, &status);
        if (status != WS_STATUS_internal || !strstr(violation, defect->violation))
            fail_msg("defect %zu: \"%s\", not \"%s\"", i, violation, defect->violation);
    }
}

TEST(each_violation_is_seen)
{
    expect_violations(defects, sizeof defects / sizeof *defects);
}
