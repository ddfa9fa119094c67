#include "engine/jobs/predecode.h"

#include <stdlib.h>
#include <string.h>

#include "engine/variant.h"
#include "model/stack.h"
#include "model/streams.h"
#include "shared/packets.h"

/* Most words of a record: header, moves, stack, guard, lines and their sectors. */
#define RECORD_MOST (1u + 2 + 1 + 1 + WS_LANES + WS_LANES / 4)
/* Most plain instructions that a header can count; programs are shorter. */
#define PLAIN_MOST 0xFFFFu

struct predecoding {
    const struct ws_image *image;
    const struct ws_predecoding *how;
    struct ws_group *groups;
    u16 *plain; /* of each pc: plain instructions in a row from it on, jumps excluded */
    u32 *words;
    u64 count, room, most; /* words: written, allocated, allowed */
};

/* A split of a `serial` warp: threads that share a pc. */
struct part {
    u32 pc, mask;
    bool waits; /* at a barrier */
};

/* A warp during its walk through the trace. */
struct walk {
    struct predecoding *predecoding;
    struct ws_streams streams;
    struct ws_stack stack;       /* serial: only pc and mask, of the current split */
    struct part parts[WS_LANES]; /* serial: the other splits */
    u32 split_count;
    u32 plain; /* instructions since its last record */
};

/* Contents of an instruction's record. */
struct record {
    u32 header, count;
    u32 words[RECORD_MOST];
};

bool ws_predecoding_of(const struct ws_machine *machine, struct ws_predecoding *predecoding)
{
    const u32 line = machine->l1_line / machine->l1_sectors / WS_GRANULE_BYTES;
    memset(predecoding, 0, sizeof *predecoding);
    if (!ws_variant_predecoded(machine) ||
        (machine->divergence_unit == WS_divergence_pdom && machine->divergence_merge != WS_toggle_on))
        return false;
    predecoding->unit = machine->divergence_unit;
    predecoding->warp_size = machine->core_warp_size;
    predecoding->first_path = machine->divergence_first_path;
    predecoding->access = ws_access_rules_of(machine);
    predecoding->line[WS_SPACE_global] = line;
    predecoding->sectors = ws_pipeline_facts(machine->core_pipeline).levels;
    if (predecoding->sectors) {
        predecoding->line[WS_SPACE_constant] = machine->constant_line / WS_GRANULE_BYTES;
        predecoding->line[WS_SPACE_texture] = machine->texture_line / WS_GRANULE_BYTES;
    }
    return true;
}

/* ---- Accesses ---- */

static void add(struct record *record, u32 word)
{
    record->words[record->count++] = word;
}

/* Distinct values, and a bit for each by its hash: most values that are not in the list are known to be new without a search. */
struct seen {
    u64 hashes;
    u32 count, *values;
};

/* Index of a value in the list, to which it is appended if missing. */
static u32 place_of(struct seen *seen, u32 value)
{
    const u64 bit = (u64)1 << (value * 0x9E3779B1u >> 26);
    u32 n = seen->hashes & bit ? seen->count : 0;
    while (n > 0 && seen->values[n - 1] != value)
        n--;
    if (n > 0)
        return n - 1;
    seen->hashes |= bit;
    seen->values[seen->count] = value;
    return seen->count++;
}

/* The granule of an access; constants and textures have regions of their own. */
static u32 granule_of(const struct ws_instruction *instruction, u32 access)
{
    if (instruction->space == WS_SPACE_global)
        return ws_global_granule(instruction->class_, access);
    return (instruction->space == WS_SPACE_constant ? WS_CONSTANT_GRANULE : WS_TEXTURE_GRANULE) +
           (access / (WS_GRANULE_BYTES / 4) & (WS_REGION_GRANULES - 1));
}

/* Distinct granules of each line, four to a word. */
static void add_sectors(struct record *record, const u8 *sectors, u32 lines)
{
    record->header |= WS_PACKET_SECTORS;
    for (u32 n = 0; n < lines; n += 4)
        add(record, sectors[n] | (u32)sectors[n + 1] << 8 | (u32)sectors[n + 2] << 16 | (u32)sectors[n + 3] << 24);
}

/* Adds the lines of lanes that access together to their list; returns how many. */
static u32 add_together(struct walk *walk, const struct ws_instruction *instruction, const u32 *access, u32 lanes, u32 *lines)
{
    const u32 within = walk->predecoding->how->line[instruction->space] - 1;
    struct seen seen = {.values = lines};
    for (u32 left = lanes; left; left &= left - 1) {
        const u32 line = granule_of(instruction, access[ws_ctz(left)]) & ~within;
        if (seen.count == 0 || line != lines[seen.count - 1])
            place_of(&seen, line);
    }
    return seen.count;
}

