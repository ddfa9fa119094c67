-- A kernel on a GPU: measured cycles, simulated ones, errors in % without and with core.launch.
CREATE TEMP VIEW judged AS
SELECT gpu, kernel, hardware, instructions, measure.point AS point, point_position, trace_position,
       measure.cycles AS cycles, measure.warp_instructions AS issued,
       100.0 * (measure.cycles - hardware) / hardware AS bare,
       100.0 * (measure.launched_cycles - hardware) / hardware AS error,
       100.0 * (accelsim - hardware) / hardware AS accelsim
FROM measured JOIN measure ON measure.workload = 'hardware.' || kernel AND measure.point LIKE gpu || ': %';

-- A pattern on a GPU: time over that of the broadcast of 4 bytes.
CREATE TEMP VIEW bank_ratio AS
SELECT *, 100.0 * (simulated - measured) / measured AS error
FROM (SELECT gpu, bytes, pattern, trace_position,
             milliseconds / max(iif(kernel = 'banks_4_broadcast', milliseconds, NULL)) OVER (PARTITION BY gpu) AS measured,
             1.0 * cycles / max(iif(kernel = 'banks_4_broadcast', cycles, NULL)) OVER (PARTITION BY gpu) AS simulated
      FROM shared_banks JOIN measure ON workload = 'hardware.' || kernel AND point LIKE gpu || ': %');

-- Configurations of the convolution with their ranks (equal values share the mean of their ranks); read_only = 2: all of them.
CREATE TEMP VIEW convolution_rank AS
WITH every AS (SELECT read_only, milliseconds, cycles FROM convolutions UNION ALL SELECT 2, milliseconds, cycles FROM convolutions)
SELECT *, rank() OVER (PARTITION BY read_only ORDER BY milliseconds) + (count(*) OVER (PARTITION BY read_only, milliseconds) - 1) / 2.0 AS measured,
       rank() OVER (PARTITION BY read_only ORDER BY cycles) + (count(*) OVER (PARTITION BY read_only, cycles) - 1) / 2.0 AS simulated,
       row_number() OVER (PARTITION BY read_only ORDER BY cycles, milliseconds DESC) AS place
FROM every;

CREATE TEMP VIEW convolution_order AS
SELECT read_only, count(*) AS number,
       (count(*) * sum(measured * simulated) - sum(measured) * sum(simulated))
       / sqrt((count(*) * sum(measured * measured) - sum(measured) * sum(measured))
              * (count(*) * sum(simulated * simulated) - sum(simulated) * sum(simulated))) AS spearman,
       100 * (max(iif(place = 1, milliseconds, NULL)) / min(milliseconds) - 1) AS regret,
       100 * (min(iif(place <= 10, milliseconds, NULL)) / min(milliseconds) - 1) AS regret10
FROM convolution_rank GROUP BY read_only;
