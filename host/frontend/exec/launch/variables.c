/* Contents of the module's variables: initial values, values of the launch, or values left by earlier launches. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "frontend/exec/launch/plan.h"

/* The variable of that name in an image, or NULL. */
static const struct ws_module_variable *find(const struct ws_module_image *image, const char *name)
{
    for (u32 n = 0; n < image->variable_count; n++)
        if (image->variables[n].name && strcmp(image->variables[n].name, name) == 0)
            return &image->variables[n];
    return NULL;
}

const struct ws_buffer *ws_plan_placed_variable(const struct ws_plan *plan, const char *name)
{
    const struct ws_ndrange *const launch = plan->launch;
    for (u32 n = 0; name && n < launch->initial_count; n++)
        if (launch->initial[n].address != 0 && strcmp(launch->initial[n].name, name) == 0)
            return &launch->initial[n];
    return NULL;
}

/* Whether the launch holds all variables of an image: no copy of it is used. */
static bool all_placed(const struct ws_plan *plan, const struct ws_module_image *image)
{
    for (u32 n = 0; n < image->variable_count; n++)
        if (!ws_plan_placed_variable(plan, image->variables[n].name))
            return false;
    return image->variable_count > 0 && !image->whole;
}

static enum ws_status refuse(const struct ws_buffer *initial, struct ws_error *error)
{
    if (error && initial->file)
        ws_fail_in(error, "%s:%u: ", initial->file, initial->line);
    return WS_STATUS_bad_input;
}

static enum ws_status no_such(const struct ws_plan *plan, const struct ws_buffer *initial, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = initial->name}};
    for (u32 image = 0; image < 2; image++)
        for (u32 n = 0; n < ws_plan_image(plan, image)->variable_count; n++)
            if (ws_plan_image(plan, image)->variables[n].name)
                ws_names_offer(&names, ws_plan_image(plan, image)->variables[n].name);
    ws_fail(error, WS_STATUS_bad_input, "found '%s', the program's variables are %s", initial->name, ws_names_text(&names));
    ws_names_free(&names);
    return refuse(initial, error);
}

enum ws_status ws_plan_check_variables(const struct ws_plan *plan, struct ws_error *error)
{
    for (u32 n = 0; n < plan->launch->initial_count; n++) {
        const struct ws_buffer *const initial = &plan->launch->initial[n];
        const struct ws_module_variable *variable = find(ws_plan_image(plan, 0), initial->name);
        if (!variable)
            variable = find(ws_plan_image(plan, 1), initial->name);
        if (!variable)
            return no_such(plan, initial, error);
        if (variable->bytes != initial->bytes) {
            ws_fail(error, WS_STATUS_bad_input, "found %llu bytes, the program's variable %s has %u",
                    (unsigned long long)initial->bytes, initial->name, variable->bytes);
            return refuse(initial, error);
        }
    }
    return WS_STATUS_ok;
}

enum ws_status ws_plan_copy_variables(struct ws_plan *plan, u32 n, struct ws_error *error)
{
    const struct ws_module_image *const image = ws_plan_image(plan, n);
    const struct ws_variables *const kept = n == 0 ? plan->launch->variables : NULL;
    const bool goes_on = kept && kept->data;
    plan->variables[n] = calloc(1, image->bytes);
    if (!plan->variables[n])
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", plan->kernel->name);
    if (goes_on && kept->bytes != image->bytes)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: variables of another program", plan->kernel->name);
    if (goes_on && image->address_count > 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "kernel %s: variables whose initial values are addresses do not keep their values from launch to launch",
                       plan->kernel->name);
    if (!all_placed(plan, image))
        memcpy(plan->variables[n], goes_on ? kept->data : image->initial, image->bytes);
    return WS_STATUS_ok;
}

enum ws_status ws_plan_set_variables(struct ws_plan *plan, u32 n, struct ws_error *error)
{
    const struct ws_module_image *const image = ws_plan_image(plan, n);
    const bool goes_on = n == 0 && plan->launch->variables && plan->launch->variables->data;
    for (u32 i = 0; i < plan->launch->initial_count && !goes_on; i++) {
        const struct ws_buffer *const initial = &plan->launch->initial[i];
        const struct ws_module_variable *const variable = find(image, initial->name);
        if (!variable || (initial->address != 0 && !image->whole))
            continue;
        u8 *const data = plan->variables[n] + variable->offset;
        memcpy(data, initial->data, initial->bytes);
        WS_TRY(ws_plan_link_pointers(plan, initial->name, initial->pointers, initial->pointer_count, data, initial->bytes, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_plan_keep_variables(const struct ws_plan *plan, struct ws_error *error)
{
    struct ws_variables *const kept = plan->launch->variables;
    const u64 bytes = plan->program->global.bytes;
    if (!kept || bytes == 0)
        return WS_STATUS_ok;
    if (!kept->data)
        kept->data = malloc(bytes);
    if (!kept->data)
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", plan->kernel->name);
    kept->bytes = bytes;
    memcpy(kept->data, plan->variables[0], bytes);
    return WS_STATUS_ok;
}
