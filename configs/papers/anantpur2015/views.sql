-- PRO over every other point of its variation.
CREATE TEMP VIEW pro AS SELECT * FROM pair WHERE name = 'PRO' AND versus_name <> 'PRO';

-- The thread blocks of the first SM on the first workload, numbered as they come, and their places at each sort.
CREATE TEMP VIEW first_block AS
SELECT point_position, point, block / shards AS number, entered, ended FROM block WHERE shard = 0 AND trace_position = 0;

CREATE TEMP VIEW first_sort AS
SELECT point_position, point, cycle, place, block / shards AS number FROM sort WHERE shard = 0 AND trace_position = 0;

-- Issue slots that applications lose, by kind.
CREATE TEMP VIEW lost AS
WITH own AS (SELECT point_position, point, position, application, stall_pipeline AS pipeline, stall_idle AS idle,
                    stall_scoreboard AS scoreboard, stall_pipeline + stall_idle + stall_scoreboard AS total FROM application)
SELECT point_position, point, position, application, 'pipeline' AS kind, 0 AS n, pipeline AS slots, total FROM own
UNION ALL SELECT point_position, point, position, application, 'idle', 1, idle, total FROM own
UNION ALL SELECT point_position, point, position, application, 'scoreboard', 2, scoreboard, total FROM own
UNION ALL SELECT point_position, point, position, application, 'total', 3, total, total FROM own;

CREATE TEMP VIEW lost_ratio AS
SELECT a.point_position, a.point, b.point AS versus, position, application, kind, n,
       iif(a.slots > 0, 1.0 * a.slots / b.slots, NULL) AS ratio
FROM lost AS a JOIN lost AS b USING (position, application, kind, n);

-- The same as the paper prints it: of PRO, and at other points over PRO; shares of the kinds, in percent.
CREATE TEMP VIEW printed_ratio AS
SELECT point AS versus, application, 'pipeline' AS kind, pipeline AS ratio FROM stall_ratios
UNION ALL SELECT point, application, 'idle', idle FROM stall_ratios
UNION ALL SELECT point, application, 'scoreboard', scoreboard FROM stall_ratios
UNION ALL SELECT point, application, 'total', total FROM stall_ratios;

CREATE TEMP VIEW printed_share AS
WITH slots AS (SELECT application, point, pipeline, idle, scoreboard FROM stalls
               UNION ALL SELECT own.application, own.point, own.pipeline * pro.pipeline, own.idle * pro.idle,
                                own.scoreboard * pro.scoreboard
               FROM stall_ratios AS own JOIN stalls AS pro USING (application)),
     sums AS (SELECT *, (pipeline + idle + scoreboard) / 100.0 AS percent FROM slots)
SELECT application, point, 'pipeline' AS kind, pipeline / percent AS share FROM sums
UNION ALL SELECT application, point, 'idle', idle / percent FROM sums
UNION ALL SELECT application, point, 'scoreboard', scoreboard / percent FROM sums;

-- Both: slots lost at other points over those of PRO.
CREATE TEMP VIEW beside AS
SELECT position, lost_ratio.application, point_position, lost_ratio.point, lost_ratio.kind, n, lost_ratio.ratio AS simulated,
       printed_ratio.ratio AS papers
FROM lost_ratio LEFT JOIN printed_ratio ON printed_ratio.application = lost_ratio.application AND printed_ratio.kind = lost_ratio.kind
                                           AND printed_ratio.versus = lost_ratio.point
WHERE lost_ratio.versus = 'PRO' AND lost_ratio.point <> 'PRO';

-- How a variation ends, by workload and in the geometric mean.
CREATE TEMP VIEW ended AS
SELECT trace_position, workload, versus_name, versus_position,
       iif(abs(speedup - 1) < 0.005, 'within half a percent', iif(speedup > 1, 'faster', 'slower')) AS ending
FROM (SELECT trace_position, workload, versus_name, versus_position, speedup FROM pro
      UNION ALL SELECT 1000, 'GEOMEAN', versus_name, versus_position, geometric_mean(speedup) FROM pro GROUP BY versus_position)
WHERE speedup IS NOT NULL;
