/* Parallel coordinates: each point a line through its parameters and values. A range drawn on an axis is a condition of the filter,
 * which all views share. */
import { RAMP, dark, figure, hover, rampKeys } from './chart.js';
import { metricOf, title, traceChoice, traceOf } from './controls.js';
import { choice, h, note, tick } from './dom.js';
import { condition } from './filter.js';
import { count, level, measure, number, short } from './format.js';
import { change } from './state.js';

const MOST_LINES = 1500 /* drawn, of the points that pass; and as many grey ones */,
    MOST_AXES = 12,
    SHOWN_METRICS = 2,
    MOST_NAME = 16; /* letters of a line of an axis's name */

/* ---- Axes ---- */

/* Dimensions that a point may have: the axes of the experiment, and metrics. */
function dimensionsOf(experiment, trace) {
    return [
        ...experiment.axes.map(axis => ({ key: axis.key, axis, position: point => axis.rank.get(axis.values[point.index]) })),
        ...experiment.metrics
            .filter(metric => metric.kind !== 'counter')
            .map(metric => ({ key: metric.name, metric, position: point => experiment.value(metric, point, trace) })),
    ];
}

/* Those that the state names; else what varies and the objectives, or the colour's metric. */
function shownDimensions(experiment, all, state, metric) {
    if (state.dimensions !== undefined) {
        const keys = new Set(state.dimensions.split(','));
        return all.filter(({ key }) => keys.has(key)).slice(0, MOST_AXES);
    }
    const metrics =
        experiment.objectives.length > 0 ? experiment.objectives : [metric, experiment.byName.get('cycles')].filter(Boolean);
    const axes = all.filter(({ axis }) => axis).slice(0, MOST_AXES - SHOWN_METRICS);
    return [...axes, ...all.filter(other => metrics.includes(other.metric))];
}

function dimensionChoices(all, shown) {
    const on = new Set(shown.map(({ key }) => key));
    const boxes = all.map(({ key }) =>
        tick('dimension-' + key, key, on.has(key), checked => {
            if (checked) on.add(key);
            else on.delete(key);
            change({
                dimensions: all
                    .map(other => other.key)
                    .filter(other => on.has(other))
                    .join(','),
            });
        }),
    );
    return h(
        'details',
        { id: 'dimensions' },
        h('summary', null, `Axes: ${shown.length} of ${all.length}`),
        h('div', { class: 'ticks' }, boxes),
    );
}

/* ---- Ranges ---- */

/* The condition that a drawn range means; '' where it takes in all levels or none. */
export function rangeCondition({ axis }, [low, high]) {
    if (!axis) return `>= ${Number(low.toPrecision(4))}, <= ${Number(high.toPrecision(4))}`;
    const levels = axis.levels.slice(Math.max(0, Math.ceil(low - 0.5)), Math.floor(high + 0.5) + 1);
    if (levels.length === 0 || levels.length === axis.levels.length) return '';
    if (!axis.numeric) return `= ${levels.join('|')}`;
    return levels.length === 1 ? `= ${levels[0]}` : `>= ${levels[0]}, <= ${levels[levels.length - 1]}`;
}

/* The range of an axis that a condition takes in, to be drawn; null without one. */
function rangeOf({ key, axis }, positions, state) {
    const text = state['where.' + key];
    const test = text && condition(text, !axis || axis.numeric);
    if (!test) return null;
    const inside = axis
        ? axis.levels.map((value, rank) => (test(value) ? rank : NaN)).filter(Number.isFinite)
        : positions.filter(test);
    if (inside.length === 0) return null;
    const margin = axis ? 0.3 : 0;
    return [Math.min(...inside) - margin, Math.max(...inside) + margin];
}

/* ---- The chart ---- */

/* A name in lines of about twelve characters; of parameters always after the group. */
function wrapped(name, where) {
    const lines = [];
    for (const part of name.split(where)) {
        const last = lines[lines.length - 1];
        if (last !== undefined && !last.endsWith('.') && last.length + part.length <= MOST_NAME) lines[lines.length - 1] += part;
        else lines.push(part);
    }
    return lines.join('\n');
}

