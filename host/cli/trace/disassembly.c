#include "cli/trace/disassembly.h"

const char *const cli_class_names[WS_CLASSES] = {
#define CLASS(name, value, doc) [value] = #name,
#include "shared/classes.def"
#undef CLASS
};

const char *const cli_kind_names[WS_KINDS] = {
#define KIND(name, value, doc) [value] = #name,
#include "shared/classes.def"
#undef KIND
};

const char *const cli_space_names[WS_SPACES] = {
#define SPACE(name, value, doc) [value] = #name,
#include "shared/classes.def"
#undef SPACE
};

/* PTX names of these classes; NULL for arithmetic, which has a kind. */
static const char *const words[WS_CLASSES] = {
    [WS_CLASS_load] = "ld",  [WS_CLASS_store] = "st",         [WS_CLASS_atomic] = "atom", [WS_CLASS_branch] = "bra",
    [WS_CLASS_jump] = "bra", [WS_CLASS_barrier] = "bar.sync", [WS_CLASS_exit] = "exit",
};

static bool is_guarded(const struct ws_instruction *instruction)
{
    return (instruction->flags & WS_GUARDED) || instruction->class_ == WS_CLASS_branch;
}

u8 cli_guard(const struct ws_instruction *instruction)
{
    const u8 last = instruction->reads > 0 ? instruction->src[instruction->reads - 1] : WS_NO_REGISTER;
    return is_guarded(instruction) && last >= WS_FIRST_PREDICATE ? last : WS_NO_REGISTER;
}

static void add_register(u8 number, struct ws_text *out)
{
    if (number < WS_FIRST_PREDICATE)
        ws_text_add(out, "r%u", number);
    else
        ws_text_add(out, "p%u", number - WS_FIRST_PREDICATE);
}

static void add_registers(const u8 *numbers, u32 count, struct ws_text *out)
{
    for (u32 n = 0; n < count; n++) {
        ws_text_add(out, " ");
        add_register(numbers[n], out);
    }
}

static void add_guard(const struct ws_instruction *instruction, u8 guard, struct ws_text *out)
{
    if (!is_guarded(instruction))
        return;
    ws_text_add(out, "@");
    if (guard == WS_NO_REGISTER)
        ws_text_add(out, "?");
    else
        add_register(guard, out);
    ws_text_add(out, " ");
}

static void add_mnemonic(const struct ws_instruction *instruction, struct ws_text *out)
{
    const char *const word = words[instruction->class_], *const class_ = cli_class_names[instruction->class_];
    if (instruction->space != WS_SPACE_none)
        ws_text_add(out, "%s.%s%s%s.b%u", word, cli_space_names[instruction->space], instruction->flags & WS_ASYNC ? ".async" : "",
                    instruction->flags & WS_BYPASS ? ".cg" : "", 8u * instruction->bytes);
    else if (instruction->flags & WS_AWAITS)
        ws_text_add(out, "wait_group %u", instruction->bytes);
    else if (instruction->flags & WS_ASYNC)
        ws_text_add(out, "commit_group");
    else if (instruction->flags & WS_NAMED)
        ws_text_add(out, "%s %u, %u", instruction->flags & WS_ARRIVES ? "bar.arrive" : word, instruction->bytes,
                    instruction->target);
    else if (word)
        ws_text_add(out, "%s", word);
    else if (instruction->kind == WS_KIND_other)
        ws_text_add(out, "%s", class_);
    else
        ws_text_add(out, "%s.%s", cli_kind_names[instruction->kind], class_);
}

static void add_targets(const struct ws_instruction *instruction, struct ws_text *out)
{
    if (instruction->class_ != WS_CLASS_branch && instruction->class_ != WS_CLASS_jump)
        return;
    ws_text_add(out, " %u", instruction->target);
    if (instruction->class_ == WS_CLASS_jump)
        return;
    if (instruction->reconverge == WS_PC_NONE)
        ws_text_add(out, " join end");
    else
        ws_text_add(out, " join %u", instruction->reconverge);
}

void cli_disassemble_code(const struct ws_instruction *instruction, const struct ws_machine_instruction *code, struct ws_text *out)
{
    ws_text_add(out, "%s", code->text);
    if (instruction->class_ == WS_CLASS_branch || instruction->class_ == WS_CLASS_jump)
        ws_text_add(out, " to");
    add_targets(instruction, out);
}

static void add_barrier(char letter, u32 barrier, struct ws_text *out)
{
    if (barrier == WS_SASS_NO_BARRIER)
        ws_text_add(out, ":%c-", letter);
    else
        ws_text_add(out, ":%c%u", letter, barrier);
}

void cli_control(u32 bits, struct ws_text *out)
{
    enum { COUNTERS = 6 };
    const struct ws_sass_control control = ws_sass_control_of(bits);
    ws_text_add(out, "B");
    for (u32 n = 0; n < COUNTERS; n++)
        ws_text_add(out, "%c", control.waits >> n & 1 ? '0' + (int)n : '-');
    add_barrier('R', control.reads, out);
    add_barrier('W', control.writes, out);
    ws_text_add(out, ":%c:S%02u", control.yield ? 'Y' : '-', control.stall);
}

void cli_disassemble(const struct ws_instruction *instruction, struct ws_text *out)
{
    const u8 guard = cli_guard(instruction);
    const u32 reads = instruction->reads - (guard == WS_NO_REGISTER ? 0u : 1u);
    add_guard(instruction, guard, out);
    add_mnemonic(instruction, out);
    add_targets(instruction, out);
    add_registers(instruction->dst, instruction->writes, out);
    if (reads > 0)
        ws_text_add(out, " <-");
    add_registers(instruction->src, reads, out);
}
