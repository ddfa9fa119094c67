#include "model/code_registers.h"

#include <stdbool.h>
#include <string.h>

enum { PREDICATES = 7 };

static u8 trace_register(u32 file, u32 number, u32 threads)
{
    switch (file) {
    case WS_SASS_R:
        return (u8)(number % WS_FIRST_PREDICATE);
    case WS_SASS_UR:
        return (u8)((threads + number) % WS_FIRST_PREDICATE);
    case WS_SASS_P:
        return (u8)(WS_FIRST_PREDICATE + number);
    default:
        return (u8)(WS_FIRST_PREDICATE + PREDICATES + number);
    }
}

/* Adds a register unless present; false: no room. */
static bool add(u8 *list, u8 *count, u32 room, u8 number)
{
    if (memchr(list, number, *count))
        return true;
    if (*count == room)
        return false;
    list[(*count)++] = number;
    return true;
}

u32 ws_code_registers(const struct ws_machine_instruction *code, u32 threads, struct ws_instruction *to)
{
    u32 lost = 0;
    memset(to->dst, WS_NO_REGISTER, sizeof to->dst);
    memset(to->src, WS_NO_REGISTER, sizeof to->src);
    to->writes = to->reads = 0;
    for (u32 n = 0; n < code->operand_count; n++) {
        const struct ws_machine_operand *const operand = &code->operands[n];
        for (u32 word = 0; word < operand->words && operand->file < WS_SASS_B; word++) {
            const u8 number = trace_register(operand->file, operand->number + word, threads);
            lost += operand->role == WS_CODE_destination ? !add(to->dst, &to->writes, sizeof to->dst, number)
                                                         : !add(to->src, &to->reads, sizeof to->src, number);
        }
    }
    return lost;
}
