/* Blocks of a launch on several cores. The first block runs alone and shows which buffers the kernel writes. Then workers run the
 * others, and marks say which words of such a buffer a worker has read and written. If a worker has written a word that another one
 * has accessed, or anything happens whose order matters (a fault, a message, a wait), the words that workers wrote are restored and
 * the blocks run one after another. So results and messages are those of that order, on any number of cores.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/exec/grid.h"
#include "frontend/exec/run.h"

enum { LEAST_WORK = 1 << 21, MOST_WORKERS = 64 }; /* thread instructions: some 10 ms of a core */
#define MOST_BYTES (UINT64_C(1) << 30)

/* A buffer that the first block has written. */
struct written {
    u32 range; /* number among the ranges of the plan */
    u8 *before;
    u64 marked; /* elements of the marks of a worker */
};

struct parallel;
struct worker {
    struct parallel *all;
    pthread_t thread;
    bool leads;  /* runs in the calling thread, and calls options->go_on */
    u32 checks;  /* calls of may_go_on */
    u64 **marks; /* by written buffer */
    struct ws_plan plan;
    struct ws_frontend_options options;
    struct ws_run run;
    struct ws_totals totals;
};

struct parallel {
    struct ws_plan *plan;
    const struct ws_frontend_options *options;
    u32 written_count, worker_count;
    struct written *written;
    struct worker *workers;
    u64 next;   /* block to begin; atomic */
    u32 failed; /* atomic */
};

static void fail(struct parallel *all)
{
    __atomic_store_n(&all->failed, 1, __ATOMIC_RELAXED);
}

static bool has_failed(const struct parallel *all)
{
    return __atomic_load_n(&all->failed, __ATOMIC_RELAXED) != 0;
}

/* ---- Which launches ---- */

/* Whether an operation may communicate with other blocks, or reaches memory in other ways than by loads and stores. */
static bool is_plain(const struct ws_op *op)
{
    const bool shared = op->space == WS_SPACE_shared;
    if (op->machine || (op->opcode >= WS_OP_bulk_in && op->opcode <= WS_OP_tensor_out))
        return false;
    switch (op->opcode) {
    case WS_OP_print:
    case WS_OP_heap_take:
    case WS_OP_heap_give:
    case WS_OP_tex:
    case WS_OP_tex_gather:
    case WS_OP_suld:
    case WS_OP_sust:
    case WS_OP_sust_pixel:
    case WS_OP_tensor_size:
    case WS_OP_tensor_replace:
    case WS_OP_atom_multicast:
    case WS_OP_nanosleep:
        return false;
    default:
        return shared || !(op->flags & WS_OP_VOLATILE);
    }
}

static bool is_suitable(const struct ws_plan *plan, const struct ws_frontend_options *options)
{
    const struct ws_kernel *const kernel = plan->kernel;
    bool plain = !kernel->code && plan->memory.cluster <= 1 && !options->race && !options->lenient;
    for (u32 n = 0; plain && n < kernel->op_count; n++)
        plain =
            is_plain(&kernel->ops[n]) && (kernel->program[n].class_ != WS_CLASS_atomic || kernel->ops[n].space == WS_SPACE_shared);
    return plain;
}

/* Bytes of all buffers that have been written. */
static u64 written_bytes(const struct ws_plan *plan)
{
    u64 bytes = 0;
    for (u32 n = 0; n < plan->memory.count; n++)
        bytes += plan->memory.ranges[n].written ? plan->memory.ranges[n].bytes : 0;
    return bytes;
}

/* Whether the rest takes much longer than to copy what it writes. work: thread instructions of the first block. */
static bool is_worth(const struct ws_plan *plan, u64 work)
{
    const u64 bytes = written_bytes(plan), rest = plan->blocks - 1;
    const u64 least = bytes / 2 > LEAST_WORK ? bytes / 2 : LEAST_WORK;
    return plan->blocks > 2 && bytes <= MOST_BYTES && work > 0 && rest >= least / work;
}

/* ---- Memory ---- */

/* Whether bytes of the range also lie in another one, elsewhere than there: marks are those of one range. */
static bool is_shared(const struct ws_memory *memory, const struct ws_range *range)
{
    for (u32 n = 0; n < memory->count; n++) {
        const struct ws_range *const other = &memory->ranges[n];
        const uintptr_t one = (uintptr_t)range->host, two = (uintptr_t)other->host;
        const bool same = one == two && range->bytes == other->bytes;
        if (!same && one < two + other->bytes && two < one + range->bytes)
            return true;
    }
    return false;
}

