/* Heat map: a metric over two axes, as colour. */
import { RAMP, figure, hover, rampKeys } from './chart.js';
import { combinations, combine, holdOthers, visitGroup } from './combine.js';
import { axisChoice, metricChoice, metricOf, title, traceChoice, traceOf } from './controls.js';
import { h, note, table } from './dom.js';
import { exact, level, measure, number, short } from './format.js';

const MOST_LEVELS = 100;
const CELL_WIDTH = 46,
    MOST_ROWS_WITH_TEXT = 24;
const MARGIN = 150; /* what the names of the levels take */

function ramp(least, most, unit) {
    return h(
        'div',
        { class: 'ramp' },
        h('span', null, short(least)),
        h('span', { class: 'colours', style: `background: linear-gradient(to right, ${RAMP.join(', ')})` }),
        h('span', null, measure(short(most), unit)),
    );
}

function layAxis(axis, gap) {
    return {
        type: 'category',
        split: false,
        name: measure(axis.key, axis.unit && `(${axis.unit})`),
        nameGap: gap,
        data: axis.levels.map(level),
        axisLabel: { formatter: value => value },
    };
}

function makeOption(groups, axes, metric, least, most) {
    const [x, y] = axes;
    const room =
        (document.getElementById('page').clientWidth - MARGIN) / x.levels.length >= CELL_WIDTH &&
        y.levels.length <= MOST_ROWS_WITH_TEXT;
    const light = value => (most > least ? (value - least) / (most - least) : 0.5) > 0.55;
    return {
        xAxis: layAxis(x, 30),
        yAxis: layAxis(y, 12),
        visualMap: { show: false, min: least, max: most > least ? most : least + 1, inRange: { color: RAMP } },
        series: [
            {
                type: 'heatmap',
                label: { show: room, fontSize: 12, formatter: mark => short(mark.value[2]) },
                data: groups.map(group => ({
                    value: [...group.ranks, group.value],
                    label: { color: light(group.value) ? '#111' : '#fff' },
                    hover: () =>
                        hover(group.points.length === 1 ? group.points[0].label : `mean of ${group.points.length} points`, [
                            [x.key, measure(level(x.levels[group.ranks[0]]), x.unit)],
                            [y.key, measure(level(y.levels[group.ranks[1]]), y.unit)],
                            [metric.name, measure(number(group.value), metric.unit)],
                        ]),
                    visit: () => visitGroup(axes, group),
                })),
            },
        ],
    };
}

function valuesTable(groups, [x, y], metric) {
    const at = new Map(groups.map(group => [group.ranks.join(), group]));
    const rows = y.levels.map((level, row) => [
        String(level),
        ...x.levels.map((other, column) => {
            const group = at.get([column, row].join());
            return group ? { text: number(group.value), title: exact(group.value) } : '';
        }),
    ]);
    return table('numbers', [`${y.key} \\ ${x.key}: ${metric.name}`, ...x.levels.map(String)], rows);
}

/* The axes that the state names; what it leaves open is such that the most cells are filled, by numbers rather than words. */
function chooseAxes(experiment, state) {
    const x = experiment.axis(state.x),
        y = experiment.axis(state.y);
    const axes = [...experiment.axes].sort((a, b) => b.numeric - a.numeric);
    const pairs = axes
        .flatMap(a => axes.map(b => [a, b]))
        .filter(([a, b]) => a !== b && (!x || a === x) && (!y || y === x || b === y));
    const filled = new Map(pairs.map(pair => [pair, pairs.length > 1 ? combinations(experiment.points, pair) : 0]));
    return pairs.reduce((best, pair) => (filled.get(pair) > filled.get(best) ? pair : best));
}

/* A point that differs from its baseline by more than the axes: held at the baseline's values, all speedups may be of baselines. */
function beside(experiment, points, used) {
    const others = experiment.axes.filter(axis => !used.includes(axis));
    return points.find(point => {
        const base = experiment.byLabel.get(point.baseline);
        return base && others.some(axis => axis.values[point.index] !== axis.values[base.index]);
    });
}

export function heatmap(experiment, state, points) {
    const { axes } = experiment;
    if (axes.length < 2)
        return {
            sentence: `A heat map needs two parameters that vary; here ${axes.length === 1 ? 'one does' : 'none does'}.`,
        };
    const metric = metricOf(experiment, state, 'metric', 'speedup', 'ipc');
    const trace = traceOf(experiment, state);
    const [x, y] = chooseAxes(experiment, state);
    const controls = [
        metricChoice(experiment, 'metric', 'metric', metric),
        axisChoice('x', 'across', experiment.axes, x),
        axisChoice(
            'y',
            'up',
            experiment.axes.filter(axis => axis !== x),
            y,
        ),
        traceChoice(experiment, state),
    ];
    if (x.levels.length > MOST_LEVELS || y.levels.length > MOST_LEVELS)
        return {
            controls,
            sentence: `${x.levels.length} by ${y.levels.length} cells are too many to see: ${MOST_LEVELS} either way are the most.`,
        };
    const held = holdOthers(
        experiment,
        points,
        [x, y],
        state,
        metric.name === 'speedup' ? beside(experiment, points, [x, y]) : undefined,
    );
    const groups = combine(held.points, [x, y], point => experiment.value(metric, point, trace)).filter(group =>
        Number.isFinite(group.value),
    );
    const values = groups.map(group => group.value);
    const least = Math.min(...values),
        most = Math.max(...values);
    const all = x.levels.length * y.levels.length;
    const about = `${title(metric, trace)} over ${x.key} and ${y.key}`;
    return {
        controls: [...controls, ...held.controls],
        title: about,
        about: metric.doc,
        notes: [
            groups.length < all ? note(`${groups.length} of ${all} combinations have a value; the others are left blank.`) : null,
            groups.some(group => group.points.length > 1)
                ? note('Where several points share a cell it has their mean; hold more parameters to tell them apart.')
                : null,
        ],
        body:
            groups.length > 0
                ? [
                      ramp(least, most, metric.unit),
                      figure(
                          about,
                          held.fixed,
                          `${metric.name} over ${x.key} and ${y.key}`,
                          Math.max(300, Math.min(720, 34 * y.levels.length + 90)),
                          makeOption(groups, [x, y], metric, least, most),
                          [],
                          rampKeys(least, most),
                      ),
                  ]
                : null,
        values: groups.length > 0 ? valuesTable(groups, [x, y], metric) : null,
    };
}
