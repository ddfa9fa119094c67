-- Metrics that claims name, of a point on a workload. At least 1, so that ratios of means exist.
CREATE TEMP VIEW amount AS
SELECT variation, name AS machine, workload, 'ipc' AS metric, ipc AS value FROM measure WHERE cycles IS NOT NULL
UNION ALL SELECT variation, name, workload, 'energy', energy FROM measure WHERE cycles IS NOT NULL
UNION ALL SELECT variation, name, workload, 'idle', 1.0 + stall_idle FROM measure WHERE cycles IS NOT NULL
UNION ALL SELECT variation, name, workload, 'stalls', 1.0 + stall_idle + stall_scoreboard + stall_pipeline FROM measure WHERE cycles IS NOT NULL
UNION ALL SELECT variation, name, workload, 'fetches', 1.0 * fetches / cycles FROM measure WHERE fetches > 0
UNION ALL SELECT variation, name, workload, 'rtru', 1.0 * rtru_sum / blocks_done FROM measure WHERE rtru_sum > 0;

-- A claim on a machine: how far the metric's geometric mean over the workloads is above that at versus, in percent. Only machines on which
-- both points have ended on every workload of the claim count.
CREATE TEMP TABLE tested AS
WITH own AS (SELECT n, variation, machine, geometric_mean(value) AS mean, count(*) AS workloads
             FROM claims JOIN amount USING (metric)
             WHERE variation IN (point, versus) AND (SELECT experiment FROM configuration) IN (claims.experiment, claims.experiment || '-inputs')
                   AND (claims.workloads = '' OR has_word(claims.workloads, workload))
             GROUP BY n, variation, machine)
SELECT n, claims.claim, point, versus, metric, sign, published, a.machine, 100 * (a.mean / b.mean - 1) AS change,
       CASE WHEN abs(a.mean / b.mean - 1) <= 0.005 THEN 0 WHEN (a.mean > b.mean) = (sign > 0) THEN 1 ELSE -1 END AS holds
FROM claims JOIN own AS a USING (n) JOIN own AS b USING (n, machine)
WHERE a.variation = point AND b.variation = claims.versus AND a.workloads = b.workloads
      AND a.workloads = max((SELECT max(workloads) FROM own WHERE own.n = claims.n), 1);

-- The machines' parameters, from their labels (sample N: KEY=VALUE ...), each with the third of the machines in which its value lies; up to
-- five values have a place of their own.
CREATE TEMP TABLE placed AS
WITH machine AS (SELECT DISTINCT machine FROM tested),
     setting AS (SELECT machine, substr(value, 1, instr(value, '=') - 1) AS axis, substr(value, instr(value, '=') + 1) AS word, key AS axis_position
                 FROM machine, json_each('["' || replace(substr(machine, instr(machine, ': ') + 2), ' ', '","') || '"]')),
     ranked AS (SELECT *, CAST(word AS INTEGER) AS number, ntile(3) OVER (PARTITION BY axis ORDER BY CAST(word AS INTEGER)) AS third FROM setting),
     kinds AS (SELECT axis, count(DISTINCT word) AS kinds FROM setting GROUP BY axis)
SELECT machine, axis, axis_position, min(number) OVER same AS least,
       axis || ' ' || iif(kinds <= 6, word, min(number) OVER same || '-' || max(number) OVER same) AS place
FROM ranked JOIN kinds USING (axis)
WINDOW same AS (PARTITION BY axis, iif(kinds <= 6, number, third));
