/* Bars: a metric by workload, a bar for each point, and the means over the workloads. */
import { MOST_SERIES, chart, hover, legend, look } from './chart.js';
import { metricChoice, metricOf } from './controls.js';
import { h, note, table } from './dom.js';
import { count, exact, measure, number, short } from './format.js';
import { change, hash } from './state.js';
import { arithmetic, geometric } from './statistics.js';

/* Groups of bars: the workloads, then means over those that have a value at every point shown. */
function makeGroups(experiment, metric, points) {
    const whole = experiment.traces.filter(trace => points.every(point => Number.isFinite(experiment.at(metric, point, trace))));
    const mean = of => point => of(whole.map(trace => experiment.at(metric, point, trace)));
    const groups = experiment.traces.map(trace => ({ name: trace.short, value: point => experiment.at(metric, point, trace) }));
    if (experiment.traces.length > 1 && whole.length > 0)
        groups.push({ name: 'mean', value: mean(arithmetic) }, { name: 'geometric mean', value: mean(geometric) });
    return { groups, whole };
}

function layX(groups) {
    return {
        type: 'category',
        split: false,
        data: groups.map(group => group.name),
        axisLabel: { interval: 0, hideOverlap: false, rotate: groups.length > 4 ? 38 : 0 },
    };
}

export function bars(experiment, state, points) {
    const metric = metricOf(experiment, state, 'metric', 'ipc');
    const drawn = points.slice(0, MOST_SERIES);
    const { groups, whole } = makeGroups(experiment, metric, drawn);
    const left = experiment.traces.length - whole.length;
    const option = {
        xAxis: layX(groups),
        yAxis: {
            type: 'value',
            name: measure(metric.name, metric.unit && `(${metric.unit})`),
            nameGap: 12,
            axisLabel: { formatter: short },
        },
        series: drawn.map((point, n) => ({
            type: 'bar',
            name: point.label,
            color: look(n).colour,
            barGap: '8%',
            barCategoryGap: '22%',
            emphasis: { focus: 'series' },
            itemStyle: { borderColor: look(n).colour, opacity: n < 8 ? 1 : 0.65 },
            data: groups.map(group => ({
                value: Number.isFinite(group.value(point)) ? group.value(point) : '-',
                hover: () =>
                    hover(point.label, [
                        ['workload', group.name],
                        [metric.name, measure(number(group.value(point)), metric.unit)],
                    ]),
                visit: () => change({ point: point.label }, true),
            })),
        })),
    };
    const rows = drawn.map(point => [
        h('a', { href: hash({ point: point.label }) }, point.label),
        ...groups.map(group => ({ text: number(group.value(point)), title: exact(group.value(point)) })),
    ]);
    return {
        controls: [metricChoice(experiment, 'metric', 'metric', metric)],
        title: `${metric.name} by workload`,
        about: metric.doc,
        notes: [
            points.length > drawn.length
                ? note(`The first ${drawn.length} of ${count(points.length, 'point')}; the filter chooses others.`)
                : null,
            left > 0 && experiment.traces.length > 1
                ? note(`The means leave out what lacks a value at a point shown: ${count(left, 'workload')}.`)
                : null,
        ],
        body: [legend(drawn.map(point => point.label)), chart(`${metric.name} of ${drawn.length} points by workload`, 440, option)],
        values: table('numbers', [`point \\ ${metric.name}`, ...groups.map(group => group.name)], rows),
    };
}
