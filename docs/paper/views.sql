-- Speedups over the baseline beside the kind of each workload.
CREATE TEMP VIEW grouped AS
SELECT kind, workload, trace_position, point, point_position, 1.0 * base_cycles / cycles AS speedup FROM measure JOIN groups USING (workload);
