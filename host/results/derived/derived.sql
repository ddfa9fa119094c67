-- Workloads of experiments: a trace without its size, unless the experiment has it in several; the first where sizes vary by point.
CREATE TEMP VIEW workload AS
SELECT experiment, trace_position, iif(max(n) OVER (PARTITION BY experiment) > 1, trace, without_size(trace)) AS workload,
       threads, blocks, registers, shared_bytes
FROM (SELECT *, count(*) OVER (PARTITION BY experiment, without_size(trace)) AS n
      FROM (SELECT experiment, position AS trace_position, min(trace) AS trace, threads, blocks, registers, shared_bytes
            FROM experiment_trace JOIN selected USING (experiment_id) JOIN trace USING (trace_id)
            GROUP BY experiment_id, position));

-- Points with the parameters of their machines. name: the label without the variation; base, base_name: those of the baseline.
CREATE TEMP VIEW configuration AS
SELECT experiment, position AS point_position, point, variation, substr(point, iif(variation = '', 1, length(variation) + 3)) AS name,
       baseline AS base, substr(baseline, iif(variation = '', 1, length(variation) + 3)) AS base_name, shards, machine.*
FROM selected JOIN point USING (experiment_id) JOIN machine USING (machine_id);

-- Every point on every workload: the columns of kernel, NULL where it has not ended. whole: it has at every point.
CREATE TEMP MATERIAL measure AS
SELECT own.*, base.ipc AS base_ipc, base.cycles AS base_cycles, iif(whole, own.ipc / base.ipc, NULL) AS ratio
FROM (SELECT *, count(cycles) OVER same = count(*) OVER same AS whole
      FROM (SELECT configuration.experiment, point_position, point, variation, name, base, base_name,
                   trace_position, workload
            FROM configuration JOIN workload USING (experiment))
           LEFT JOIN kernel USING (experiment, point_position, point, variation, trace_position)
      WINDOW same AS (PARTITION BY experiment, trace_position)) AS own
     LEFT JOIN kernel AS base ON (base.experiment, base.point, base.trace_position) = (own.experiment, own.base, own.trace_position);

-- Bins of the histograms of measure.
CREATE TEMP VIEW bins AS BINNED;

-- Shares of the issue slots, in percent, by how many lanes are active: none (slots that are lost, too), quarters of a packet, all.
CREATE TEMP VIEW lane_use AS
SELECT experiment, point_position, point, trace_position, workload, n AS class_position,
       CASE WHEN n = 0 THEN 'none'
            WHEN least < lanes OR most > lanes
            THEN CASE n WHEN 1 THEN 'to 1/4 of the lanes' WHEN 2 THEN 'to 1/2' WHEN 3 THEN 'to 3/4' WHEN 4 THEN 'below all' ELSE 'all' END
            WHEN n = 5 THEN lanes WHEN min(bin) = max(bin) THEN min(bin) ELSE min(bin) || ' to ' || max(bin) END AS class,
       100.0 * (sum(count) + iif(n = 0, lost, 0)) / slots AS share
FROM (SELECT *, min(lanes) OVER (PARTITION BY experiment) AS least, max(lanes) OVER (PARTITION BY experiment) AS most,
             CASE WHEN bin = 0 THEN 0 WHEN bin >= lanes THEN 5 ELSE 1 + (bin - 1) * 4 / lanes END AS n
      FROM (SELECT experiment, point_position, point, trace_position, workload, min(core_warp_size, 32) AS lanes,
                   stall_idle + stall_scoreboard + stall_pipeline AS lost,
                   warp_instructions + stall_idle + stall_scoreboard + stall_pipeline AS slots FROM measure)
           JOIN bins USING (experiment, point_position, trace_position) WHERE histogram = 'active_lanes')
GROUP BY experiment, point_position, trace_position, n;

-- Two points of a variation on a workload; speedup: how much faster the first is.
CREATE TEMP VIEW pair AS
SELECT a.experiment, a.variation, a.trace_position, a.workload, a.point_position, a.point, a.name,
       b.point_position AS versus_position, b.point AS versus, b.name AS versus_name,
       iif(a.whole, 1.0 * b.cycles / a.cycles, NULL) AS speedup
FROM measure AS a JOIN measure AS b USING (experiment, variation, trace_position);

-- Workloads that are reported together (the table applications), their kernels one after another.
CREATE TEMP MATERIAL application AS
SELECT experiment, point_position, point, variation, name, base, base_name,
       coalesce(applications.application, measure.workload) AS application,
       min(trace_position) AS position, min(whole) AS whole, iif(min(whole), sum(base_cycles), NULL) AS base_cycles,
       iif(min(whole), 1.0 * sum(base_cycles) / sum(cycles), NULL) AS speedup,
       iif(min(whole), sum(energy), NULL) AS energy, iif(min(whole), sum(energy * static_share), NULL) AS static_energy,
       iif(min(whole), sum(energy_balanced), NULL) AS energy_balanced,
       iif(min(whole), sum(energy_balanced * static_share_balanced), NULL) AS static_energy_balanced ADDED
FROM measure LEFT JOIN applications USING (workload)
GROUP BY experiment, point_position, coalesce(applications.application, measure.workload);
