/* A trace of warpsweep: the kernel in lane form ptx, as PTX, simulates a workload on a machine of up to 32 warps in many
 * work-groups of 32 lanes, every one with another latency of memory, and the front end records what their threads do
 * (docs/self.md). A kernel whose file says replay gets packets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "engine/jobs/predecode.h"
#include "engine/plan.h"
#include "warpsweep/frontend.h"

enum { MOST_BYTES = 1 << 24, MOST_PACKETS = 1 << 30, LANES = 32, LATENCY = 50, LATENCY_STEP = 5, NETWORK = 6 };

/* All jobs share the image; each has a state of its own. */
struct batch {
    u32 count;
    struct ws_job *jobs;
    u8 *trace;
    u64 trace_bytes, state_bytes;
    u32 *state;
};

static void check(enum ws_status status, const struct ws_error *error)
{
    if (status == WS_STATUS_ok)
        return;
    fprintf(stderr, "self_trace: %s\n", error->message);
    exit(1);
}

static void *room(size_t count, size_t bytes)
{
    void *const made = calloc(count + 1, bytes);
    if (made)
        return made;
    fprintf(stderr, "self_trace: out of memory\n");
    exit(1);
}

static struct ws_image *load_image(const char *workload, const struct ws_machine *machine)
{
    struct ws_trace *trace;
    struct ws_image *image;
    struct ws_error error;
    char *path;
    check(ws_trace_locate(workload, WS_SIZE_TINY, 0, NULL, &path, &error), &error);
    check(ws_trace_open(path, &trace, &error), &error);
    check(ws_image_load(trace, 0, 1, ws_machine_spaces(machine), &image, &error), &error);
    ws_trace_close(trace);
    free(path);
    return image;
}

/* The packets of an image, for kernels that replay them. */
static struct ws_image *predecode(const struct ws_image *image, const struct ws_machine *machine)
{
    struct ws_predecoding predecoding;
    struct ws_image *packets;
    if (ws_predecoding_of(machine, &predecoding) && ws_predecode(image, &predecoding, MOST_PACKETS, &packets) == WS_STATUS_ok)
        return packets;
    fprintf(stderr, "self_trace: no packets can be made of this workload for this machine\n");
    exit(1);
}

/* The image in one piece. Offsets in jobs are of 32-bit words. */
static void place_image(struct batch *batch, const struct ws_image *image, struct ws_job *job)
{
    const u64 instructions = image->instructions * sizeof *image->program;
    const u64 groups =
        (u64)image->blocks * image->groups_per_block * (image->packets ? LANES / image->packets : 1) * sizeof *image->groups;
    job->program = 0;
    job->groups = (instructions + 7) / 8 * 2;
    job->words = job->groups + (groups + 7) / 8 * 2;
    if (!batch->trace) {
        batch->trace_bytes = job->words * sizeof(u32) + image->word_count * sizeof *image->words;
        batch->trace = room(batch->trace_bytes, 1);
        memcpy(batch->trace, image->program, instructions);
        memcpy(batch->trace + job->groups * sizeof(u32), image->groups, groups);
        if (image->word_count > 0)
            memcpy(batch->trace + job->words * sizeof(u32), image->words, image->word_count * sizeof *image->words);
    }
}

static void make_batch(struct batch *batch, const struct ws_machine *machine, const struct ws_image *image)
{
    struct ws_error error;
    batch->jobs = room(batch->count, sizeof *batch->jobs);
    for (u32 n = 0; n < batch->count; n++) {
        struct ws_machine own = *machine;
        struct ws_job *const job = &batch->jobs[n];
        own.core_warps = machine->core_warps < LANES ? machine->core_warps : LANES;
        own.dram_row_hit = LATENCY + LATENCY_STEP * n; /* of the barrel */
        own.memory_network = NETWORK + n;              /* of the scoreboard */
        check(ws_job_plan(&(struct ws_job_spec){.machine = &own, .image = image}, job, &error), &error);
        place_image(batch, image, job);
        job->state = (u64)n * job->plan.state_words;
    }
    batch->state_bytes = batch->count * (u64)batch->jobs[0].plan.state_words * sizeof(u32);
    batch->state = room(batch->state_bytes, 1);
    for (u32 n = 0; n < batch->count; n++)
        ((struct ws_head *)(batch->state + batch->jobs[n].state))->status = WS_STATUS_running;
}

static struct ws_program *load_program(const char *file, const struct ws_frontend_options *options)
{
    struct ws_program *program;
    struct ws_error error;
    char *text;
    size_t length;
    check(ws_file_read(file, MOST_BYTES, &text, &length, &error), &error);
    check(ws_program_load(file, text, length, options, &program, &error), &error);
    free(text);
    return program;
}

/* One launch of quanta from the first cycle on. */
static void trace(struct batch *batch, const char *ptx, u32 quantum, const char *output)
{
    struct ws_frontend_options options;
    struct ws_error error;
    u32 first = 0;
    u64 thread_instructions, issued = 0, cycles = 0;
    struct ws_argument arguments[] = {
        {.kind = WS_ARGUMENT_BUFFER, .bytes = batch->count * sizeof *batch->jobs, .data = batch->jobs},
        {.kind = WS_ARGUMENT_BUFFER, .bytes = batch->trace_bytes, .data = batch->trace},
        {.kind = WS_ARGUMENT_BUFFER, .bytes = batch->state_bytes, .data = batch->state},
        {.kind = WS_ARGUMENT_BUFFER},
        {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof first, .data = &first},
        {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof quantum, .data = &quantum},
    };
    struct ws_ndrange launch = {.kernel = "sm_quantum",
                                .source = ptx,
                                .global = {LANES * batch->count, 1, 1},
                                .local = {LANES, 1, 1},
                                .argument_count = sizeof arguments / sizeof *arguments,
                                .arguments = arguments};
    for (u32 n = 0; n < batch->count; n++)
        batch->jobs[n].times = WS_NO_RECORDS;
    ws_frontend_defaults(&options);
    struct ws_program *const program = load_program(ptx, &options);
    check(ws_trace_build(program, &options, &launch, output, &thread_instructions, &error), &error);
    ws_program_free(program);
    for (u32 n = 0; n < batch->count; n++) {
        const struct ws_head *const head = (const struct ws_head *)(batch->state + batch->jobs[n].state);
        issued += head->counters[WS_COUNT_warp_instructions];
        cycles += head->counters[WS_COUNT_cycles];
    }
    printf("%u simulations, %llu cycles, %llu warp instructions simulated in %llu thread instructions\n", batch->count,
           (unsigned long long)cycles, (unsigned long long)issued, (unsigned long long)thread_instructions);
}

int main(int argc, char **argv)
{
    struct batch batch = {0};
    struct ws_machine_file file;
    struct ws_error error;
    if (argc != 7) {
        fprintf(stderr, "usage: %s KERNEL.ptx MACHINE WORKLOAD SIMULATIONS CYCLES OUTPUT.wst\n", argv[0]);
        return 2;
    }
    batch.count = (u32)strtoul(argv[4], NULL, 10);
    check(ws_machine_load(argv[2], &file, &error), &error);
    struct ws_image *const image = load_image(argv[3], &file.machine);
    struct ws_image *const packets = strstr(argv[1], "-predecoded-") ? predecode(image, &file.machine) : NULL;
    make_batch(&batch, &file.machine, packets ? packets : image);
    trace(&batch, argv[1], (u32)strtoul(argv[5], NULL, 10), argv[6]);
    ws_predecoded_free(packets);
    ws_image_free(image);
    free(batch.jobs);
    free(batch.trace);
    free(batch.state);
    return 0;
}
