/* Curves: a metric along an axis, a line for each value of another, or for each workload. */
import { MOST_SERIES, figure, hover, look } from './chart.js';
import { combinations, combine, holdOthers, visitGroup } from './combine.js';
import { axisChoice, metricChoice, metricOf, title, traceChoice, traceOf } from './controls.js';
import { choice, note, table, tick } from './dom.js';
import { exact, level, measure, number, short } from './format.js';
import { change } from './state.js';

const MOST_MARKED = 800; /* marks of all lines beyond which lines have none */
const MANY_ROWS = 200;

function powersOfTwo(levels) {
    return levels.every(value => value > 0 && Number.isInteger(Math.log2(value)));
}

/* How the axis of x is laid out: linear, log, or even steps. */
function scaleOf(axis, state) {
    if (!axis.numeric) return 'even';
    const positive = axis.levels[0] > 0;
    if (['linear', 'even'].includes(state.scale) || (state.scale === 'log' && positive)) return state.scale;
    return positive &&
        axis.levels.length > 2 &&
        (powersOfTwo(axis.levels) || axis.levels[axis.levels.length - 1] / axis.levels[0] >= 16)
        ? 'log'
        : 'linear';
}

function layX(axis, scale) {
    const about = { name: measure(axis.key, axis.unit && `(${axis.unit})`), nameGap: 30, split: false };
    const levels = axis.levels.length <= 16 && scale !== 'even' ? { customValues: axis.levels } : {};
    if (scale === 'even')
        return { ...about, type: 'category', data: axis.levels.map(level), axisLabel: { formatter: value => value } };
    return {
        ...about,
        type: scale === 'log' ? 'log' : 'value',
        logBase: powersOfTwo(axis.levels) ? 2 : 10,
        min: axis.levels[0],
        max: axis.levels[axis.levels.length - 1],
        axisTick: levels,
        axisLabel: { ...levels, formatter: value => (axis.rank.has(value) ? level(value) : short(value)) },
    };
}

/* The axis with the most numbers; without numbers that with the most words. */
function longest(axes) {
    return [...axes].sort((a, b) => b.numeric - a.numeric || b.levels.length - a.levels.length)[0];
}

/* The axis whose values are the lines, 'workload' or 'one'. */
function linesOf(experiment, points, x, state) {
    const others = experiment.axes.filter(axis => axis !== x);
    const asked = others.find(axis => axis.key === state.lines) || (['workload', 'one'].includes(state.lines) && state.lines);
    if (asked && (asked !== 'workload' || experiment.traces.length > 1)) return asked;
    const whole = axis => combinations(points, [axis, x]) === axis.levels.length * x.levels.length;
    const crossed = axis => combinations(points, [axis, x]) > Math.max(axis.levels.length, x.levels.length);
    return others.find(whole) || others.find(crossed) || (experiment.traces.length > 1 ? 'workload' : 'one');
}

/* Lines as {name, groups}: groups are points that share x, with their mean. */
function makeLines({ experiment, held, x, lines, metric, trace }) {
    const { points } = held;
    const along = (subset, on, extra = []) => combine(subset, [x, ...extra], point => experiment.value(metric, point, on));
    if (lines === 'workload') return experiment.traces.map(on => ({ name: on.short, groups: along(points, on) }));
    if (lines === 'one') return [{ name: trace ? trace.short : 'mean', groups: along(points, trace) }];
    return lines.levels.map(value => ({
        name: `${lines.key} = ${level(value)}`,
        groups: along(
            points.filter(point => lines.values[point.index] === value),
            trace,
            [lines],
        ),
    }));
}

function markOf({ x, scale, axes, metric }, line, group) {
    const at = x.levels[group.ranks[0]];
    const several = group.points.length > 1 ? [['points', `mean of ${group.points.length}`]] : [];
    return {
        value: [scale === 'even' ? group.ranks[0] : at, group.value],
        hover: () =>
            hover(group.points.length === 1 ? group.points[0].label : line.name, [
                [x.key, measure(level(at), x.unit)],
                ['line', line.name],
                [metric.name, measure(number(group.value), metric.unit)],
                ...several,
            ]),
        visit: () => visitGroup(axes, group),
    };
}