/* The same with the sectors of each line. */
static u32 add_sectored(struct walk *walk, const struct ws_instruction *instruction, const u32 *access, u32 lanes, u32 *lines,
                        u8 *sectors)
{
    const u32 within = walk->predecoding->how->line[instruction->space] - 1;
    u32 granules[WS_LANES];
    struct seen seen = {.values = lines}, distinct = {.values = granules};
    for (u32 left = lanes; left; left &= left - 1) {
        const u32 granule = granule_of(instruction, access[ws_ctz(left)]), before = distinct.count;
        if (before != 0 && granules[before - 1] == granule)
            continue;
        place_of(&distinct, granule);
        if (distinct.count != before)
            sectors[place_of(&seen, granule & ~within)]++;
    }
    return seen.count;
}

static void add_lines(struct walk *walk, const struct ws_instruction *instruction, const u32 *access, u32 lanes,
                      struct record *record)
{
    const struct ws_predecoding *const how = walk->predecoding->how;
    const bool sectored = how->sectors && instruction->class_ != WS_CLASS_load;
    u32 lines[WS_LANES], count = 0;
    u8 sectors[WS_LANES] = {0};
    for (u32 left = lanes, together; left; left &= ~together) {
        together = ws_lanes_together(&how->access, instruction->class_, access, left);
        count += sectored ? add_sectored(walk, instruction, access, together, lines + count, sectors + count)
                          : add_together(walk, instruction, access, together, lines + count);
    }
    record->header |= count << 16 | WS_PACKET_LINES;
    for (u32 n = 0; n < count; n++)
        add(record, lines[n]);
    if (sectored)
        add_sectors(record, sectors, count);
}

static void add_access(struct walk *walk, const struct ws_instruction *instruction, const u32 *access, u32 lanes,
                       struct record *record)
{
    if (!(instruction->flags & WS_ADDRESSED) || lanes == 0)
        return;
    if (instruction->space == WS_SPACE_shared)
        record->header |= ws_shared_passes(&walk->predecoding->how->access, instruction, access, lanes) << 16;
    else
        add_lines(walk, instruction, access, lanes, record);
}

/* ---- Splits (docs/model/divergence.md) ---- */

static void append_part(struct walk *walk, u32 pc, u32 mask, bool waits)
{
    if (mask)
        walk->parts[walk->split_count++] = (struct part){.pc = pc, .mask = mask, .waits = waits};
}

/* The first split that does not wait becomes current; without one the mask is empty. */
static void next_part(struct walk *walk)
{
    u32 n = 0;
    walk->stack.mask = 0;
    while (n < walk->split_count && walk->parts[n].waits)
        n++;
    if (n == walk->split_count)
        return;
    walk->stack.pc = walk->parts[n].pc;
    walk->stack.mask = walk->parts[n].mask;
    walk->split_count--;
    memmove(&walk->parts[n], &walk->parts[n + 1], (walk->split_count - n) * sizeof *walk->parts);
}

static void append_sides(struct walk *walk, const struct ws_instruction *branch, u32 taken)
{
    const u32 mask = walk->stack.mask, next = walk->stack.pc + 1;
    const bool target_first = ws_taken_runs_first(walk->predecoding->how->first_path, mask, taken);
    append_part(walk, target_first ? branch->target : next, target_first ? taken : mask & ~taken, false);
    append_part(walk, target_first ? next : branch->target, target_first ? mask & ~taken : taken, false);
}

/* Whether all splits have arrived at a barrier: the next turn is after its release. */
static bool advance_parts(struct walk *walk, const struct ws_instruction *instruction, u32 taken, u32 after)
{
    if (instruction->class_ == WS_CLASS_branch)
        append_sides(walk, instruction, taken);
    else
        append_part(walk, after, instruction->class_ == WS_CLASS_exit ? walk->stack.mask & ~taken : walk->stack.mask,
                    instruction->class_ == WS_CLASS_barrier);
    next_part(walk);
    if (walk->stack.mask || walk->split_count == 0)
        return false;
    for (u32 n = 0; n < walk->split_count; n++)
        walk->parts[n].waits = false;
    next_part(walk);
    return true;
}

/* ---- Records ---- */