static bool keep(struct parallel *all)
{
    const struct ws_memory *const memory = &all->plan->memory;
    all->written = calloc((size_t)memory->count + 1, sizeof *all->written);
    for (u32 n = 0; all->written && n < memory->count; n++) {
        const struct ws_range *const range = &memory->ranges[n];
        struct written *const written = &all->written[all->written_count];
        if (!range->written || range->bytes == 0)
            continue;
        if (is_shared(memory, range))
            return false;
        *written =
            (struct written){.range = n, .before = malloc(range->bytes), .marked = (range->bytes / WS_MARKED_BYTES / 64 + 1) * 2};
        all->written_count++;
        if (!written->before)
            return false;
        memcpy(written->before, range->host, range->bytes);
    }
    return all->written != NULL;
}

/* Which of 64 words some worker has written: a bit each. element: of the marks, an odd one. */
static u64 written_words(const struct parallel *all, u32 buffer, u64 element)
{
    u64 words = 0;
    for (u32 i = 0; i < all->worker_count; i++)
        words |= all->workers[i].marks[buffer][element];
    return words;
}

/* No other words: the program may write them meanwhile (mapped and managed memory). */
static void restore_buffer(const struct parallel *all, u32 buffer)
{
    const struct written *const written = &all->written[buffer];
    const struct ws_range *const range = &all->plan->memory.ranges[written->range];
    for (u64 n = 0; n < written->marked; n += 2)
        for (u64 left = written_words(all, buffer, n + 1); left; left &= left - 1) {
            const u64 at = (n / 2 * 64 + (u64)__builtin_ctzll(left)) * WS_MARKED_BYTES;
            const u64 rest = range->bytes - at;
            memcpy(range->host + at, written->before + at, rest < WS_MARKED_BYTES ? rest : WS_MARKED_BYTES);
        }
}

static void restore(const struct parallel *all)
{
    for (u32 n = 0; n < all->written_count; n++)
        restore_buffer(all, n);
}

/* Whether a worker has written a word of a buffer that another one has accessed. */
static bool are_dependent(const struct parallel *all, u32 buffer)
{
    for (u64 n = 0; n < all->written[buffer].marked; n += 2) {
        u64 read = 0, wrote = 0;
        for (u32 i = 0; i < all->worker_count; i++) {
            const u64 *const marks = all->workers[i].marks[buffer];
            const u64 reads = __atomic_load_n(&marks[n], __ATOMIC_RELAXED),
                      writes = __atomic_load_n(&marks[n + 1], __ATOMIC_RELAXED);
            if ((writes & (read | wrote)) || (reads & wrote))
                return true;
            read |= reads;
            wrote |= writes;
        }
    }
    return false;
}

static void look_for_dependence(struct parallel *all)
{
    for (u32 n = 0; n < all->written_count && !has_failed(all); n++)
        if (are_dependent(all, n))
            fail(all);
}

/* ---- Workers ---- */

/* Looks for dependences more and more seldom: wrong values may make a loop endless. */
static bool may_go_on(void *context)
{
    struct worker *const worker = context;
    const struct ws_frontend_options *const options = worker->all->options;
    worker->checks++;
    if ((worker->checks & (worker->checks - 1)) == 0)
        look_for_dependence(worker->all);
    return !has_failed(worker->all) && (!worker->leads || !options->go_on || options->go_on(options->context));
}

static void take_note(void *context, const char *text)
{
    (void)text;
    fail(((struct worker *)context)->all);
}

/* The first access to a buffer: its place in the order would depend on time. */
static void touch(void *context, u64 address)
{
    (void)address;
    fail(context);
}

/* Copies of the ranges with marks of the worker. */
static struct ws_range *own_ranges(const struct worker *worker, const struct ws_range *from)
{
    const struct parallel *const all = worker->all;
    const u32 count = all->plan->memory.count;
    struct ws_range *const ranges = malloc(((size_t)count + 1) * sizeof *ranges);
    if (!ranges)
        return NULL;
    memcpy(ranges, from, count * sizeof *ranges);
    for (u32 n = 0; n < all->written_count; n++)
        for (u32 i = 0; i < count; i++)
            if (ranges[i].host == all->plan->memory.ranges[all->written[n].range].host)
                ranges[i].marks = worker->marks[n];
    return ranges;
}

