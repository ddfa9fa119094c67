/* Bars: a metric by workload, a bar for each point, and the means over the workloads. */
import { MOST_SERIES, figure, hover, look } from './chart.js';
import { metricChoice, metricOf } from './controls.js';
import { choice, h, note, table } from './dom.js';
import { count, exact, measure, number, short } from './format.js';
import { brief } from './labels.js';
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

/* Which points have bars where there are too many: the best or the worst in the mean, or some from best to worst, always with the
 * points that others are compared with as far as there is room; in the order of the points. */
const CHOICES = { best: 'the best', worst: 'the worst', spread: 'from best to worst', first: 'the first' };

function choose(experiment, metric, points, how) {
    if (points.length <= MOST_SERIES) return points;
    const baselines = new Set(points.map(point => point.baseline));
    const kept = points.filter(point => baselines.has(point.label)).slice(0, MOST_SERIES / 2);
    const room = MOST_SERIES - kept.length;
    const value = point => experiment.mean(metric, point);
    const sign = metric.more ? -1 : 1;
    const rest = points.filter(point => !kept.includes(point) && (how === 'first' || Number.isFinite(value(point))));
    if (how !== 'first') rest.sort((a, b) => sign * (value(a) - value(b)));
    if (how === 'worst') rest.reverse();
    const step = how === 'spread' ? (rest.length - 1) / (room - 1) : 1;
    const taken = Array.from({ length: Math.min(room, rest.length) }, (_, n) => rest[Math.round(n * step)]);
    return points.filter(point => kept.includes(point) || taken.includes(point));
}

export function bars(experiment, state, points) {
    const metric = metricOf(experiment, state, 'metric', 'ipc');
    const how = CHOICES[state.choose] ? state.choose : 'best';
    const drawn = choose(experiment, metric, points, how);
    const labels = brief(drawn.map(point => point.label));
    const { groups, whole } = makeGroups(experiment, metric, drawn);
    const left = experiment.traces.length - whole.length;
    const title = `${metric.name} by workload`;
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
            name: labels[n],
            color: look(n).colour,
            barGap: '8%',
            barCategoryGap: '22%',
            emphasis: { focus: 'series' },
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
    const rows = drawn.map((point, n) => [
        h('a', { href: hash({ point: point.label }), title: point.label }, labels[n]),
        ...groups.map(group => ({ text: number(group.value(point)), title: exact(group.value(point)) })),
    ]);
    return {
        controls: [
            metricChoice(experiment, 'metric', 'metric', metric),
            points.length > drawn.length
                ? choice('choose', 'points', Object.entries(CHOICES), how, value => change({ choose: value }))
                : null,
        ],
        title,
        about: metric.doc,
        notes: [
            points.length > drawn.length
                ? note(
                      `${drawn.length} of ${count(points.length, 'point')}, ${CHOICES[how]} and the baseline; the filter chooses others.`,
                  )
                : null,
            left > 0 && experiment.traces.length > 1
                ? note(`The means leave out what lacks a value at a point shown: ${count(left, 'workload')}.`)
                : null,
        ],
        body: figure(title, experiment.machine, `${metric.name} of ${drawn.length} points by workload`, 440, option, labels),
        values: table('numbers', [`point \\ ${metric.name}`, ...groups.map(group => group.name)], rows),
    };
}