function valuesTable(lines, x, metric) {
    const levels = [...new Set(lines.flatMap(line => line.groups.map(group => group.ranks[0])))].sort((a, b) => a - b);
    const cell = (line, rank) => {
        const group = line.groups.find(candidate => candidate.ranks[0] === rank);
        return group ? { text: number(group.value), title: exact(group.value) } : '';
    };
    const rows = levels.slice(0, MANY_ROWS).map(rank => [String(x.levels[rank]), ...lines.map(line => cell(line, rank))]);
    return table('numbers', [`${x.key} \\ ${metric.name}`, ...lines.map(line => line.name)], rows);
}

const SCALES = Object.entries({ linear: 'linear', log: 'logarithmic', even: 'even steps' });

function controls({ experiment, metric, x, lines, scale, held }, state) {
    const others = experiment.axes.filter(axis => axis !== x);
    const more = Object.entries({ ...(experiment.traces.length > 1 ? { workload: 'workload' } : {}), one: 'none' });
    return [
        metricChoice(experiment, 'metric', 'metric', metric),
        axisChoice('x', 'along', experiment.axes, x),
        axisChoice('lines', 'a line for each', others, lines, more),
        lines === 'workload' ? null : traceChoice(experiment, state),
        ...held.controls,
        x.numeric ? choice('scale', 'scale', SCALES, scale, value => change({ scale: value })) : null,
        tick('zero', 'from zero', state.zero === '1', on => change({ zero: on ? '1' : '' })),
    ];
}

function notes(experiment, all, drawn) {
    const merged = drawn.some(line => line.groups.some(group => group.points.length > 1));
    return [
        experiment.axes.some(axis => axis.numeric)
            ? null
            : note('No parameter with numbers varies: the axis has the values in the order of the points.'),
        all.length > drawn.length
            ? note(`The first ${drawn.length} of ${all.length} lines; a filter or another axis shows the others.`)
            : null,
        merged ? note('Where several points share a place their mean is drawn; hold more parameters to tell them apart.') : null,
    ];
}

function makeOption(plot, drawn, fromZero) {
    const { metric, x, scale } = plot;
    const marks = drawn.reduce((sum, line) => sum + line.groups.length, 0);
    return {
        xAxis: layX(x, scale),
        yAxis: {
            type: 'value',
            name: measure(metric.name, metric.unit && `(${metric.unit})`),
            nameGap: 12,
            scale: !fromZero,
            axisLabel: { formatter: short },
        },
        series: drawn.map((line, n) => {
            const { colour, symbol, dash } = look(n);
            return {
                type: 'line',
                name: line.name,
                symbol,
                symbolSize: 8,
                showSymbol: marks <= MOST_MARKED,
                color: colour,
                lineStyle: { width: 2, type: dash },
                emphasis: { focus: 'series' },
                data: line.groups.map(group => markOf(plot, line, group)),
            };
        }),
    };
}

export function curves(experiment, state, points) {
    if (experiment.axes.length === 0)
        return { sentence: 'Nothing varies over the points of this experiment, so there is no axis for curves.' };
    const metric = metricOf(experiment, state, 'metric', 'ipc');
    const trace = traceOf(experiment, state);
    const x = experiment.axis(state.x) || longest(experiment.axes);
    const lines = linesOf(experiment, points, x, state);
    const axes = [x, ...(lines.key ? [lines] : [])];
    const held = holdOthers(experiment, points, axes, state);
    const plot = { experiment, metric, trace, x, lines, axes, held, scale: scaleOf(x, state) };
    const all = makeLines(plot)
        .map(line => ({ ...line, groups: line.groups.filter(group => Number.isFinite(group.value)) }))
        .filter(line => line.groups.length > 0);
    const drawn = all.slice(0, MOST_SERIES);
    const about = {
        controls: controls(plot, state),
        title: `${lines === 'workload' ? metric.name : title(metric, trace)} along ${x.key}`,
        about: metric.doc,
        notes: notes(experiment, all, drawn),
    };
    if (drawn.length === 0) return about;
    const label = `${metric.name} along ${x.key}, ${drawn.length} lines`;
    return {
        ...about,
        body: figure(
            about.title,
            held.fixed,
            label,
            440,
            makeOption(plot, drawn, state.zero === '1'),
            drawn.map(line => line.name),
        ),
        values: valuesTable(drawn, x, metric),
    };
}
