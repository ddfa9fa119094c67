-- A kernel on a GPU: measured cycles, simulated with the launch constant, errors in %.
CREATE TEMP VIEW judged AS
SELECT gpu, kernel, hardware, instructions, launch, measure.point AS point, point_position, trace_position,
       measure.cycles AS cycles, measure.warp_instructions AS issued,
       100.0 * (measure.cycles - hardware) / hardware AS bare,
       100.0 * (measure.cycles + launch - hardware) / hardware AS error,
       100.0 * (accelsim - hardware) / hardware AS accelsim
FROM measured JOIN measure ON measure.workload LIKE '%/' || kernel || '.wst' AND measure.point LIKE gpu || ': %';
