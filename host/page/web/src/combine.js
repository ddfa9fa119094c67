/* Points along one or two axes, the other axes held fixed where the points allow it. */
import { choice } from './dom.js';
import { change } from './state.js';
import { arithmetic } from './statistics.js';

/* How many combinations of the axes' levels the points have. */
export function combinations(points, axes) {
    return new Set(points.map(point => axes.map(axis => axis.rank.get(axis.values[point.index])).join())).size;
}

/* Holds every axis that is not among used at a level: the one that the state names, else that of the first point that is a
 * baseline (or of the preferred point), as long as that loses no combination of the used ones. Gives the points left, a control for
 * each axis, and in words what is held. */
export function holdOthers(experiment, points, used, state, preferred) {
    const reference = preferred || points.find(point => point.baseline === point.label) || points[0];
    const controls = [],
        held = [];
    let left = points;
    for (const axis of experiment.axes.filter(other => !used.includes(other))) {
        const key = 'hold.' + axis.key;
        const at = level => left.filter(point => axis.values[point.index] === level);
        let level = axis.levels.find(candidate => String(candidate) === state[key]);
        if (level === undefined && state[key] !== 'any' && reference) {
            const candidate = axis.values[reference.index];
            if (combinations(at(candidate), used) === combinations(left, used)) level = candidate;
        }
        if (level !== undefined) {
            left = at(level);
            held.push(`${axis.key}=${level}`);
        }
        const options = [['any', 'any'], ...axis.levels.map(value => [String(value), String(value)])];
        controls.push(
            choice('hold-' + axis.key, axis.key, options, level === undefined ? 'any' : String(level), value =>
                change({ [key]: value }),
            ),
        );
    }
    return { points: left, controls, fixed: [experiment.machine, ...held].join(', ') };
}

/* Groups points by their levels on axes: a list of {ranks, points, value}, in order of the ranks. A group's value is the mean over
 * its points that have one. */
export function combine(points, axes, valueOf) {
    const groups = new Map();
    for (const point of points) {
        const ranks = axes.map(axis => axis.rank.get(axis.values[point.index]));
        const key = ranks.join();
        if (!groups.has(key)) groups.set(key, { ranks, points: [] });
        groups.get(key).points.push(point);
    }
    const list = [...groups.values()];
    for (const group of list) group.value = arithmetic(group.points.map(valueOf).filter(Number.isFinite));
    return list.sort((a, b) => a.ranks.map((rank, n) => rank - b.ranks[n]).find(Boolean) || 0);
}

/* Goes to a group's point, or to the table with just its points. */
export function visitGroup(axes, group) {
    if (group.points.length === 1) change({ point: group.points[0].label }, true);
    else
        change(
            {
                tab: 'table',
                ...Object.fromEntries(axes.map((axis, n) => ['where.' + axis.key, `= ${axis.levels[group.ranks[n]]}`])),
            },
            true,
        );
}
