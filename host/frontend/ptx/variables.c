/* A program's variables for its callers. */
#include <string.h>

#include "frontend/ptx/ir.h"

/* Variables of an image; without a list of them, the whole image. */
static u32 count_of(const struct ws_module_image *image)
{
    return image->variable_count > 0 ? image->variable_count : image->bytes > 0;
}

static struct ws_module_variable variable_of(const struct ws_module_image *image, u32 n)
{
    return image->variable_count > 0 ? image->variables[n] : (struct ws_module_variable){.bytes = image->bytes};
}

bool ws_program_variable(const struct ws_program *program, u32 n, struct ws_variable_info *variable)
{
    const u32 globals = count_of(&program->global);
    const bool constant = n >= globals;
    const struct ws_module_image *const image = constant ? &program->constant : &program->global;
    if (constant && n - globals >= count_of(image))
        return false;
    const struct ws_module_variable found = variable_of(image, constant ? n - globals : n);
    *variable = (struct ws_variable_info){.name = found.name, .bytes = found.bytes, .constant = constant};
    return true;
}

/* The variable of an image that holds an offset. */
static u32 variable_at(const struct ws_module_image *image, u32 offset)
{
    u32 n = 0;
    while (n + 1 < count_of(image) && variable_of(image, n + 1).offset <= offset)
        n++;
    return n;
}

bool ws_program_initial(const struct ws_program *program, const struct ws_buffer *buffers)
{
    const struct ws_module_image *const images[] = {&program->global, &program->constant};
    const u32 first[] = {0, count_of(&program->global)};
    for (u32 i = 0; i < 2; i++)
        for (u32 n = 0; n < count_of(images[i]); n++) {
            const struct ws_module_variable variable = variable_of(images[i], n);
            if (buffers[first[i] + n].data)
                memcpy(buffers[first[i] + n].data, images[i]->initial + variable.offset, variable.bytes);
        }
    for (u32 i = 0; i < 2; i++)
        for (u32 n = 0; n < images[i]->address_count; n++) {
            const struct ws_module_address *const address = &images[i]->addresses[n];
            const u32 to = address->space == WS_SPACE_constant, in = variable_at(images[i], address->offset);
            const struct ws_buffer *const target = &buffers[first[to] + address->variable];
            if (images[to]->whole || !target->address)
                return false;
            const u64 value = target->address + address->addend;
            if (buffers[first[i] + in].data)
                memcpy((u8 *)buffers[first[i] + in].data + (address->offset - variable_of(images[i], in).offset), &value,
                       sizeof value);
        }
    return true;
}
