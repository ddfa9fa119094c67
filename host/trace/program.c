/* The rules of a valid static program. */
#include "trace/launch.h"

#include <stdbool.h>

#include "base/error.h"
#include "trace/format.h"

static bool transfers(const struct ws_instruction *instruction)
{
    return instruction->class_ == WS_CLASS_branch || instruction->class_ == WS_CLASS_jump;
}

static bool accesses_memory(const struct ws_instruction *instruction)
{
    return instruction->class_ >= WS_CLASS_load && instruction->class_ <= WS_CLASS_atomic;
}

/* Whether the flags of cache operators and asynchronous copies are on instructions that can have them. */
static bool memory_flags_are_sound(const struct ws_instruction *instruction)
{
    const u8 class_ = instruction->class_, space = instruction->space;
    const bool from = class_ == WS_CLASS_load && space == WS_SPACE_global,
               to = class_ == WS_CLASS_store && space == WS_SPACE_shared;
    if ((instruction->flags & WS_BYPASS) && !from)
        return false;
    if ((instruction->flags & WS_AWAITS) && (class_ != WS_CLASS_int || instruction->flags & WS_ASYNC))
        return false;
    return !(instruction->flags & WS_ASYNC) || from || to || class_ == WS_CLASS_int;
}

static bool size_is_sound(const struct ws_instruction *instruction)
{
    if (instruction->flags & WS_AWAITS)
        return instruction->bytes <= WS_AWAITS_MOST;
    if (!accesses_memory(instruction))
        return instruction->bytes == 0;
    return instruction->bytes >= 1 && instruction->bytes <= 16 && ws_popcount(instruction->bytes) == 1;
}

/* The error of an instruction, in words, and the wrong value; NULL when it is valid. */
static const char *defect(const struct ws_instruction *instruction, u32 instructions, u32 *found)
{
    *found = instruction->class_;
    if (instruction->class_ >= WS_CLASSES)
        return "unknown class";
    *found = instruction->kind;
    if (instruction->kind >= WS_KINDS)
        return "unknown kind";
    if (instruction->kind != WS_KIND_other && instruction->class_ > WS_CLASS_sfu)
        return "only arithmetic has a kind of its own: kind";
    *found = instruction->flags;
    if (instruction->flags & ~(WS_GUARDED | WS_NAMED | WS_ARRIVES | WS_BYPASS | WS_ASYNC | WS_AWAITS))
        return "unknown flags";
    if (!memory_flags_are_sound(instruction))
        return "a cache operator or an asynchronous copy of another instruction: flags";
    if ((instruction->flags & WS_NAMED ? instruction->class_ != WS_CLASS_barrier : (instruction->flags & WS_ARRIVES) != 0))
        return "only a barrier is for part of the block: flags";
    if ((instruction->flags & WS_GUARDED) && WS_IS_NEVER_GUARDED(instruction->class_))
        return "a guard on a branch, jump or barrier: flags";
    *found = instruction->space;
    if (instruction->space >= WS_SPACES)
        return "unknown memory space";
    if ((instruction->space != WS_SPACE_none) != accesses_memory(instruction))
        return "only loads, stores and atomics have a memory space: space";
    *found = instruction->bytes;
    if ((instruction->flags & WS_NAMED) && instruction->bytes >= WS_NAMED_BARRIERS)
        return "a block has barriers 0 to 15: barrier";
    if (!(instruction->flags & WS_NAMED) && !size_is_sound(instruction))
        return "bytes accessed must be 1, 2, 4, 8 or 16, without an access 0, of a wait at most 63: bytes";
    *found = instruction->target;
    if ((instruction->flags & WS_NAMED) && instruction->target == 0)
        return "a barrier for no thread: threads";
    if (transfers(instruction) && instruction->target >= instructions)
        return "target outside the program:";
    *found = instruction->reconverge;
    if (instruction->class_ == WS_CLASS_branch && instruction->reconverge >= instructions && instruction->reconverge != WS_PC_NONE)
        return "reconvergence point outside the program:";
    *found = instruction->reads;
    if (instruction->reads > sizeof instruction->src)
        return "more source registers than there is room for:";
    *found = instruction->writes;
    if (instruction->writes > sizeof instruction->dst)
        return "more destination registers than there is room for:";
    return NULL;
}

enum ws_status wst_program_check(const struct ws_launch *launch, struct ws_error *error)
{
    for (u32 pc = 0; pc < launch->instructions; pc++) {
        u32 found;
        const char *const what = defect(&launch->program[pc], launch->instructions, &found);
        if (what)
            return ws_fail(error, WS_STATUS_bad_input, "instruction %u of %u (line %u): %s %u", pc, launch->instructions,
                           launch->program[pc].line, what, found);
    }
    return WS_STATUS_ok;
}
