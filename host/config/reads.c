/* Which parameters a simulation reads (config/reads.def). */
#include <stdio.h>
#include <string.h>

#include "config/parameters.h"
#include "warpsweep/experiment.h"

static bool is_of(size_t n, const char *group)
{
    size_t count;
    const char *const key = ws_parameters(&count)[n].key;
    const size_t length = strlen(group);
    return strncmp(key, group, length) == 0 && key[length] == '.';
}

size_t ws_machine_unread(const struct ws_machine *machine, size_t n)
{
#define READ(group, name, decides, condition)                                                                                      \
    if (n == PARAMETER_##group##_##name && !(condition))                                                                           \
        return PARAMETER_##decides;
#define READ_GROUP(group, decides, condition)                                                                                      \
    if (is_of(n, #group) && !(condition))                                                                                          \
        return PARAMETER_##decides;
#include "config/reads.def"
#undef READ
#undef READ_GROUP
    return PARAMETERS;
}

bool ws_machine_unread_text(const struct ws_machine *machine, size_t n, char *text, size_t room)
{
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    const size_t decides = ws_machine_unread(machine, n);
    char value[32];
    if (decides == PARAMETERS)
        return false;
    ws_machine_get(machine, decides, value, sizeof value);
    snprintf(text, room, "%s is not read where %s is %s", rows[n].key, rows[decides].key, value);
    return true;
}

bool ws_experiment_unread(const struct ws_experiment *experiment, size_t n, char *text, size_t room)
{
    const u32 first = experiment->set ? experiment->set[n] : 0;
    return first != 0 && first != (u32)WS_SET_READ && ws_machine_unread_text(&experiment->points[first - 1].machine, n, text, room);
}
