-- A results file of layout 2, before digests left out what has its default, as the build of 2026-11-21 wrote it: a sweep of
-- fake_experiment(2, 2, 1), results_fakes.c. Of its views, which are made anew, one stands for all.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE machine (machine_id INTEGER PRIMARY KEY, machine_digest TEXT NOT NULL UNIQUE, core_pipeline TEXT NOT NULL,
    core_depth INTEGER NOT NULL, core_warp_size INTEGER NOT NULL, core_simd_width INTEGER NOT NULL, core_warps INTEGER NOT NULL,
    core_blocks INTEGER NOT NULL, core_registers INTEGER NOT NULL, core_shared_bytes INTEGER NOT NULL, core_clock INTEGER NOT
    NULL, core_watchdog INTEGER NOT NULL, core_dispatch TEXT NOT NULL, divergence_unit TEXT NOT NULL, divergence_first_path TEXT
    NOT NULL, divergence_merge TEXT NOT NULL, divergence_stack_depth INTEGER NOT NULL, divergence_refetch TEXT NOT NULL,
    divergence_decode TEXT NOT NULL, divergence_compaction_block INTEGER NOT NULL, schedule_policy TEXT NOT NULL,
    schedule_round_robin TEXT NOT NULL, schedule_fetch_group INTEGER NOT NULL, schedule_timeout INTEGER NOT NULL,
    schedule_timeout_unit TEXT NOT NULL, memory_ideal TEXT NOT NULL, memory_port TEXT NOT NULL, memory_shared_banks INTEGER NOT
    NULL, l1_size INTEGER NOT NULL, l1_ways INTEGER NOT NULL, l1_line INTEGER NOT NULL, l1_mshrs INTEGER NOT NULL, l1_store TEXT
    NOT NULL, icache_size INTEGER NOT NULL, icache_ways INTEGER NOT NULL, icache_line INTEGER NOT NULL, icache_instruction_bytes
    INTEGER NOT NULL, dram_banks INTEGER NOT NULL, dram_row_bytes INTEGER NOT NULL, dram_row_hit INTEGER NOT NULL,
    dram_row_conflict INTEGER NOT NULL, dram_bandwidth INTEGER NOT NULL, dram_mapping TEXT NOT NULL, dram_seed INTEGER NOT NULL,
    dram_queue INTEGER NOT NULL) STRICT;
CREATE TABLE trace (trace_id INTEGER PRIMARY KEY, trace_digest TEXT NOT NULL UNIQUE, kernel TEXT NOT NULL, source TEXT NOT NULL,
    threads INTEGER NOT NULL, blocks INTEGER NOT NULL) STRICT;
CREATE TABLE experiment (experiment_id INTEGER PRIMARY KEY, experiment TEXT NOT NULL UNIQUE, about TEXT NOT NULL, machine TEXT
    NOT NULL, skipped INTEGER NOT NULL, shards INTEGER NOT NULL, model_version INTEGER NOT NULL) STRICT;
CREATE TABLE point (point_id INTEGER PRIMARY KEY, experiment_id INTEGER NOT NULL REFERENCES experiment, position INTEGER NOT
    NULL, point TEXT NOT NULL, variation TEXT NOT NULL, overrides TEXT NOT NULL, baseline TEXT, frontend TEXT NOT NULL,
    machine_id INTEGER NOT NULL REFERENCES machine, UNIQUE (experiment_id, point)) STRICT;
CREATE TABLE experiment_trace (experiment_trace_id INTEGER PRIMARY KEY, experiment_id INTEGER NOT NULL REFERENCES experiment,
    position INTEGER NOT NULL, trace TEXT NOT NULL, frontend TEXT NOT NULL, trace_id INTEGER NOT NULL REFERENCES trace, UNIQUE
    (experiment_id, trace, frontend)) STRICT;
