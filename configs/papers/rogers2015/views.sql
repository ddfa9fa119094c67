-- Numbers of an application at a point.
CREATE TEMP VIEW amount AS
WITH own AS (
    SELECT *, iif(core_pipeline = 'scoreboard', issue_cycles, warp_instructions) AS issuing,
           1.0 * (warp_instructions + stall_idle + stall_scoreboard + stall_pipeline)
           / iif(divergence_unit = 'vws', 32 / core_warp_size, core_issue_ports) AS sm_cycles,
           warp_instructions - gang_issues_2 - 2 * gang_issues_3 - 3 * gang_issues_4 - 4 * gang_issues_5 - 5 * gang_issues_6
           - 6 * gang_issues_7 - 7 * gang_issues_8 AS units FROM application)
SELECT point_position, point, base, position, application, 'performance' AS kind, speedup AS value FROM own
UNION ALL SELECT point_position, point, base, position, application, 'lanes', 1.0 * thread_instructions / issuing FROM own
UNION ALL SELECT point_position, point, base, position, application, 'hits', 1000.0 * l1_hits / thread_instructions FROM own
UNION ALL SELECT point_position, point, base, position, application, 'misses', 1000.0 * l1_misses / thread_instructions FROM own
UNION ALL SELECT point_position, point, base, position, application, 'merges', 1000.0 * l1_merges / thread_instructions FROM own
UNION ALL SELECT point_position, point, base, position, application, 'units', 1.0 * units / issuing FROM own
UNION ALL SELECT point_position, point, base, position, application, 'issuing', 100.0 * issuing / sm_cycles FROM own
UNION ALL SELECT point_position, point, base, position, application, 'fetches', 1.0 * fetches / cycles FROM own
UNION ALL SELECT own.point_position, own.point, own.base, own.position, own.application, 'energy', own.energy / base.energy
          FROM own JOIN application AS base ON base.point = own.base AND base.application = own.application;

-- Classes where the paper's have all applications of the experiment, as the paper has them and as simulated (where the points WS4 and
-- WS32 are there): what gains more than 5 % rises. Else one group of all.
CREATE TEMP VIEW classified AS
SELECT NOT EXISTS (SELECT 1 FROM application WHERE application NOT IN (SELECT application FROM classes)) AS all_are,
       (SELECT count(*) FROM configuration WHERE point IN ('WS4', 'WS32')) = 2 AS simulated;

CREATE TEMP VIEW class_group AS
SELECT DISTINCT 1000 + n AS position, class AS title, class, trend, 0 AS here FROM classes JOIN classified WHERE all_are
UNION ALL SELECT DISTINCT 1100 + n, class || ' here', class, trend, 1 FROM classes JOIN classified WHERE all_are AND simulated
UNION ALL SELECT 1000, 'harmonic mean', NULL, NULL, 0 FROM classified WHERE NOT all_are;

CREATE TEMP VIEW member AS
WITH trends AS (SELECT small.application, CASE WHEN 1.0 * large.cycles / small.cycles > 1.05 THEN 'rises'
                                               WHEN 1.0 * large.cycles / small.cycles < 0.95 THEN 'falls' ELSE 'stays' END AS trend
                FROM application AS small JOIN application AS large USING (application)
                WHERE small.point = 'WS4' AND large.point = 'WS32' AND small.cycles > 0)
SELECT position, title, application FROM class_group JOIN classes USING (class) WHERE NOT here
UNION ALL SELECT position, title, application FROM class_group JOIN trends USING (trend) WHERE here
UNION ALL SELECT position, title, application FROM class_group JOIN (SELECT DISTINCT application FROM application) WHERE class IS NULL;

-- A number of each application, then harmonic means of the groups.
CREATE TEMP VIEW entry AS
SELECT point_position, point, base, kind, position, application AS title, value FROM amount
UNION ALL
SELECT place.point_position, place.point, place.base, place.kind, place.position, place.title, harmonic_mean(value)
FROM (SELECT DISTINCT point_position, point, base, kind, class_group.position, title FROM amount JOIN class_group) AS place
     LEFT JOIN member ON member.position = place.position
     LEFT JOIN amount ON amount.application = member.application AND amount.point_position = place.point_position
                         AND amount.kind = place.kind
GROUP BY place.point_position, place.kind, place.position;

-- What the paper says of the performance of a class over the baseline's, in each figure.
CREATE TEMP VIEW said AS
SELECT figure, point, base, 1000 + coalesce((SELECT min(n) FROM classes WHERE class = key), 0) AS position,
       1 + iif(quantity = 'class_gain', paper, -paper) / 100.0 AS value
FROM targets WHERE quantity IN ('class_gain', 'class_loss');

-- Table 2 and section 6.7: areas at 40 nm, of one slice times eight. A decoded instruction has 128 bits; of the 64 bits of an entry of
-- the gang table the paper names a mask, a pc and two bits: 64 follow from its area. The L0 has 256 bytes.
CREATE TEMP VIEW structure AS
WITH size AS (SELECT point, iif(core_warp_size < 32, 32 / core_warp_size, 1) AS slices,
                     core_warps / iif(core_warp_size < 32, 32 / core_warp_size, 1) AS sets, vws_l0 AS l0 FROM configuration),
     part (name, point, entries, bits, paper_bits, paper_area) AS (
    SELECT 'L0 instruction caches', point, slices, 8 * l0, 16384, 0.052 FROM size
    UNION ALL SELECT 'decoded instruction buffers', point, slices, 4096 * sets / 32, 32768, 0.103 FROM size
    UNION ALL SELECT 'gang table', point, 4 * sets, 64, 8192, 0.026 FROM size
    UNION ALL SELECT 'scoreboards', point, slices, 1800 * sets / 32, 14400, 0.154 FROM size)
SELECT *, entries * bits AS total, paper_area * entries * bits / paper_bits AS area FROM part;

-- A second port of the instruction cache, and control of each slice, 1 % of a core of 16 mm2. The chip is Fermi's.
CREATE TEMP VIEW control AS
SELECT point, 'second port of the instruction cache, control' AS name, 0.108 + 0.160 * iif(core_warp_size < 32, 32 / core_warp_size, 1) AS area
FROM configuration;

CREATE TEMP VIEW core_area AS
SELECT point, sum(structure.area) + control.area AS area FROM structure JOIN control USING (point) GROUP BY point;
