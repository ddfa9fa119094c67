/* Digests by which machines and jobs are known in results files. */
#pragma once

#include "shared/machine.h"

/* What one setting adds to a machine's digest: XXH3 of "column=value". */
u64 ws_setting_digest(const char *column, const char *value);

/* Sum of the digests of all parameters that differ from their default, so that a parameter that a later build adds changes no
 * digest, and the order of the table none either. A build with another default computes other digests: those of a results file are
 * recomputed from its columns when such a build opens it (upgrade.h). */
u64 ws_machine_digest(const struct ws_machine *machine);

/* XXH3 of what determines a job's counters: machine, trace, shard of how many, version of the model. */
u64 ws_job_digest(u64 machine, u64 trace, u32 shard, u32 shards, int model);

/* A digest as it is stored: 16 hexadecimal digits. */
struct ws_digest_text {
    char text[17];
};
struct ws_digest_text ws_digest_text(u64 digest);