CREATE TABLE job (job_id INTEGER PRIMARY KEY, job_digest TEXT NOT NULL UNIQUE, machine_id INTEGER NOT NULL REFERENCES machine,
    trace_id INTEGER NOT NULL REFERENCES trace, shard INTEGER NOT NULL, shards INTEGER NOT NULL, model_version INTEGER NOT NULL,
    status TEXT NOT NULL, reason TEXT, run_engine TEXT NOT NULL, run_device TEXT NOT NULL, run_version TEXT NOT NULL,
    run_seconds REAL NOT NULL, run_finished TEXT NOT NULL, cycles INTEGER, warp_instructions INTEGER, thread_instructions
    INTEGER, active_lanes_0 INTEGER, active_lanes_1 INTEGER, active_lanes_2 INTEGER, active_lanes_3 INTEGER, active_lanes_4
    INTEGER, active_lanes_5 INTEGER, active_lanes_6 INTEGER, active_lanes_7 INTEGER, active_lanes_8 INTEGER, active_lanes_9
    INTEGER, active_lanes_10 INTEGER, active_lanes_11 INTEGER, active_lanes_12 INTEGER, active_lanes_13 INTEGER, active_lanes_14
    INTEGER, active_lanes_15 INTEGER, active_lanes_16 INTEGER, active_lanes_17 INTEGER, active_lanes_18 INTEGER, active_lanes_19
    INTEGER, active_lanes_20 INTEGER, active_lanes_21 INTEGER, active_lanes_22 INTEGER, active_lanes_23 INTEGER, active_lanes_24
    INTEGER, active_lanes_25 INTEGER, active_lanes_26 INTEGER, active_lanes_27 INTEGER, active_lanes_28 INTEGER, active_lanes_29
    INTEGER, active_lanes_30 INTEGER, active_lanes_31 INTEGER, active_lanes_32 INTEGER, stall_idle INTEGER, stall_scoreboard
    INTEGER, stall_pipeline INTEGER, warp_class_0 INTEGER, warp_class_1 INTEGER, warp_class_2 INTEGER, warp_class_3 INTEGER,
    warp_class_4 INTEGER, warp_class_5 INTEGER, warp_class_6 INTEGER, warp_class_7 INTEGER, warp_class_8 INTEGER, warp_class_9
    INTEGER, warp_class_10 INTEGER, thread_class_0 INTEGER, thread_class_1 INTEGER, thread_class_2 INTEGER, thread_class_3
    INTEGER, thread_class_4 INTEGER, thread_class_5 INTEGER, thread_class_6 INTEGER, thread_class_7 INTEGER, thread_class_8
    INTEGER, thread_class_9 INTEGER, thread_class_10 INTEGER, instructions_fetched INTEGER, fetches INTEGER, icache_hits
    INTEGER, icache_misses INTEGER, icache_merges INTEGER, global_accesses INTEGER, global_lines INTEGER, port_busy INTEGER,
    l1_hits INTEGER, l1_misses INTEGER, l1_merges INTEGER, l1_store_hits INTEGER, l1_store_misses INTEGER, l1_writebacks
    INTEGER, private_accesses INTEGER, shared_accesses INTEGER, shared_conflicts INTEGER, mshrs_most INTEGER, dram_reads
    INTEGER, dram_writes INTEGER, dram_bytes INTEGER, dram_busy INTEGER, dram_queue_full INTEGER, row_hits INTEGER,
    row_conflicts INTEGER, divergent_branches INTEGER, uniform_branches INTEGER, stack_pushes INTEGER, stack_pops INTEGER,
    stack_deepest INTEGER, resumes INTEGER, empty_packs INTEGER, compactions INTEGER, warps_formed INTEGER, group_switches
    INTEGER, timeouts INTEGER, barrier_arrivals INTEGER, barrier_releases INTEGER, blocks_done INTEGER, warps_done INTEGER,
    register_reads INTEGER, register_writes INTEGER) STRICT;
CREATE INDEX job_by_machine ON job (machine_id, trace_id);
INSERT INTO meta VALUES ('schema', 'f4eba3ca08b4c7ab');
INSERT INTO machine VALUES (1, 'cb8ed13c2a03e76a', 'barrel', 7, 32, 32, 32, 32, 0, 0, 1000, 1000000, 'block', 'pdom', 'taken',
    'on', 64, 'first', 'aside', 256, 'rr', 'fewest', 8, 0, 'thread', 'off', 'select', 32, 131072, 4, 128, 0, 'through', 4096, 4,
    128, 8, 8, 4096, 100, 300, 32000, 'hash', 0, 1024);
INSERT INTO machine VALUES (2, '5de7446029bd41f9', 'barrel', 8, 32, 32, 32, 32, 0, 0, 1000, 1000000, 'block', 'pdom', 'taken',
    'on', 64, 'first', 'aside', 256, 'rr', 'fewest', 8, 0, 'thread', 'off', 'select', 32, 131072, 4, 128, 0, 'through', 4096, 4,
    128, 8, 8, 4096, 100, 300, 32000, 'hash', 0, 1024);
INSERT INTO trace VALUES (1, 'af63dc4c8601ec8c', 'k', 'made up', 128, 2);
INSERT INTO trace VALUES (2, 'af63df4c8601f1a5', 'k', 'made up', 128, 2);
INSERT INTO experiment VALUES (1, 'made-up', 'for tests', 'defaults', 0, 1, 2);
INSERT INTO point VALUES (1, 1, 0, 'p0', '', 'core.depth=7', 'p0', '', 1);
INSERT INTO point VALUES (2, 1, 1, 'p1', '', 'core.depth=8', 'p0', '', 2);
INSERT INTO experiment_trace VALUES (1, 1, 0, 'a', '', 1);
INSERT INTO experiment_trace VALUES (2, 1, 1, 'b', '', 2);
INSERT INTO job VALUES (1, 'd7dd4ca1d0c89d86', 1, 1, 0, 1, 2, 'ok', NULL, 'made-up', 'no device, "really"', '0.1.0', 0.5,
    '2026-11-22T03:09:04Z', 1797, 800, 20097, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO job VALUES (2, 'fa791708296b9f77', 2, 1, 0, 1, 2, 'ok', NULL, 'made-up', 'no device, "really"', '0.1.0', 0.5,
    '2026-11-22T03:09:04Z', 1897, 800, 20097, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO job VALUES (3, '5a736adf7ca63a86', 1, 2, 0, 1, 2, 'ok', NULL, 'made-up', 'no device, "really"', '0.1.0', 0.5,
    '2026-11-22T03:09:04Z', 1798, 800, 20098, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO job VALUES (4, 'eeba10446da079f5', 2, 2, 0, 1, 2, 'ok', NULL, 'made-up', 'no device, "really"', '0.1.0', 0.5,
    '2026-11-22T03:09:04Z', 1898, 800, 20098, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
CREATE VIEW result AS SELECT * FROM job;
PRAGMA application_id = 0x77735231;
PRAGMA user_version = 2;
