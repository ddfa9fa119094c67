/* Digests by which machines and jobs are known in results files. */
#ifndef WS_RESULTS_IDENTITY_H
#define WS_RESULTS_IDENTITY_H

#include "shared/machine.h"

/* XXH3 of all parameters as text, "key=value" a line. */
u64 ws_machine_digest(const struct ws_machine *machine);

/* XXH3 of what determines a job's counters: machine, trace, shard of how many, WS_MODEL_VERSION. */
u64 ws_job_digest(u64 machine, u64 trace, u32 shard, u32 shards);

/* A digest as it is stored: 16 hexadecimal digits. */
struct ws_digest_text {
    char text[17];
};
struct ws_digest_text ws_digest_text(u64 digest);

#endif
