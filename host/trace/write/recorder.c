#include "model/recorder.h"

#include <inttypes.h>

#include "base/error.h"
#include "trace/write/writer.h"

struct ws_recorder *ws_recorders_begin(struct ws_trace_writer *writer, u64 index)
{
    if (writer->recording || index != writer->index.blocks + writer->section_blocks || index >= writer->blocks)
        return NULL;
    for (u32 n = 0; n < writer->block_threads; n++) {
        writer->recorders[n] = (struct ws_recorder){.decisions = writer->decisions + n * writer->decision_words,
                                                    .decision_room = 64 * writer->decision_words,
                                                    .accesses = writer->accesses + n * writer->access_room,
                                                    .access_room = writer->access_room,
                                                    .writer = writer};
        writer->threads[n] = (struct wst_thread){.node = writer->graph.start, .tally = {.instructions = writer->graph.start_steps}};
    }
    wst_predictors_next_block(&writer->predictors);
    writer->block = index;
    writer->recording = true;
    return writer->recorders;
}

static enum ws_status contradiction(const struct ws_trace_writer *writer, u64 number, const char *what, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_bad_trace, "%s: block %" PRIu64 ", thread %" PRIu64 ", after %" PRIu64 " instructions: %s",
                   writer->output.path, writer->block, number, writer->threads[number].tally.instructions, what);
}

/* Follows a thread's path along its recorder's contents, up to the first node without any, and writes the residuals of its
 * addresses; the caller has made room. */
static enum ws_status encode_addresses(struct ws_trace_writer *writer, const struct ws_recorder *recorder, u64 number,
                                       struct wst_bytes *residuals, struct ws_error *error)
{
    struct wst_thread thread = writer->threads[number];
    struct wst_predictor *const own = writer->predictors.threads + number * writer->predictors.slots;
    const struct wst_node *const nodes = writer->graph.nodes, *node = nodes + thread.node;
    const u64 *address = recorder->accesses, *const end = address + recorder->access_count;
    const u64 *const decisions = recorder->decisions, count = recorder->decision_count;
    u8 *out = residuals->data + residuals->length;
    u64 decision = 0, misaligned = 0;
    for (;;) {
        u32 way = 0;
        if (node->kind == WST_NODE_DECIDE && decision < count) {
            way = (u32)(decisions[decision / 64] >> (decision % 64)) & 1u;
            decision++;
        } else if (node->kind == WST_NODE_ACCESS && address < end) {
            struct wst_predictor *const mine = own + node->slot;
            struct wst_predictor *const asked = wst_predictor(&writer->predictors, mine, node->slot);
            const u64 value = *address >> node->shift;
            misaligned |= *address++ ^ (value << node->shift);
            out = wst_write_varint(out, wst_zigzag(value - wst_expected(asked)));
            wst_learn(asked, mine, value);
            thread.tally.accesses[node->space]++;
        } else {
            break;
        }
        thread.tally.instructions += node->steps[way];
        node = nodes + node->next[way];
    }
    thread.node = (u32)(node - nodes);
    thread.tally.decisions += decision;
    writer->threads[number] = thread;
    residuals->length = (size_t)(out - residuals->data);
    if (misaligned)
        return contradiction(writer, number, "an address before it is not a multiple of the bytes accessed", error);
    if (decision < count || address < end)
        return contradiction(writer, number, "more is recorded than its path takes", error);
    return WS_STATUS_ok;
}

static void put_decisions(struct wst_bytes *bytes, const struct ws_recorder *recorder)
{
    for (u64 bit = 0; bit < recorder->decision_count; bit += 8) {
        const u64 valid = recorder->decision_count - bit;
        const u64 byte = recorder->decisions[bit / 64] >> (bit % 64);
        wst_put(bytes, valid < 8 ? byte & ws_bits_below((u32)valid) : byte, 1);
    }
}