function layAxis(dimension, n, positions, range) {
    const { axis, metric } = dimension;
    const name = axis ? axis.key : metric.name;
    const finite = positions.filter(Number.isFinite);
    const low = axis ? -0.5 : Math.min(...finite),
        high = axis ? axis.levels.length - 0.5 : Math.max(...finite);
    const room = high > low ? 0 : Math.abs(high) || 1;
    return {
        dim: n,
        id: 'dimension' + n,
        type: 'value',
        name: wrapped(name, axis ? /(?<=\.)/ : /(?<=[ ,(])/),
        min: low - room,
        max: high + room,
        realtime: false,
        range,
        splitNumber: 5,
        axisTick: axis ? { customValues: axis.levels.map((value, rank) => rank) } : {},
        axisLabel: axis
            ? { customValues: axis.levels.map((value, rank) => rank), formatter: rank => level(axis.levels[rank] ?? '') }
            : { formatter: short },
        select: interval => change({ ['where.' + dimension.key]: interval ? rangeCondition(dimension, interval) : '', page: '' }),
    };
}

function colourOf(value, least, most) {
    const share = most > least ? (value - least) / (most - least) : 1;
    return RAMP[Math.max(0, Math.min(RAMP.length - 1, Math.round(share * (RAMP.length - 1))))];
}

function thin(list, most) {
    const step = Math.ceil(list.length / most);
    return list.filter((item, n) => n % step === 0);
}

function lineOf({ experiment, shown, metric, trace }, point, style) {
    return {
        value: shown.map(({ position }) => position(point)),
        lineStyle: style,
        hover: () =>
            hover(point.label, [
                ...shown.map(({ key, axis, metric: other, position }) => [
                    key,
                    axis ? measure(level(axis.values[point.index]), axis.unit) : measure(number(position(point)), other.unit),
                ]),
                ...(shown.some(dimension => dimension.metric === metric)
                    ? []
                    : [[metric.name, measure(number(experiment.value(metric, point, trace)), metric.unit)]]),
            ]),
        visit: () => change({ point: point.label }, true),
    };
}

function makeOption(plot, state) {
    const { experiment, shown, metric, trace, passing, others, least, most } = plot;
    const grey = { color: dark() ? '#566270' : '#c3c9d0', width: 1, opacity: 0.35 };
    const sorted = [...passing].sort(
        (a, b) => (experiment.value(metric, a, trace) - experiment.value(metric, b, trace)) * (metric.more ? 1 : -1),
    );
    const colour = point => ({ color: colourOf(experiment.value(metric, point, trace), least, most), width: 1.6, opacity: 0.8 });
    return {
        parallel: { left: 50, right: 80, top: 64, bottom: 24 },
        parallelAxis: shown.map((dimension, n) => {
            const positions = experiment.points.map(dimension.position);
            return layAxis(dimension, n, positions, rangeOf(dimension, positions, state));
        }),
        series: [
            {
                type: 'parallel',
                name: 'others',
                silent: true,
                inactiveOpacity: 0.35,
                activeOpacity: 0.35,
                data: others.map(point => lineOf(plot, point, grey)),
            },
            {
                type: 'parallel',
                name: 'points',
                z: 3,
                inactiveOpacity: 0.8,
                activeOpacity: 0.8,
                emphasis: { lineStyle: { width: 4, opacity: 1 } },
                data: sorted.map(point => lineOf(plot, point, colour(point))),
            },
        ],
    };
}

function ramp({ least, most, metric }) {
    return h(
        'div',
        { class: 'ramp' },
        h('span', null, `${metric.name} ${short(least)}`),
        h('span', { class: 'colours', style: `background: linear-gradient(to right, ${RAMP.join(', ')})` }),
        h('span', null, measure(short(most), metric.unit)),
    );
}

function notes({ passing, others }, points, inside) {
    const lacking = points - inside;
    return [
        note(
            'Draw a range on an axis with the mouse to filter the points of all views; click the axis to drop it. A click on a line opens its point.',
        ),
        lacking > 0 ? note(`${number(lacking)} of ${count(points, 'point')} lack a value and are left out.`) : null,
        passing.length < inside
            ? note(`${number(passing.length)} of the ${count(inside, 'point')} that pass are drawn, evenly chosen.`)
            : null,
        others.length > 0 ? note(`Grey: ${count(others.length, 'point')} that the filter leaves out.`) : null,
    ];
}

export function parallel(experiment, state, points) {
    const trace = traceOf(experiment, state);
    const metric = metricOf(experiment, state, 'metric', ...experiment.objectives.map(({ name }) => name), 'ipc');
    const all = dimensionsOf(experiment, trace);
    const shown = shownDimensions(experiment, all, state, metric);
    const isWhole = point =>
        [...shown.map(({ position }) => position(point)), experiment.value(metric, point, trace)].every(Number.isFinite);
    const inside = new Set(points);
    const whole = points.filter(isWhole);
    const values = whole.map(point => experiment.value(metric, point, trace));
    const plot = {
        experiment,
        shown,
        metric,
        trace,
        passing: thin(whole, MOST_LINES),
        others: thin(
            experiment.points.filter(point => !inside.has(point) && isWhole(point)),
            MOST_LINES,
        ),
        least: values.reduce((a, b) => Math.min(a, b), Infinity),
        most: values.reduce((a, b) => Math.max(a, b), -Infinity),
    };
    const about = {
        controls: [
            choice(
                'metric',
                'colour',
                experiment.metrics.map(({ name }) => [name, name]),
                metric.name,
                value => change({ metric: value }),
            ),
            traceChoice(experiment, state),
        ],
        title: `${count(whole.length, 'point')} by parameters and values, coloured by ${title(metric, trace)}`,
        about: metric.doc,
        notes: notes(plot, points.length, whole.length),
        after: dimensionChoices(all, shown),
    };
    if (shown.length < 2) return { ...about, sentence: 'Choose at least two axes.' };
    if (whole.length === 0) return about;
    const label = `${whole.length} points over ${shown.length} parallel axes`;
    return {
        ...about,
        body: [
            ramp(plot),
            figure(about.title, experiment.machine, label, 460, makeOption(plot, state), [], rampKeys(plot.least, plot.most)),
        ],
    };
}
