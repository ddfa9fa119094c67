/* Choices that several views have. */
import { choice, note } from './dom.js';
import { change } from './state.js';

export function metricChoice(experiment, key, label, metric) {
    const options = experiment.metrics.map(({ name }) => [name, name]);
    return choice(key, label, options, metric.name, value => change({ [key]: value }));
}

/* The same with the parameters that have numbers. */
export function measureChoice(experiment, key, label, measure) {
    const numeric = experiment.axes.filter(axis => axis.numeric);
    const options = [...numeric, ...experiment.metrics].map(({ name }) => [name, name]);
    return choice(key, label, options, measure.name, value => change({ [key]: value }));
}

/* The trace that numbers are of, or the mean over all. */
export function traceChoice(experiment, state) {
    const trace = experiment.trace(state.trace);
    const options = [['', 'mean'], ...experiment.traces.map(({ name }) => [name, name])];
    return experiment.traces.length > 1
        ? choice('trace', 'workload', options, trace ? trace.name : '', value => change({ trace: value }))
        : null;
}

/* The trace that the state names, null for the mean. */
export function traceOf(experiment, state) {
    return experiment.traces.length > 1 ? experiment.trace(state.trace) : experiment.traces[0] || null;
}

export function axisChoice(key, label, axes, axis, more = []) {
    const options = [...axes.map(other => [other.key, other.key]), ...more];
    return choice(key, label, options, axis ? axis.key || axis : '', value => change({ [key]: value }));
}

/* The metric that a key of the state names, else the first of the names there is. */
export function metricOf(experiment, state, key, ...names) {
    return [state[key], ...names].map(name => experiment.byName.get(name)).find(Boolean) || experiment.metrics[0];
}

/* The same of a metric or a parameter that has numbers. */
export function measureOf(experiment, state, key, ...names) {
    return [state[key], ...names].map(name => experiment.measure(name)).find(Boolean) || experiment.metrics[0];
}

/* "geometric mean ipc" or "ipc of bfs". */
export function title(metric, trace) {
    if (metric.levels) return metric.key;
    if (metric.kind === 'objective') return metric.name;
    if (trace) return `${metric.name} of ${trace.name}`;
    return `${metric.geometric ? 'geometric mean' : 'mean'} ${metric.name}`;
}

/* Says so where there are no counters. */
export function withoutCounters(experiment) {
    return experiment.hasCounters
        ? null
        : note('Counters are left out: the experiment has too many kernels for them. The results file has them.');
}
