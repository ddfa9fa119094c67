#include "limit/packets.h"

#include "base/error.h"
#include "limit/paths.h"

struct execution {
    const struct limit_code *code;
    const struct ws_machine *machine;
    struct limit_thread threads[WS_LANES];
    struct limit_stream *stream;
};

/* Keeps one of each key; returns how many there are. */
static u32 distinct(u32 *keys, u32 count)
{
    u32 kept = 0;
    for (u32 n = 0; n < count; n++) {
        u32 place = 0;
        while (place < kept && keys[place] != keys[n])
            place++;
        keys[place] = keys[n];
        kept = ws_max(kept, place + 1);
    }
    return kept;
}

u32 limit_passes(const struct ws_machine *machine, u32 space, u32 *keys, u32 count)
{
    u32 words[WS_LANES] = {0}, most = 0;
    if (space == WS_SPACE_global) {
        for (u32 n = 0; n < count; n++)
            keys[n] /= machine->l1_line / WS_GRANULE_BYTES;
        return distinct(keys, count);
    }
    count = distinct(keys, count);
    for (u32 n = 0; n < count; n++)
        most = ws_max(most, ++words[keys[n] % machine->memory_shared_banks]);
    return most;
}

u32 limit_latency(const struct ws_machine *machine, const struct ws_instruction *instruction)
{
    const bool reads = instruction->class_ != WS_CLASS_store || machine->l1_store == WS_store_back;
    return instruction->space == WS_SPACE_global && reads ? machine->l1_latency : 0;
}

/* Takes the decisions of the lanes of a mask. */
static u32 decide(struct execution *execution, u32 lanes)
{
    u32 decided = 0;
    for (u32 left = lanes; left; left &= left - 1)
        decided |= limit_thread_decide(&execution->threads[ws_ctz(left)]) << ws_ctz(left);
    return decided;
}

static u32 access_memory(struct execution *execution, u32 space, u32 lanes)
{
    u32 keys[WS_LANES], count = 0;
    for (u32 left = lanes; left; left &= left - 1)
        keys[count++] = limit_thread_access(&execution->threads[ws_ctz(left)]);
    return limit_passes(execution->machine, space, keys, count);
}

static void execute(struct execution *execution, const struct ws_instruction *instruction, u32 lanes, bool arrives)
{
    u32 decided = lanes, passes = 0;
    if ((instruction->flags & WS_GUARDED) || instruction->class_ == WS_CLASS_branch)
        decided = decide(execution, lanes);
    if (instruction->flags & WS_ADDRESSED)
        passes = access_memory(execution, instruction->space, decided);
    limit_stream_add(execution->stream, (struct limit_packet){.passes = (u16)passes,
                                                              .latency = (u16)limit_latency(execution->machine, instruction),
                                                              .arrives = arrives});
}

/* With the last barrier of a segment the warp arrives; the place past the segment where there is none. */
static u32 last_barrier(const struct limit_code *code, const struct limit_sequence *columns, u32 first, u32 end)
{
    for (u32 place = end; place > first; place--)
        if (limit_code_is_barrier(code, columns->tokens[place - 1]))
            return place - 1;
    return end;
}

static void execute_segment(struct execution *execution, const struct limit_sequence *columns, u32 n)
{
    const struct limit_code *const code = execution->code;
    const u32 first = limit_segment_first(columns, n), end = first + limit_segment_length(columns, n);
    const u32 arrival = last_barrier(code, columns, first, end);
    for (u32 place = first; place < end; place++) {
        const u32 token = columns->tokens[place];
        for (u32 pc = code->first[token]; pc < code->first[token + 1]; pc++)
            execute(execution, &code->program[pc], columns->lanes[place], place == arrival);
    }
}

enum ws_status limit_packets_make(const struct ws_image *image, const struct limit_code *code, const struct ws_machine *machine,
                                  const struct limit_warp *warp, struct limit_stream *stream, struct ws_error *error)
{
    struct execution execution = {.code = code, .machine = machine, .stream = stream};
    const struct limit_sequence *const columns = &warp->sequences[ws_ctz(warp->groups)];
    for (u32 lane = 0; lane < warp->threads; lane++)
        execution.threads[lane] = limit_thread_begin(image, warp->block, warp->first_thread + lane);
    for (u32 n = 0; n < columns->segments; n++)
        execute_segment(&execution, columns, n);
    return stream->failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory for the packets of a warp") : WS_STATUS_ok;
}
