/* malloc and free of kernels. The heap describes itself: words of its first bytes say how much is used, and where the first free
 * block of each size is; a block has a word with its size and state, a free one also the place of the next. Sizes are powers of
 * two. */
#include <string.h>

#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/access.h"
#include "frontend/ptx/ir.h"

enum { HEADER = 16, LEAST = 5, MOST = 40, USED_WORD = 0, LISTS = 1, FIRST = (LISTS + MOST + 1) * 8 / HEADER * HEADER + HEADER };
#define TAKEN UINT64_C(0x68656170A5000000)
#define FREE  UINT64_C(0x686561705A000000)

static u64 get(const u8 *heap, u64 offset)
{
    u64 word;
    memcpy(&word, heap + offset, sizeof word);
    return word;
}

static void set(u8 *heap, u64 offset, u64 word)
{
    memcpy(heap + offset, &word, sizeof word);
}

/* The exponent of a block that holds so many bytes and its header; MOST + 1: none. */
static u32 size_of(u64 bytes)
{
    u32 size = LEAST;
    while (size <= MOST && (UINT64_C(1) << size) - HEADER < bytes)
        size++;
    return size;
}

/* The offset of a block's contents, or 0 if there is no room. */
static u64 take(u8 *heap, u64 room, u64 bytes)
{
    const u32 size = size_of(bytes);
    if (size > MOST)
        return 0;
    const u64 used = get(heap, USED_WORD) ? get(heap, USED_WORD) : FIRST, length = UINT64_C(1) << size;
    u64 block = get(heap, (LISTS + size) * 8);
    if (block) {
        set(heap, (LISTS + size) * 8, get(heap, block + 8));
    } else {
        if (length > room || used > room - length)
            return 0;
        block = used;
        set(heap, USED_WORD, used + length);
    }
    set(heap, block, TAKEN | size);
    return block + HEADER;
}

/* False if nothing at the offset is taken. */
static bool give(u8 *heap, u64 offset)
{
    if (offset < FIRST + HEADER || offset % HEADER != 0 || offset > get(heap, USED_WORD))
        return false;
    const u64 block = offset - HEADER, mark = get(heap, block), size = mark & 0xFF;
    if ((mark & ~UINT64_C(0xFF)) != TAKEN || size < LEAST || size > MOST)
        return false;
    set(heap, block, FREE | size);
    set(heap, block + 8, get(heap, (LISTS + size) * 8));
    set(heap, (LISTS + size) * 8, block);
    return true;
}

/* The heap, whose first word is accessed; NULL after stopping the thread. */
static u8 *find(struct ws_step *step, const u64 *slot, struct ws_thread *thread)
{
    u8 *const heap = ws_access(step, ws_address(step, slot), sizeof(u64), true, thread);
    thread->changes += heap != NULL;
    return heap;
}

struct ws_basic_block *ws_heap_take(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    u8 *const heap = find(step, slot, thread);
    if (!heap)
        return NULL;
    const u64 offset = slot[step->b] ? take(heap, WS_HEAP_BYTES, slot[step->b]) : 0;
    slot[step->dst] = offset ? slot[step->a] + offset : 0;
    return ws_next(step, slot, thread);
}

struct ws_basic_block *ws_heap_give(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    u8 *const heap = find(step, slot, thread);
    if (!heap)
        return NULL;
    const u64 address = slot[step->b];
    if (address && (address - slot[step->a] >= WS_HEAP_BYTES || !give(heap, address - slot[step->a])))
        return ws_stop(step, thread, WS_STOP_no_allocation);
    return ws_next(step, slot, thread);
}