static bool is_plain(const struct ws_instruction *instruction)
{
    return !(instruction->flags & (WS_GUARDED | WS_ADDRESSED)) && instruction->class_ != WS_CLASS_branch &&
           instruction->class_ != WS_CLASS_barrier && instruction->class_ != WS_CLASS_exit;
}

static u32 pc_after(const struct ws_instruction *instruction, u32 pc)
{
    return instruction->class_ == WS_CLASS_jump ? instruction->target : pc + 1;
}

/* Allocates words; false at the limit. */
static bool reserve(struct predecoding *predecoding, u64 words)
{
    if (predecoding->count + words <= predecoding->room)
        return true;
    u64 room = predecoding->room ? predecoding->room * 2 : 4096;
    room = room < predecoding->most ? room : predecoding->most;
    if (predecoding->count + words > room)
        return false;
    u32 *const grown = realloc(predecoding->words, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    predecoding->words = grown;
    predecoding->room = room;
    return true;
}

/* Writes the record of an instruction after which the warp is in the state of its stack. pc, mask: the state after a plain
 * instruction. */
static bool write_record(struct walk *walk, struct record *record, u32 pc, u32 mask)
{
    struct predecoding *const predecoding = walk->predecoding;
    const struct ws_stack *const stack = &walk->stack;
    if (!reserve(predecoding, RECORD_MOST))
        return false;
    u32 *const header = &predecoding->words[predecoding->count++];
    *header = record->header | walk->plain;
    walk->plain = 0;
    if (stack->mask == 0)
        *header |= WS_PACKET_ENDS;
    if (stack->popped || (stack->mask && (stack->pc != pc || stack->mask != mask))) {
        *header |= WS_PACKET_MOVES;
        predecoding->words[predecoding->count++] = stack->pc | stack->popped << 16;
        predecoding->words[predecoding->count++] = stack->mask;
    }
    if (record->header & WS_PACKET_DIVERGED)
        predecoding->words[predecoding->count++] = (stack->depth + stack->popped) | stack->pushed << 16;
    memcpy(predecoding->words + predecoding->count, record->words, record->count * sizeof *record->words);
    predecoding->count += record->count;
    return true;
}

/* Moves the warp past an instruction; lanes in taken go to a branch's target or exit. False for a stack that is too deep. */
static bool advance(struct walk *walk, const struct ws_instruction *instruction, u32 taken, u32 after, struct record *record)
{
    bool fits = true, arrives = instruction->class_ == WS_CLASS_barrier;
    if (walk->predecoding->how->unit == WS_divergence_serial)
        arrives = advance_parts(walk, instruction, taken, after);
    else
        fits = ws_stack_advance(&walk->stack, instruction, taken);
    record->header |= arrives ? WS_PACKET_ARRIVES : 0;
    return fits;
}

/* Executes plain instructions up to the first that may have a record. */
static void pass_plain(struct walk *walk)
{
    struct ws_stack *const stack = &walk->stack;
    if (stack->pc >= walk->predecoding->image->instructions || walk->split_count != 0)
        return;
    u32 count = ws_min(walk->predecoding->plain[stack->pc], PLAIN_MOST - walk->plain);
    const u32 reconverge = stack->depth != 0 ? stack->entries[stack->depth - 1].reconverge : WS_PC_NONE;
    if (reconverge > stack->pc)
        count = ws_min(count, reconverge - stack->pc - 1);
    stack->pc += count;
    walk->plain += count;
}

/* Executes the warp's next instruction. */
static enum ws_status step(struct walk *walk)
{
    const struct ws_image *const image = walk->predecoding->image;
    struct ws_stack *const stack = &walk->stack;
    if (stack->pc >= image->instructions || walk->plain >= PLAIN_MOST)
        return WS_STATUS_usage;
    const struct ws_instruction *const instruction = &image->program[stack->pc];
    const u32 mask = stack->mask, after = pc_after(instruction, stack->pc);
    struct record record = {.header = 0};
    const bool branch = instruction->class_ == WS_CLASS_branch;
    u32 access[WS_LANES];
    const u32 lanes = ws_streams_take(&walk->streams, instruction, mask, access);
    if (branch && lanes != 0 && lanes != mask)
        record.header |= WS_PACKET_DIVERGED;
    if (instruction->flags & WS_GUARDED) {
        record.header |= WS_PACKET_GUARD;
        add(&record, lanes);
    }
    add_access(walk, instruction, access, lanes, &record);
    if (!advance(walk, instruction, lanes, after, &record))
        return WS_STATUS_usage;
    if (is_plain(instruction) && stack->pc == after && stack->mask == mask && stack->popped == 0 && record.header == 0) {
        walk->plain++;
        return WS_STATUS_ok;
    }
    return write_record(walk, &record, after, mask) ? WS_STATUS_ok : WS_STATUS_no_memory;
}

static enum ws_status predecode_warp(struct predecoding *predecoding, u64 number, u32 block, u32 first, u32 threads)
{
    struct walk walk = {.predecoding = predecoding,
                        .streams = ws_streams_of(predecoding->image, block, first),
                        .stack = {.mask = ws_bits_below(threads), .first_path = predecoding->how->first_path}};
    enum ws_status status = WS_STATUS_ok;
    predecoding->groups[number].decisions = predecoding->count;
    while (status == WS_STATUS_ok && walk.stack.mask) {
        pass_plain(&walk);
        status = step(&walk);
    }
    return status;
}

static enum ws_status predecode_block(struct predecoding *predecoding, u32 block)
{
    const struct ws_image *const image = predecoding->image;
    const u32 size = predecoding->how->warp_size;
    const u64 first = (u64)block * image->groups_per_block * (WS_LANES / size);
    enum ws_status status = WS_STATUS_ok;
    for (u32 rank = 0; status == WS_STATUS_ok && rank * size < image->block_threads; rank++)
        status = predecode_warp(predecoding, first + rank, block, rank * size, ws_min(size, image->block_threads - rank * size));
    return status;
}

/* Counts the plain instructions in a row from each pc on. */
static enum ws_status count_plain(struct predecoding *predecoding)
{
    const struct ws_image *const image = predecoding->image;
    predecoding->plain = calloc(image->instructions + 1, sizeof *predecoding->plain);
    if (!predecoding->plain)
        return WS_STATUS_no_memory;
    for (u32 pc = image->instructions; pc-- > 0;)
        if (is_plain(&image->program[pc]) && image->program[pc].class_ != WS_CLASS_jump)
            predecoding->plain[pc] = (u16)(predecoding->plain[pc + 1] + 1);
    return WS_STATUS_ok;
}

/* A header after the last record, which an ended warp may read. */
static enum ws_status end(struct predecoding *predecoding)
{
    if (!reserve(predecoding, 1))
        return WS_STATUS_no_memory;
    predecoding->words[predecoding->count++] = 0;
    u32 *const fitted = realloc(predecoding->words, (size_t)predecoding->count * sizeof *fitted);
    predecoding->words = fitted ? fitted : predecoding->words;
    return WS_STATUS_ok;
}

static enum ws_status finish(struct predecoding *predecoding, struct ws_image **packets)
{
    struct ws_image *const made = malloc(sizeof *made);
    if (!made)
        return WS_STATUS_no_memory;
    *made = *predecoding->image;
    made->packets = predecoding->how->warp_size;
    made->groups = predecoding->groups;
    made->words = predecoding->words;
    made->word_count = predecoding->count;
    *packets = made;
    return WS_STATUS_ok;
}

enum ws_status ws_predecode(const struct ws_image *image, const struct ws_predecoding *how, u64 bytes, struct ws_image **packets)
{
    struct predecoding predecoding = {.image = image, .how = how, .most = bytes / sizeof(u32)};
    const u64 groups = (u64)image->blocks * image->groups_per_block * (WS_LANES / how->warp_size);
    enum ws_status status = WS_STATUS_ok;
    *packets = NULL;
    predecoding.most = predecoding.most < 0xFFFFFFFFu ? predecoding.most : 0xFFFFFFFFu; /* kernels count words in 32 bits */
    predecoding.groups = calloc(groups + 1, sizeof *predecoding.groups);
    if (!predecoding.groups)
        return WS_STATUS_no_memory;
    status = count_plain(&predecoding);
    for (u32 block = 0; status == WS_STATUS_ok && block < image->blocks; block++)
        status = predecode_block(&predecoding, block);
    if (status == WS_STATUS_ok)
        status = end(&predecoding);
    if (status == WS_STATUS_ok)
        status = finish(&predecoding, packets);
    free(predecoding.plain);
    if (status != WS_STATUS_ok) {
        free(predecoding.groups);
        free(predecoding.words);
    }
    return status;
}

void ws_predecoded_free(struct ws_image *packets)
{
    if (!packets)
        return;
    free((void *)(uintptr_t)packets->groups);
    free((void *)(uintptr_t)packets->words);
    free(packets);
}
