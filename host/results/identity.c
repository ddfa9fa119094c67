#include "results/identity.h"

#include <stdio.h>
#include <xxhash.h>

#include "results/schema/columns.h"
#include "warpsweep/machine.h"

u64 ws_setting_digest(const char *column, const char *value)
{
    char line[160];
    const int length = snprintf(line, sizeof line, "%s=%s", column, value);
    return XXH3_64bits(line, (size_t)length);
}

u64 ws_machine_digest(const struct ws_machine *machine)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    u64 digest = 0;
    for (size_t n = 0; n < count; n++) {
        char value[64];
        if (((const u32 *)machine)[n] == parameters[n].standard)
            continue;
        ws_machine_get(machine, n, value, sizeof value);
        digest += ws_setting_digest(ws_parameter_column(n).name, value);
    }
    return digest;
}

u64 ws_job_digest(u64 machine, u64 trace, u32 shard, u32 shards, int model)
{
    char text[120];
    const int length = snprintf(text, sizeof text, "machine %016llx trace %016llx shard %u/%u model %d",
                                (unsigned long long)machine, (unsigned long long)trace, shard, shards, model);
    return XXH3_64bits(text, (size_t)length);
}

struct ws_digest_text ws_digest_text(u64 digest)
{
    struct ws_digest_text text;
    snprintf(text.text, sizeof text.text, "%016llx", (unsigned long long)digest);
    return text;
}
