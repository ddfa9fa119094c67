-- Two points on an application, and the application's work in blocks of one warp (NAME32) over the same at another point.
CREATE TEMP VIEW application_pair AS
SELECT a.point_position, a.point, a.position, application, b.point AS versus, 1.0 * b.cycles / a.cycles AS speedup
FROM application AS a JOIN application AS b USING (application);

CREATE TEMP VIEW rewritten AS
SELECT small.point_position, small.point, small.base, own.position, own.application, own.point AS versus,
       1.0 * own.cycles / small.cycles AS speedup
FROM application AS own JOIN application AS small ON small.application = own.application || '32';

-- Numbers of an application at a point. rtru_sum and rtru_log have units of 1/65536, and of 1/4096 of a factor of 2 (docs/model/order.md).
-- A line that is already on its way is no miss, as GPGPU-Sim counts.
CREATE TEMP VIEW figures_of AS
WITH own AS (SELECT *, 1.0 * (warp_instructions + stall_idle + stall_scoreboard + stall_pipeline)
                       / iif(divergence_unit = 'vws', 32 / core_warp_size, core_issue_ports) AS sm_cycles FROM application)
SELECT point_position, point, base, position, application, cycles, 1.0 * thread_instructions / cycles AS ipc,
       iif(blocks_done > rtru_zeros, 100 * pow(2, -rtru_log / (4096.0 * (blocks_done - rtru_zeros))), NULL) AS rtru,
       100 * rtru_sum / (65536.0 * blocks_done) AS rtru_arithmetic, 100.0 * rtru_zeros / blocks_done AS rtru_zeros,
       resident_warps / sm_cycles AS resident, held_warps / sm_cycles AS held, unissued_warps / sm_cycles AS unissued,
       1.0 * (row_hits + row_conflicts) / row_conflicts AS row_accesses,
       100.0 * (l1_misses - l1_merges + l1_store_misses) / (l1_hits + l1_store_hits + l1_misses + l1_store_misses) AS misses
FROM own;

-- What dispatch by blocks gives an application whose kernels are given the same.
CREATE TEMP VIEW allocation AS
WITH fits AS (
    SELECT point_position, point, trace_position, coalesce(application, workload) AS application, core_registers,
           occupancy('warps', threads / blocks, registers, shared_bytes, core_warp_size, core_warps, core_blocks, core_registers,
                     core_register_unit, core_register_parts, core_block_warp_unit, core_block_register_unit, core_shared_bytes,
                     core_shared_unit, core_shared_reserved) AS warps,
           occupancy('warp_registers', threads / blocks, registers, shared_bytes, core_warp_size, core_warps, core_blocks, core_registers,
                     core_register_unit, core_register_parts, core_block_warp_unit, core_block_register_unit, core_shared_bytes,
                     core_shared_unit, core_shared_reserved) AS warp_registers,
           occupancy('places', threads / blocks, registers, shared_bytes, core_warp_size, core_warps, core_blocks, core_registers,
                     core_register_unit, core_register_parts, core_block_warp_unit, core_block_register_unit, core_shared_bytes,
                     core_shared_unit, core_shared_reserved) AS places,
           occupancy('blocks', threads / blocks, registers, shared_bytes, core_warp_size, core_warps, core_blocks, core_registers,
                     core_register_unit, core_register_parts, core_block_warp_unit, core_block_register_unit, core_shared_bytes,
                     core_shared_unit, core_shared_reserved) AS on_sm
    FROM configuration JOIN workload USING (experiment) LEFT JOIN applications USING (workload))
SELECT point, min(trace_position) AS position, application, warps, warps * warp_registers AS registers, on_sm AS blocks, places,
       1.0 * on_sm * warps * warp_registers / core_registers AS share
FROM fits GROUP BY point_position, application
HAVING min(warps) = max(warps) AND min(warps * warp_registers) = max(warps * warp_registers) AND min(on_sm) = max(on_sm) AND warps > 0;

-- The most thread blocks on the first SM at once.
CREATE TEMP VIEW at_once AS
SELECT point_position, point, trace_position, workload, max(present) AS n
FROM (SELECT a.point_position, a.point, a.trace_position, count(*) AS present
      FROM block AS a JOIN block AS b ON b.point_position = a.point_position AND b.trace_position = a.trace_position AND b.shard = 0
                                         AND b.entered <= a.entered AND b.ended > a.entered
      WHERE a.shard = 0 GROUP BY a.point_position, a.trace_position, a.block) JOIN workload USING (trace_position)
