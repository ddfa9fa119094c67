-- Harmonic means of IPC over the workloads that ended at every point, in all and over those of the baseline (percent); the geometric mean
-- of the gains; the peak of all lanes of all SMs.
CREATE TEMP VIEW mean AS
SELECT point_position, point, measure.variation, measure.name, measure.base, measure.base_name,
       configuration.core_simd_width * configuration.shards AS peak,
       harmonic_mean(iif(whole, ipc, NULL)) AS ipc, 100 * (geometric_mean(ratio) - 1) AS gain
FROM measure JOIN configuration USING (point_position, point) GROUP BY point_position;

-- IPC by workload and, behind the workloads, the mean.
CREATE TEMP VIEW column_ipc AS
SELECT point_position, point, trace_position, workload, workload AS title, ipc FROM measure
UNION ALL SELECT point_position, point, 1000, 'HARMEAN', 'harmonic mean', ipc FROM mean;

-- Lines that miss the data cache.
CREATE TEMP VIEW missed AS
SELECT point_position, point, trace_position, workload,
       100.0 * (l1_misses + l1_store_misses) / (l1_hits + l1_misses + l1_store_hits + l1_store_misses) AS percent
FROM measure;

-- The limit study.
CREATE TEMP VIEW oracle AS
SELECT workload, limit_study.*, 1.0 * pdom_cycles / oracle_cycles AS speedup FROM workload JOIN limit_study USING (trace_position);

CREATE TEMP VIEW real_programs AS
SELECT sum(1.0 * pdom_cycles / thread_instructions) / sum(1.0 * oracle_cycles / thread_instructions) AS speedup
FROM oracle WHERE workload NOT IN (SELECT key FROM targets WHERE quantity = 'oracle');

-- Table 1: areas by CACTI 4.2 at 90 nm, scaled by bits. Its REQ of 8 bits for 16 lanes, and counters of 8 bits for up to 256 threads, are
-- taken to be slips: both have the bits that they need here. A pc has 32 bits, a heuristic's data 8.
CREATE TEMP VIEW structure AS
WITH size AS (SELECT point, min(core_warp_size, 32) AS lanes, core_warps * core_warp_size AS threads, dwf_lut AS lut,
                     dwf_majority_table AS majority, CAST(ceil(log2(core_warps * core_warp_size)) AS INTEGER) AS thread_bits,
                     CAST(ceil(log2(core_warps * core_warp_size + 1)) AS INTEGER) AS count_bits FROM configuration),
     part (name, point, entries, bits, paper_bits, paper_area) AS (
    SELECT 'warp update registers', point, 2, lanes * thread_bits + 32 + lanes, 336, 0.008 FROM size
    UNION ALL SELECT 'PC-warp LUT', point, lut, 32 + lanes + thread_bits, 1792, 0.189 FROM size
    UNION ALL SELECT 'warp pool', point, threads, lanes * thread_bits + 32 + 8, 43008, 0.702 FROM size
    UNION ALL SELECT 'warp allocator', point, threads, thread_bits, 2048, 0.061 FROM size
    UNION ALL SELECT 'issue logic (majority)', point, majority, 32 + count_bits, 1280, 1.511 FROM size)
SELECT *, entries * bits AS total, paper_area * entries * bits / paper_bits AS area FROM part;

-- Section 4.4: a register file with a decoder for each lane has 16 x 0.3773 mm2, one with a single decoder 5.7085; the chip, a GeForce
-- 8800GTX, has 8 cores and 480 mm2.
CREATE TEMP VIEW decoders AS SELECT 'decoders of the register file' AS name, 16 * 0.3773 - 5.7085 AS area;