/* Encodes a recorder's contents as a chunk of the current frame, and empties it. */
static enum ws_status encode(struct ws_trace_writer *writer, struct ws_recorder *recorder, struct ws_error *error)
{
    const u64 number = (u64)(recorder - writer->recorders);
    struct wst_bytes *const residuals = &writer->residuals, *const streams = &writer->streams;
    residuals->length = 0;
    if (!wst_bytes_reserve(residuals, ((size_t)recorder->access_count + 1) * WST_VARINT_MOST))
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", writer->output.path);
    WS_TRY(encode_addresses(writer, recorder, number, residuals, error));
    wst_put_varint(streams, (u64)writer->section_blocks * writer->block_threads + number);
    wst_put_varint(streams, recorder->decision_count);
    wst_put_varint(streams, recorder->access_count);
    wst_put_varint(streams, residuals->length);
    put_decisions(streams, recorder);
    wst_put_block(streams, residuals->data, residuals->length);
    recorder->decision_count = 0;
    recorder->access_count = 0;
    return wst_section_spill(writer, error);
}

static enum ws_status ask_whether_to_go_on(struct ws_trace_writer *writer)
{
    if (!writer->go_on || writer->go_on(writer->context))
        return WS_STATUS_ok;
    return ws_fail(&writer->error, WS_STATUS_interrupted, "%s: interrupted, nothing is written", writer->output.path);
}

bool ws_recorder_more(struct ws_recorder *recorder)
{
    struct ws_trace_writer *const writer = recorder->writer;
    if (recorder->spool)
        return wst_spool_more(recorder);
    if (writer->failure == WS_STATUS_ok)
        writer->failure = ask_whether_to_go_on(writer);
    if (writer->failure == WS_STATUS_ok)
        writer->failure = encode(writer, recorder, &writer->error);
    return writer->failure == WS_STATUS_ok;
}

/* Encodes the remainder of all threads, each of which must have reached its exit, and adds up their instructions. */
static enum ws_status encode_rest(struct ws_trace_writer *writer, u64 *instructions, struct ws_error *error)
{
    for (u32 n = 0; n < writer->block_threads; n++) {
        struct ws_recorder *const recorder = &writer->recorders[n];
        if (recorder->decision_count || recorder->access_count)
            WS_TRY(encode(writer, recorder, error));
        if (writer->graph.nodes[writer->threads[n].node].kind != WST_NODE_END)
            return contradiction(writer, n, "the block ended before the thread's path came to an exit", error);
        *instructions += writer->threads[n].tally.instructions;
    }
    return WS_STATUS_ok;
}

static enum ws_status check_executed(const struct ws_trace_writer *writer, const u64 *executed, u64 instructions,
                                     struct ws_error *error)
{
    u64 sum = 0;
    for (u32 pc = 0; executed && pc < writer->instructions; pc++)
        sum += executed[pc];
    if (!executed || sum == instructions)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_trace,
                   "%s: block %" PRIu64 ": %" PRIu64 " thread instructions were executed, the recorded paths have %" PRIu64,
                   writer->output.path, writer->block, sum, instructions);
}

enum ws_status ws_recorders_end(struct ws_trace_writer *writer, const u64 *executed, struct ws_error *error)
{
    u64 instructions = 0;
    if (writer->failure == WS_STATUS_ok)
        writer->failure = ask_whether_to_go_on(writer);
    if (writer->failure == WS_STATUS_ok)
        writer->failure = encode_rest(writer, &instructions, &writer->error);
    if (writer->failure == WS_STATUS_ok)
        writer->failure = check_executed(writer, executed, instructions, &writer->error);
    if (writer->failure == WS_STATUS_ok)
        writer->failure = wst_section_add_block(writer, &writer->error);
    writer->recording = false;
    return writer->failure == WS_STATUS_ok ? WS_STATUS_ok : ws_fail(error, writer->failure, "%s", writer->error.message);
}
