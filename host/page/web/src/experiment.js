/* An experiment as the views see it: points, what varies over them, and numbers by metric, point and trace. */
import { arithmetic, geometric } from './statistics.js';

const GEOMETRIC = new Set(['speedup', 'ipc', 'warp_ipc']);
const MORE_IS_BETTER = new Set([
    'speedup',
    'ipc',
    'warp_ipc',
    'lane_use',
    'l1_hit_rate',
    'icache_hit_rate',
    'row_hit_rate',
    'l1_hits',
    'icache_hits',
    'row_hits',
    'l1_store_hits',
]);

/* What varies: a parameter, the variation, or the front end. Levels are its values: numbers in order, words as the points have
 * them. */
function makeAxis(about, values) {
    const levels = [...new Set(values)];
    const numeric = levels.every(level => typeof level === 'number');
    if (numeric) levels.sort((a, b) => a - b);
    return { ...about, name: about.key, more: false, numeric, levels, values, rank: new Map(levels.map((level, n) => [level, n])) };
}

function makeAxes(parameters, points) {
    const varying = parameters.filter(parameter => parameter.value === undefined);
    const axes = varying.map((parameter, n) =>
        makeAxis(
            parameter,
            points.map(point => point.values[n]),
        ),
    );
    const words = [
        [{ key: 'variation', unit: '', doc: 'variation of the experiment' }, points.map(point => point.variation || 'none')],
        [{ key: 'frontend', unit: '', doc: 'options of the front end' }, points.map(point => point.frontend || 'defaults')],
    ];
    return [...words.map(([about, values]) => makeAxis(about, values)).filter(axis => axis.levels.length > 1), ...axes];
}

/* The end that all traces share (":tiny"), which axes leave out; a trace's name always keeps its first letter. */
function commonEnd(names) {
    const end = name => name.slice(name.lastIndexOf(':') > 0 ? name.lastIndexOf(':') : name.length);
    return names.length > 1 && names.every(name => end(name) === end(names[0])) ? end(names[0]) : '';
}

export class Experiment {
    constructor(raw) {
        Object.assign(this, {
            ...raw.head,
            key: raw.key,
            file: raw.file,
            runs: raw.runs,
            failures: raw.failures,
            parameters: raw.parameters,
        });
        this.statuses = new Map(raw.statuses);
        this.points = raw.points.map(([label, variation, baseline, frontend, overrides, ...values], index) => ({
            index,
            label,
            variation,
            baseline,
            frontend,
            overrides,
            values,
            excess: 0 /* over the limits of a search */,
        }));
        this.byLabel = new Map(this.points.map(point => [point.label, point]));
        this.axes = makeAxes(raw.parameters, this.points);
        const end = commonEnd(raw.traces.map(([name]) => name));
        this.traces = raw.traces.map(([name, kernel, threads, blocks], index) => ({
            index,
            name,
            short: name.slice(0, name.length - end.length),
            kernel,
            threads,
            blocks,
        }));
        this.size = end.slice(1);
        this.takeKernels(raw);
        this.search = raw.search || null;
        this.effects = raw.effects || [];
        this.objectives = this.search ? this.takeObjectives(raw.search) : [];
        this.hasCounters = raw.metrics.some(metric => metric.kind === 'counter');
    }

    takeKernels(raw) {
        this.cells = this.points.length * this.traces.length;
        this.metrics = raw.metrics.map(metric => ({
            ...metric,
            geometric: GEOMETRIC.has(metric.name),
            more: MORE_IS_BETTER.has(metric.name),
            values: new Float64Array(this.cells).fill(NaN),
            means: null,
        }));
        for (const [point, trace, ...values] of raw.kernels) {
            const cell = point * this.traces.length + trace;
            for (let n = 0; n < values.length; n++) if (values[n] !== null) this.metrics[n].values[cell] = values[n];
        }
        /* What no kernel has, such as the speed-up where there is no baseline, is no metric of the experiment. */
        this.metrics = this.metrics.filter(metric => metric.kind === 'counter' || metric.values.some(Number.isFinite));
        this.byName = new Map(this.metrics.map(metric => [metric.name, metric]));
        this.kernels = raw.kernels.length;
    }

    /* The objectives of a search, as metrics of points: they have no value on a single trace. */
    takeObjectives(search) {
        const objectives = search.objectives.map(({ name, more, expression }) => ({
            name: this.byName.has(name) ? `${name} (objective)` : name,
            unit: '',
            doc: `objective of the search${expression === name ? '' : ', ' + expression}, ${more ? 'more' : 'less'} is better`,
            kind: 'objective',
            geometric: false,
            more,
            values: new Float64Array(this.cells).fill(NaN),
            means: new Float64Array(this.points.length).fill(NaN),
        }));
        for (const [point, excess, ...values] of search.points) {
            this.points[point].excess = excess;
            objectives.forEach((objective, n) => {
                if (values[n] !== null) objective.means[point] = values[n];
            });
        }
        for (const objective of objectives) this.byName.set(objective.name, objective);
        this.metrics = [...objectives, ...this.metrics];
        return objectives;
    }

    /* Shards without a block are no jobs; of a damaged trace the blocks are not known. */
    get jobs() {
        const shards = this.traces.map(({ blocks }) => Math.min(this.shards, blocks || this.shards));
        return this.points.length * shards.reduce((sum, count) => sum + count, 0);
    }

    at(metric, point, trace) {
        return metric.values[point.index * this.traces.length + trace.index];
    }

    /* The metric's mean over the traces: geometric for speed-up and IPC. A trace that has a value nowhere does not enter; a point
     * that lacks any other has no mean, so that all means are over the same traces. */
    mean(metric, point) {
        if (!metric.means) {
            const traces = this.tracesOf(metric);
            const mean = metric.geometric ? geometric : arithmetic;
            metric.means = Float64Array.from(this.points, p => mean(traces.map(trace => this.at(metric, p, trace))));
        }
        return metric.means[point.index];
    }

    tracesOf(metric) {
        return this.traces.filter(trace => this.points.some(point => Number.isFinite(this.at(metric, point, trace))));
    }

    /* On one trace, or the mean where trace is null. */
    value(metric, point, trace) {
        if (metric.levels) return metric.values[point.index]; /* of a parameter */
        return trace && metric.kind !== 'objective' ? this.at(metric, point, trace) : this.mean(metric, point);
    }

    /* What an axis may have: a metric, or a parameter that varies and has numbers. */
    measure(name) {
        return this.byName.get(name) || this.axes.filter(axis => axis.numeric).find(axis => axis.key === name) || null;
    }

    axis(key) {
        return this.axes.find(axis => axis.key === key);
    }

    trace(name) {
        return this.traces.find(trace => trace.name === name) || null;
    }
}