static bool make_worker(struct parallel *all, struct worker *worker, u64 left)
{
    struct ws_memory *const memory = &worker->plan.memory;
    *worker = (struct worker){.all = all, .leads = all->worker_count == 0, .plan = *all->plan, .options = *all->options};
    memory->ranges = memory->constants = NULL;
    all->worker_count++;
    worker->marks = calloc((size_t)all->written_count + 1, sizeof *worker->marks);
    if (!worker->marks)
        return false;
    for (u32 n = 0; n < all->written_count; n++)
        if (!(worker->marks[n] = calloc(all->written[n].marked, sizeof **worker->marks)))
            return false;
    memory->ranges = own_ranges(worker, all->plan->memory.ranges);
    memory->constants = own_ranges(worker, all->plan->memory.constants);
    memory->touch = memory->touch ? touch : NULL;
    memory->context = all;
    worker->options.context = worker;
    worker->options.go_on = may_go_on;
    worker->options.note = all->options->note ? take_note : NULL;
    worker->totals.left = left;
    if (!memory->ranges || !memory->constants || ws_run_make(&worker->plan, &worker->options, &worker->run, NULL) != WS_STATUS_ok)
        return false;
    worker->run.thread.parallel = true;
    return true;
}

static void free_worker(struct worker *worker)
{
    for (u32 n = 0; worker->marks && n < worker->all->written_count; n++)
        free(worker->marks[n]);
    free(worker->marks);
    ws_run_free(&worker->run);
    free(worker->plan.memory.ranges);
    free(worker->plan.memory.constants);
}

static bool run_block(struct worker *worker, u64 block)
{
    enum ws_block_state state = WS_BLOCK_runs;
    return ws_run_begin(&worker->run, block, NULL) &&
           ws_run_block(&worker->run, &worker->totals, NULL, &state, NULL) == WS_STATUS_ok && state == WS_BLOCK_ended;
}

static void *work(void *context)
{
    struct worker *const worker = context;
    struct parallel *const all = worker->all;
    u64 block;
    while (!has_failed(all) && (block = __atomic_fetch_add(&all->next, 1, __ATOMIC_RELAXED)) < all->plan->blocks)
        if (!run_block(worker, block))
            fail(all);
    return NULL;
}

static void run_workers(struct parallel *all)
{
    u32 started = 1;
    while (started < all->worker_count && pthread_create(&all->workers[started].thread, NULL, work, &all->workers[started]) == 0)
        started++;
    work(&all->workers[0]);
    for (u32 n = 1; n < started; n++)
        pthread_join(all->workers[n].thread, NULL);
    look_for_dependence(all);
}

/* Adds what the workers executed. False if that is more than allowed. */
static bool add_totals(const struct parallel *all, struct ws_totals *totals)
{
    const u64 left = totals->left;
    u64 spent = 0, instructions = 0;
    for (u32 n = 0; n < all->worker_count; n++) {
        spent += left - all->workers[n].totals.left;
        instructions += all->workers[n].totals.instructions;
    }
    if (spent > left)
        return false;
    totals->left -= spent;
    totals->instructions += instructions;
    totals->changes++;
    return true;
}

bool ws_grid_run_parallel(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_totals *totals, bool *depend)
{
    const u32 most = options->workers < MOST_WORKERS ? options->workers : MOST_WORKERS;
    struct parallel all = {.plan = plan, .options = options, .next = 1};
    if (most < 2 || !is_suitable(plan, options) || !is_worth(plan, totals->instructions))
        return false;
    all.workers = calloc(most, sizeof *all.workers);
    bool made = all.workers && keep(&all);
    for (u32 n = 0; made && n < most; n++)
        made = make_worker(&all, &all.workers[n], totals->left);
    if (made)
        run_workers(&all);
    const bool done = made && !has_failed(&all) && add_totals(&all, totals);
    if (made && !done)
        restore(&all);
    *depend = made && !done;
    for (u32 n = 0; n < all.worker_count; n++)
        free_worker(&all.workers[n]);
    for (u32 n = 0; n < all.written_count; n++)
        free(all.written[n].before);
    free(all.written);
    free(all.workers);
    return done;
}
