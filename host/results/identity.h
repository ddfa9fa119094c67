/* Digests that identify machines and jobs in results files. */
#pragma once

#include "shared/machine.h"

/* Contribution of one setting to a machine's digest: XXH3 of "column=value". */
u64 ws_setting_digest(const char *column, const char *value);

/* Sum of the digests of all parameters that differ from their defaults. Neither new parameters of later builds nor the order of the
 * table change it. A build with other defaults computes other digests: when such a build opens a results file, it recomputes them
 * from the columns (upgrade.h). */
u64 ws_machine_digest(const struct ws_machine *machine);

/* XXH3 of what determines a job's counters: machine, trace, shard and number of shards, model version. */
u64 ws_job_digest(u64 machine, u64 trace, u32 shard, u32 shards, int model);

/* A digest in its stored form: 16 hexadecimal digits. */
struct ws_digest_text {
    char text[17];
};
struct ws_digest_text ws_digest_text(u64 digest);
