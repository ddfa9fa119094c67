/* Scenes of path units of threads: packets issued in each cycle, regardless of warps. */
#pragma once

#include "timing/scene.h"

/* Starts a scene of that path unit (WS_divergence_*) in the barrel, to be ended by scene_end: warps of 4 threads, D = 10, no extra
 * stage, no swizzling, the oldest forming warp first. A single line arrives 24 cycles after its miss; one of the same access, 4
 * cycles after the previous one. */
void packets_start(struct scene *scene, u32 unit, u32 blocks, u32 threads);

/* One digit per thread of a block, - for none; spaces are skipped: its next decision, or the data line of its next access. */
void give_decisions(struct scene *scene, u32 block, const char *digits);
void give_lines(struct scene *scene, u32 block, const char *digits);

/* Fails the test unless exactly these packets issue. For each: its cycle, the pc of its lowest lane, and its lanes with a true
 * guard, 1 or 0 from lane 0 on: "0 0 1111, 10 2 1010". */
void expect_packets(const struct scene *scene, const char *packets);
