#include "limit/code.h"

#include <stdlib.h>

#include "base/error.h"

/* Marks starts of basic blocks in begins[], which has an extra element. */
static void mark(const struct ws_image *image, u32 *begins)
{
    begins[0] = 1;
    for (u32 pc = 0; pc < image->instructions; pc++) {
        const struct ws_instruction *const instruction = &image->program[pc];
        switch (instruction->class_) {
        case WS_CLASS_branch:
        case WS_CLASS_jump:
            begins[instruction->target] = 1;
            begins[pc + 1] = 1;
            break;
        case WS_CLASS_barrier:
            begins[pc] |= WS_IS_BLOCK_BARRIER(instruction);
            begins[pc + 1] |= WS_IS_BLOCK_BARRIER(instruction);
            break;
        case WS_CLASS_exit:
            begins[pc + 1] = 1;
            break;
        default:
            break;
        }
    }
}

/* Numbers the basic blocks; at[] holds the marks on entry. */
static void number(const struct ws_image *image, struct limit_code *code)
{
    for (u32 pc = 0; pc < image->instructions; pc++) {
        if (code->at[pc])
            code->first[code->count++] = pc;
        const u32 token = code->count - 1;
        code->at[pc] = token;
        code->weights[token]++;
        code->guards[token] += (image->program[pc].flags & WS_GUARDED) && image->program[pc].class_ != WS_CLASS_exit;
    }
    code->first[code->count] = image->instructions;
}

enum ws_status limit_code_make(const struct ws_image *image, struct limit_code *code, struct ws_error *error)
{
    const size_t room = (size_t)image->instructions + 1;
    *code = (struct limit_code){.program = image->program,
                                .first = calloc(room, sizeof(u32)),
                                .weights = calloc(room, sizeof(u32)),
                                .guards = calloc(room, sizeof(u32)),
                                .at = calloc(room, sizeof(u32))};
    if (!code->first || !code->weights || !code->guards || !code->at) {
        limit_code_free(code);
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for basic blocks");
    }
    mark(image, code->at);
    number(image, code);
    return WS_STATUS_ok;
}

void limit_code_free(struct limit_code *code)
{
    free(code->first);
    free(code->weights);
    free(code->guards);
    free(code->at);
    *code = (struct limit_code){0};
}
