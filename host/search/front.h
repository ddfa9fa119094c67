/* Pareto fronts of points with several objectives. */
#pragma once

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* Points whose objectives are all to be minimized. */
struct ws_front_points {
    const double *objective; /* [count][objectives], finite where excess is */
    const double *excess;    /* [count], sum of the violations of limits: 0 within all, INFINITY for a failure; NULL if all are 0 */
    u32 count, objectives;
};

/* The rank of each point: 0 if no point dominates it, else 1 + the highest rank of those that do. A point dominates another if it
 * is no worse in any objective and better in one; points within all limits dominate the others, and of two beyond limits the one
 * with less excess dominates (Deb, Pratap, Agarwal, Meyarivan: A fast and elitist multiobjective genetic algorithm: NSGA-II, IEEE
 * TEC 2002, sections III-A and VI-A). Equal points have equal ranks. Points are inserted in lexicographic order into the first
 * front without a dominating point, found by bisection (Zhang, Tian, Cheng, Jin: An efficient approach to nondominated sorting,
 * IEEE TEC 2015); up to 3 objectives a front is a staircase: n log^2 n comparisons; beyond, each front is scanned. */
enum ws_status ws_front_ranks(const struct ws_front_points *points, u32 *rank, struct ws_error *error);

/* All points from best to worst, order[count]: by rank, then by falling crowding distance within the rank (Deb 2002, III-B: the
 * sum over objectives of the distance between a point's neighbours, relative to the range of its front; infinite at the ends), then
 * by index. rank[count] is filled in unless NULL. */
enum ws_status ws_front_order(const struct ws_front_points *points, u32 *order, u32 *rank, struct ws_error *error);

/* The Pareto front: the points of rank 0 within all limits, by rising first objective, then second, ...; equal points all
 * belong to it. member[count] has room for all points. *members = 0 if no point is within the limits. */
enum ws_status ws_front_pareto(const struct ws_front_points *points, u32 *member, u32 *members, struct ws_error *error);

/* The knee of a front, an index of points: the member with the least sum of objectives, each scaled to 0..1 over the front. With
 * two objectives it is the one furthest below the line through the ends of the front (Das: On characterizing the "knee" of the
 * Pareto curve, Structural Optimization 1999). *knee = UINT32_MAX for an empty front. */
enum ws_status ws_front_knee(const struct ws_front_points *points, const u32 *member, u32 members, u32 *knee,
                             struct ws_error *error);

/* The volume that the points within all limits dominate, up to reference[objectives]: of the union of the boxes from each
 * point to the reference. Points that are not better than the reference in every objective add nothing. Exact: a sweep over the
 * first objective up to 3, else slices of the last one (While, Hingston, Barone, Huband: A faster algorithm for calculating
 * hypervolume, IEEE TEC 2006): n^(objectives - 2) log n sweeps. */
enum ws_status ws_front_hypervolume(const struct ws_front_points *points, const double *reference, double *volume,
                                    struct ws_error *error);