GROUP BY point_position, trace_position;

-- Energy at a point over that at its baseline, all of it and without the static part; the static share.
CREATE TEMP VIEW spent AS
SELECT point_position, point, base, position, application, 'gpuwattch322' AS profile, 0 AS n, energy, static_energy FROM application
UNION ALL SELECT point_position, point, base, position, application, 'balanced', 1, energy_balanced, static_energy_balanced FROM application;

CREATE TEMP VIEW saved AS
SELECT a.point_position, a.point, a.base, a.position, application, profile, n, a.energy / b.energy AS ratio,
       (a.energy - a.static_energy) / (b.energy - b.static_energy) AS dynamic, 100 * a.static_energy / a.energy AS static_share
FROM spent AS a JOIN spent AS b USING (application, profile, n) WHERE b.point = a.base;

-- Warps under LRR, in tables, since figures ask often; those of the block that a figure shows, the one in the middle where the input has fewer.
CREATE TEMP TABLE lived AS
SELECT workload, block, warp, entered, ended, ended - entered AS cycles, packets,
       1000.0 * (l1_misses + texture_misses) / packets AS misses,
       row_number() OVER (PARTITION BY trace_position ORDER BY block, warp) - 1 AS n, count(*) OVER (PARTITION BY trace_position) AS warps
FROM warp JOIN workload USING (trace_position) WHERE point = 'LRR';

CREATE TEMP TABLE shown_warp AS
WITH chosen AS (
    SELECT figure, workload, block AS wanted,
           coalesce((SELECT block FROM lived WHERE lived.workload = warps.workload AND lived.block = warps.block LIMIT 1),
                    (SELECT block FROM lived WHERE lived.workload = warps.workload AND n = lived.warps / 2)) AS shown FROM warps)
SELECT figure, wanted, lived.* FROM chosen JOIN lived ON lived.workload = chosen.workload AND lived.block = chosen.shown;

CREATE TEMP VIEW shown_block AS
SELECT figure, workload, min(entered) AS first, max(cycles) AS longest,
       100.0 * (count(*) * max(cycles) - sum(cycles)) / (count(*) * max(cycles)) AS rtru,
       'block ' || block || ' of ' || workload || iif(block = wanted, '', ' (there is no block ' || wanted || ')') AS words
FROM shown_warp GROUP BY figure;

-- What the paper says of applications in figures, a slowdown as a negative improvement.
CREATE TEMP VIEW said AS
SELECT figure, quantity, point, key AS application, iif(quantity = 'rewritten', -paper, paper) AS paper FROM targets;

-- Shares of a workload's warps by their instructions, the last of 100 bins open.
CREATE TEMP TABLE bin AS
WITH RECURSIVE one AS (SELECT figure, bin AS width, packets FROM warps JOIN lived USING (workload)),
     many (figure, n, width, most, warps) AS (
    SELECT figure, 0, width, min(100, (max(packets) + width - 1) / width), count(*) FROM one GROUP BY figure
    UNION ALL SELECT figure, n + 1, width, most, warps FROM many WHERE n + 1 < most)
SELECT many.figure, n, '(' || (n * width) || ',' || ((n + 1) * width) || ']' AS name,
       100.0 * (SELECT count(*) FROM one WHERE one.figure = many.figure AND packets > n * width
                                               AND (packets <= (n + 1) * width OR n = 99)) / warps AS share,
       (SELECT paper FROM targets WHERE targets.figure = many.figure AND quantity = 'warp_share'
                                        AND key = '(' || (n * width) || ',' || ((n + 1) * width) || ']') AS paper
FROM many;

-- Figure 18: applications whose work is there in blocks of one warp too.
CREATE TEMP VIEW smaller AS
WITH own AS (
    SELECT 0 AS n, 'improvement' AS quantity, point AS name, point_position, point, position, application, speedup FROM application
    WHERE point <> base AND application || '32' IN (SELECT application FROM applications)
    UNION ALL
    SELECT 1, 'rewritten', point || ', blocks of one warp', point_position, point, position, application, speedup FROM rewritten
    WHERE versus = base)
SELECT own.*, paper FROM own LEFT JOIN said ON figure = 'fig18' AND said.quantity = own.quantity AND said.point = own.point
                                               AND said.application = own.application;
