/* What a point changes against another one. */
import { h } from './dom.js';
import { level, number } from './format.js';

/* The point that others are compared with: the baseline of the first one that has one; null without. */
export function referenceOf(experiment, points) {
    const point = points.find(({ baseline }) => baseline !== null);
    return (point && experiment.byLabel.get(point.baseline)) || null;
}

/* "l1.size 16 Ki → 64 Ki", one for each axis on which the points differ. */
export function changesOf(experiment, point, reference) {
    return experiment.axes
        .filter(axis => axis.values[point.index] !== axis.values[reference.index])
        .map(axis => `${axis.key} ${level(axis.values[reference.index])} \u2192 ${level(axis.values[point.index])}`);
}

export function changesCell(experiment, point, reference) {
    if (point === reference) return h('span', { class: 'badge' }, 'baseline');
    const changes = changesOf(experiment, point, reference);
    return changes.length > 0 ? h('div', { class: 'changes' }, changes.join(', ')) : 'nothing';
}

/* A value beside the reference's: "20.4 (+3.1 %)". */
export function against(value, base) {
    if (!Number.isFinite(value) || !Number.isFinite(base) || base === 0 || value === base) return number(value);
    const percent = (100 * (value - base)) / Math.abs(base);
    return `${number(value)} (${percent > 0 ? '+' : '\u2212'}${Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0)} %)`;
}
