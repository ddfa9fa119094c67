/* Constant banks and code of a launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sass/file/kernel.h"

enum { STACK_ALIGNMENT = 16 };

const struct ws_sass_kernel *ws_sass_kernel_of(const struct ws_program *program, const struct ws_kernel *kernel)
{
    const struct ws_sass_module *const module = program->machine.module;
    u32 n = 0;
    while (&program->kernels[n] != kernel && (!kernel->ops || program->kernels[n].ops != kernel->ops))
        n++;
    return &module->kernels[n];
}

static u64 address_in(const struct ws_plan *plan, const struct ws_sass_address *address)
{
    u64 value = address->addend;
    if (address->target != WS_SASS_FIXED)
        value += plan->bases[plan->first_variable[address->target == WS_SASS_CONSTANT] + address->variable];
    return value >> address->shift;
}

u64 (*ws_sass_code_fill(const struct ws_sass_kernel *kernel, const struct ws_plan *plan))[2]
{
    u64(*const code)[2] = calloc(kernel->words, WS_SASS_WORD);
    if (!code)
        return NULL;
    memcpy(code, kernel->code, (size_t)kernel->words * WS_SASS_WORD);
    for (u32 n = 0; n < kernel->code_address_count; n++) {
        const struct ws_sass_address *const address = &kernel->code_addresses[n];
        u64 *const low = &code[address->offset / WS_SASS_WORD][0];
        *low = (u32)*low | address_in(plan, address) << 32;
    }
    return code;
}

/* ---- Banks ---- */

static void put(struct ws_sass_banks *banks, u32 offset, u64 value, u32 bytes)
{
    memcpy(banks->data[0] + offset, &value, bytes);
}

static void put_window(struct ws_sass_banks *banks, u32 offset, u64 value)
{
    if (offset != 0)
        put(banks, offset, value, 8);
}

/* Values that hardware and driver write to bank 0 for a launch. */
static void fill_launch(const struct ws_sass_kernel *kernel, const struct ws_plan *plan, struct ws_sass_banks *banks)
{
    const struct ws_sass_abi *const abi = kernel->abi;
    for (u32 n = 0; n < 3; n++) {
        put(banks, abi->block + 4 * n, plan->launch->local[n], 4);
        put(banks, abi->grid + 4 * n, plan->grid[n], 4);
    }
    put(banks, abi->stack, plan->kernel->local_bytes, 4);
    put(banks, abi->dynamic_shared, plan->shared_bytes - plan->kernel->shared_bytes, 4);
    put_window(banks, abi->shared_window, ws_memory_window(&plan->memory, WS_SPACE_shared));
    put_window(banks, abi->local_window, ws_memory_window(&plan->memory, WS_SPACE_local));
    if (plan->program->constant.bytes > 0)
        put_window(banks, abi->constant_window, plan->bases[plan->first_variable[1]]);
    memcpy(banks->data[0] + abi->parameters, plan->parameters, plan->kernel->parameter_bytes);
}

/* Bytes of bank 0: at least those written at a launch. */
static u32 launch_bytes(const struct ws_sass_kernel *kernel, const struct ws_plan *plan)
{
    const u32 least = kernel->abi->parameters + plan->kernel->parameter_bytes;
    return kernel->banks[0].bytes > least ? kernel->banks[0].bytes : least;
}

enum ws_status ws_sass_banks_fill(const struct ws_sass_kernel *kernel, const struct ws_plan *plan, struct ws_sass_banks *banks,
                                  struct ws_error *error)
{
    *banks = (struct ws_sass_banks){0};
    for (u32 n = 0; n < WS_SASS_BANKS; n++) {
        const struct ws_sass_bank *const bank = &kernel->banks[n];
        const bool constants = n == 3;
        banks->bytes[n] = n == 0 ? launch_bytes(kernel, plan) : constants ? plan->program->constant.bytes : bank->bytes;
        if (banks->bytes[n] == 0)
            continue;
        banks->data[n] = calloc(1, banks->bytes[n]);
        if (!banks->data[n]) {
            ws_sass_banks_free(banks);
            return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", kernel->name);
        }
        if (constants)
            memcpy(banks->data[n], plan->variables[1], banks->bytes[n]);
        else if (bank->initial)
            memcpy(banks->data[n], bank->initial, bank->bytes);
        for (u32 i = 0; i < bank->address_count; i++) {
            const u64 value = address_in(plan, &bank->addresses[i]);
            memcpy(banks->data[n] + bank->addresses[i].offset, &value, bank->addresses[i].bytes);
        }
    }
    fill_launch(kernel, plan, banks);
    return WS_STATUS_ok;
}

void ws_sass_banks_free(struct ws_sass_banks *banks)
{
    for (u32 n = 0; n < WS_SASS_BANKS; n++)
        free(banks->data[n]);
    *banks = (struct ws_sass_banks){0};
}

/* ---- Places ---- */

/* The last row that begins at or before an offset, or NULL. */
static const struct ws_sass_line *line_at(const struct ws_sass_line *lines, u32 count, u32 offset)
{
    u32 low = 0, high = count;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (lines[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &lines[low - 1] : NULL;
}

u32 ws_sass_source_file(const struct ws_sass_kernel *kernel, u32 offset)
{
    const struct ws_sass_line *const line = line_at(kernel->lines, kernel->line_count, offset);
    return line && line->line > 0 && line->file < kernel->module->file_count ? line->file + 1 : 0;
}

u32 ws_sass_source_line(const struct ws_sass_kernel *kernel, u32 offset, const char **file)
{
    const u32 number = ws_sass_source_file(kernel, offset);
    if (number == 0)
        return 0;
    *file = kernel->module->files[number - 1];
    return line_at(kernel->lines, kernel->line_count, offset)->line;
}

u32 ws_sass_ptx_line(const struct ws_sass_kernel *kernel, u32 offset)
{
    const struct ws_sass_line *const line = line_at(kernel->ptx_lines, kernel->ptx_line_count, offset);
    return line ? line->line : 0;
}

struct ws_sass_place ws_sass_place(const struct ws_sass_kernel *kernel, u32 offset)
{
    struct ws_sass_place place;
    const struct ws_sass_function *in = NULL;
    const char *file = "";
    for (u32 n = 0; n < kernel->function_count; n++)
        if (kernel->functions[n].offset <= offset && (!in || kernel->functions[n].offset >= in->offset))
            in = &kernel->functions[n];
    const u32 line = ws_sass_source_line(kernel, offset, &file);
    const int length =
        snprintf(place.text, sizeof place.text, "%.200s+0x%x", in ? in->name : kernel->name, offset - (in ? in->offset : 0));
    if (line && length > 0 && (size_t)length < sizeof place.text)
        snprintf(place.text + length, sizeof place.text - (size_t)length, " (%.200s:%u)", file, line);
    return place;
}
