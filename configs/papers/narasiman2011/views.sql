-- Mean gains over the baseline, in percent, and what the paper says of them: paper, or what follows from the gain of a better point over
-- this one and over the baseline.
CREATE TEMP VIEW gain AS
SELECT point_position, point, variation, name, base, base_name, 100 * (geometric_mean(ratio) - 1) AS gain
FROM measure GROUP BY point_position;

CREATE TEMP VIEW said AS SELECT point, versus, paper FROM targets WHERE quantity = 'gain';

CREATE TEMP VIEW beside AS
SELECT gain.*, said.paper, iif(said.paper IS NULL, (SELECT 100 * ((1 + better.paper / 100.0) / (1 + this.paper / 100.0) - 1)
       FROM said AS this JOIN said AS better USING (point) WHERE this.versus = name AND better.versus = base_name), NULL) AS follows
FROM gain LEFT JOIN said ON said.point = name AND said.versus = base_name WHERE gain.point <> base;

-- The point of the largest gain.
CREATE TEMP VIEW best AS
SELECT configuration.* FROM configuration JOIN gain USING (point_position) WHERE gain.point <> gain.base ORDER BY gain DESC, point_position LIMIT 1;
