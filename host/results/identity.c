#include "results/identity.h"

#include <stdio.h>
#include <xxhash.h>

#include "warpsweep/engine.h"

u64 ws_machine_digest(const struct ws_machine *machine)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    u64 digest = 0;
    for (size_t n = 0; n < count; n++) {
        char value[64], line[160];
        ws_machine_get(machine, n, value, sizeof value);
        const int length = snprintf(line, sizeof line, "%s=%s\n", parameters[n].key, value);
        digest = XXH3_64bits_withSeed(line, (size_t)length, digest);
    }
    return digest;
}

u64 ws_job_digest(u64 machine, u64 trace, u32 shard, u32 shards)
{
    char text[120];
    const int length = snprintf(text, sizeof text, "machine %016llx trace %016llx shard %u/%u model %d",
                                (unsigned long long)machine, (unsigned long long)trace, shard, shards, WS_MODEL_VERSION);
    return XXH3_64bits(text, (size_t)length);
}

struct ws_digest_text ws_digest_text(u64 digest)
{
    struct ws_digest_text text;
    snprintf(text.text, sizeof text.text, "%016llx", (unsigned long long)digest);
    return text;
}
