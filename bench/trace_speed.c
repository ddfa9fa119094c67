/* Speed of writing and loading traces, and their size: a regular and an irregular synthetic kernel, one block of 1024 threads that
 * are recorded one after the other, as an executor does between barriers.
 * Usage: bench_trace_speed [millions of thread instructions], default 50. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "model/recorder.h"

enum { THREADS = 1024, NODES = 1 << 20, MATRIX = 1024 };

static const char file[] = "bench_trace_speed.wst";
static u64 random_state = 1;

#define LOAD(bytes_)                                                                                                               \
    {                                                                                                                              \
        .class_ = WS_CLASS_load, .space = WS_SPACE_global, .bytes = (bytes_)                                                       \
    }
#define STORE(bytes_)                                                                                                              \
    {                                                                                                                              \
        .class_ = WS_CLASS_store, .space = WS_SPACE_global, .bytes = (bytes_)                                                      \
    }
#define BRANCH(to)                                                                                                                 \
    {                                                                                                                              \
        .class_ = WS_CLASS_branch, .target = (to), .reconverge = WS_PC_NONE                                                        \
    }
#define PLAIN                                                                                                                      \
    {                                                                                                                              \
        .class_ = WS_CLASS_int                                                                                                     \
    }

/* A dot product: two loads and a branch in ten instructions. */
static const struct ws_instruction regular_program[] = {
    PLAIN, LOAD(4), PLAIN, LOAD(4), PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, BRANCH(0), STORE(4), BRANCH(0), {.class_ = WS_CLASS_exit}};

static u64 run_regular(struct ws_recorder *recorder, u32 thread, u64 instructions)
{
    const u64 a = 0x10000000ull, b = a + 4ull * MATRIX * MATRIX, c = b + 4ull * MATRIX * MATRIX;
    u64 done = 0;
    for (u64 row = 0; done < instructions; row++) {
        for (u64 k = 0; k < MATRIX; k++) {
            ws_record_access(recorder, a + 4 * (row % MATRIX * MATRIX + k));
            ws_record_access(recorder, b + 4 * (k * MATRIX + thread));
            ws_record_decision(recorder, k + 1 < MATRIX);
        }
        done += 10 * MATRIX + 2;
        ws_record_access(recorder, c + 4 * (row % MATRIX * MATRIX + thread));
        ws_record_decision(recorder, done < instructions);
    }
    return done + 1;
}

/* A walk over edges: a list read in short runs, a random node for each entry, a store for a third of them. */
static const struct ws_instruction irregular_program[] = {
    LOAD(4), PLAIN, PLAIN, LOAD(4), PLAIN, BRANCH(8), PLAIN, STORE(4), PLAIN, BRANCH(0), {.class_ = WS_CLASS_exit}};

static u64 run_irregular(struct ws_recorder *recorder, u64 instructions)
{
    const u64 edges = 0x10000000ull, nodes = edges + 24ull * NODES, levels = nodes + 4ull * NODES;
    u64 done = 0, edge = 0;
    while (done < instructions) {
        const u64 chance = ws_random(&random_state), node = chance % NODES, skips = chance >> 40 & 3;
        edge = chance >> 48 & 7 ? edge + 1 : chance >> 24 & (4 * NODES - 1);
        ws_record_access(recorder, edges + 4 * edge);
        ws_record_access(recorder, nodes + 4 * node);
        ws_record_decision(recorder, skips != 0);
        if (!skips)
            ws_record_access(recorder, levels + 4 * node);
        done += skips ? 8 : 10;
        ws_record_decision(recorder, done < instructions);
    }
    return done + 1;
}

static u64 run(struct ws_recorder *recorder, bool regular, u32 thread, u64 instructions)
{
    return regular ? run_regular(recorder, thread, instructions) : run_irregular(recorder, instructions);
}

/* Time that the synthetic executor itself takes, recording into buffers that are never encoded. */
static double generate(bool regular, u64 instructions)
{
    static u64 decisions[1 << 16], accesses[1 << 20];
    const double start = ws_seconds_now();
    for (u32 thread = 0; thread < THREADS; thread++) {
        struct ws_recorder recorder = {
            .decisions = decisions, .decision_room = 1 << 22, .accesses = accesses, .access_room = 1 << 20};
        run(&recorder, regular, thread, instructions / THREADS);
    }
    return ws_seconds_now() - start;
}

static u64 write_trace(bool regular, u64 instructions, struct ws_error *error)
{
    const struct ws_segment segment = {.base = 0x10000000ull, .bytes = 1ull << 26};
    const struct ws_launch launch = {.kernel = regular ? "regular" : "irregular",
                                     .source = "bench/trace_speed",
                                     .grid = {1, 1, 1},
                                     .block = {THREADS, 1, 1},
                                     .registers = 16,
                                     .instructions = regular ? sizeof regular_program / sizeof *regular_program
                                                             : sizeof irregular_program / sizeof *irregular_program,
                                     .program = regular ? regular_program : irregular_program,
                                     .segments = 1,
                                     .segment = &segment};
    struct ws_trace_writer *writer;
    if (ws_trace_writer_open(file, &launch, &writer, error) != WS_STATUS_ok)
        return 0;
    u64 done = 0;
    struct ws_recorder *const recorders = ws_recorders_begin(writer, 0);
    for (u32 thread = 0; thread < THREADS; thread++)
        done += run(&recorders[thread], regular, thread, instructions / THREADS);
    if (ws_recorders_end(writer, NULL, error) != WS_STATUS_ok) {
        ws_trace_writer_drop(writer);
        return 0;
    }
    return ws_trace_writer_close(writer, error) == WS_STATUS_ok ? done : 0;
}

static int measure(bool regular, u64 instructions)
{
    struct ws_error error = {.message = "no error"};
    struct ws_trace *trace;
    struct ws_image *image;
    struct ws_trace_info info;
    const double before = generate(regular, instructions), start = ws_seconds_now();
    const u64 done = write_trace(regular, instructions, &error);
    const double written = ws_seconds_now();
    if (!done || ws_trace_open(file, &trace, &error) != WS_STATUS_ok) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    if (ws_image_load(trace, 0, 1, 1u << WS_SPACE_global | 1u << WS_SPACE_shared, &image, &error) != WS_STATUS_ok) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const double loaded = ws_seconds_now();
    ws_image_free(image);
    const double freed = ws_seconds_now();
    if (ws_trace_info(trace, &info, NULL, &error) != WS_STATUS_ok) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const double million = (double)done / 1e6;
    printf("%-9s %6.1f M thread instructions, %.3f bytes each: written at %.0f M/s (%.2f s, %.2f s of them the generator's), "
           "loaded at %.0f M/s (%.2f s), info at %.0f M/s\n",
           regular ? "regular" : "irregular", million, info.bytes_per_instruction, million / (written - start - before),
           written - start, before, million / (loaded - written), loaded - written, million / (ws_seconds_now() - freed));
    ws_trace_close(trace);
    unlink(file);
    return 0;
}

int main(int count, char **arguments)
{
    const double millions = count > 1 ? atof(arguments[1]) : 50;
    return measure(true, (u64)(millions * 1e6)) || measure(false, (u64)(millions * 1e6));
}
