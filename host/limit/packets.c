#include "limit/packets.h"

#include "base/error.h"
#include "model/access.h"
#include "model/streams.h"

struct execution {
    const struct limit_code *code;
    const struct ws_machine *machine;
    struct ws_streams streams;
    struct limit_stream *stream;
};

/* Lines of lanes that access together. */
static u32 count_lines(const struct ws_machine *machine, u32 class_, const u32 *access, u32 lanes)
{
    u32 lines[WS_LANES], count = 0;
    for (u32 left = lanes; left; left &= left - 1) {
        const u32 line =
            ws_global_granule(class_, access[ws_ctz(left)]) / (machine->l1_line / machine->l1_sectors / WS_GRANULE_BYTES);
        u32 place = 0;
        while (place < count && lines[place] != line)
            place++;
        lines[place] = line;
        count = ws_max(count, place + 1);
    }
    return count;
}

u32 limit_passes(const struct ws_machine *machine, const struct ws_instruction *instruction, const u32 *access, u32 lanes)
{
    const struct ws_access_rules rules = ws_access_rules_of(machine);
    u32 passes = 0;
    if (instruction->space != WS_SPACE_global)
        return ws_shared_passes(&rules, instruction, access, lanes);
    for (u32 left = lanes, together; left; left &= ~together) {
        together = ws_lanes_together(&rules, instruction->class_, access, left);
        passes += count_lines(machine, instruction->class_, access, together);
    }
    return machine->memory_data_port == WS_data_port_banks ? ws_min(passes, 1) : passes;
}

u32 limit_latency(const struct ws_machine *machine, const struct ws_instruction *instruction)
{
    const bool reads = instruction->class_ != WS_CLASS_store || machine->l1_store == WS_store_back;
    return instruction->space == WS_SPACE_global && reads ? machine->l1_latency : 0;
}

static void execute(struct execution *execution, const struct ws_instruction *instruction, u32 lanes, bool arrives)
{
    u32 access[WS_LANES], passes = 0;
    const u32 decided = ws_streams_take(&execution->streams, instruction, lanes, access);
    if (instruction->flags & WS_ADDRESSED)
        passes = limit_passes(execution->machine, instruction, access, decided);
    limit_stream_add(execution->stream, (struct limit_packet){.passes = (u16)passes,
                                                              .latency = (u16)limit_latency(execution->machine, instruction),
                                                              .arrives = arrives});
}

/* The warp arrives with the last barrier of a segment; the place after the segment if there is none. */
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
    struct execution execution = {
        .code = code, .machine = machine, .streams = ws_streams_of(image, warp->block, warp->first_thread), .stream = stream};
    const struct limit_sequence *const columns = &warp->sequences[ws_ctz(warp->groups)];
    for (u32 n = 0; n < columns->segments; n++)
        execute_segment(&execution, columns, n);
    return stream->failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory for the packets of a warp") : WS_STATUS_ok;
}
