/* Pareto front: the points that no other point beats in two metrics, or in a parameter and a metric, at once. */
import { dark, figure, hover, look } from './chart.js';
import { measureChoice, measureOf, title, traceChoice, traceOf } from './controls.js';
import { choice, h, note, table } from './dom.js';
import { count, exact, level, measure, number, short } from './format.js';
import { change, hash } from './state.js';

const MOST_DRAWN = 1500,
    MOST_LISTED = 200;

/* Of {point, x, y} those that none other is at least as good as in both and better in one; best x first. */
export function front(candidates, moreX, moreY) {
    const better = (a, b, more) => (more ? b - a : a - b);
    const sorted = [...candidates].sort((a, b) => better(a.x, b.x, moreX) || better(a.y, b.y, moreY));
    const best = [];
    for (const candidate of sorted) {
        const last = best[best.length - 1];
        if (!last || better(candidate.y, last.y, moreY) < 0 || (candidate.x === last.x && candidate.y === last.y))
            best.push(candidate);
    }
    return best;
}

const wanted = more => (more ? 'more is better' : 'less is better');

function directionChoice(key, label, more) {
    return choice(
        key,
        label,
        [
            ['more', 'more'],
            ['less', 'less'],
        ],
        more ? 'more' : 'less',
        value => change({ [key]: value }),
    );
}

function markOf(experiment, { point, x, y }, metrics) {
    return {
        value: [x, y],
        hover: () =>
            hover(point.label, [
                [metrics[0].name, measure(number(x), metrics[0].unit)],
                [metrics[1].name, measure(number(y), metrics[1].unit)],
            ]),
        visit: () => change({ point: point.label }, true),
    };
}

function layAxis(metric, gap) {
    return {
        type: 'value',
        scale: true,
        name: measure(metric.name, metric.unit && `(${metric.unit})`),
        nameGap: gap,
        axisLabel: { formatter: value => (metric.levels && Number.isInteger(value) ? level(value) : short(value)) },
    };
}

function makeOption(experiment, others, best, metrics) {
    const marks = list => list.map(candidate => markOf(experiment, candidate, metrics));
    return {
        xAxis: layAxis(metrics[0], 30),
        yAxis: layAxis(metrics[1], 12),
        series: [
            {
                type: 'scatter',
                name: 'others',
                symbolSize: 7,
                color: dark() ? '#8b97a5' : '#98a2ad',
                data: marks(others),
                itemStyle: { opacity: 0.75 },
            },
            {
                type: 'line',
                name: 'front',
                step: 'end',
                symbol: 'circle',
                symbolSize: best.length > 60 ? 6 : 10,
                color: look(1).colour,
                lineStyle: { width: 2 },
                showSymbol: true,
                data: marks(best),
            },
        ],
    };
}

/* At most so many of a list, evenly. */
function thin(list, most) {
    const step = Math.ceil(list.length / most);
    return list.filter((candidate, n) => n % step === 0);
}

function listing(best, all, x, y) {
    const rows = best
        .slice(0, MOST_LISTED)
        .map(candidate => [
            h('a', { href: hash({ point: candidate.point.label }) }, candidate.point.label),
            { text: number(candidate.x), title: exact(candidate.x) },
            { text: number(candidate.y), title: exact(candidate.y) },
        ]);
    return h(
        'section',
        { id: 'front' },
        h('h3', null, `On the front: ${number(best.length)} of ${count(all, 'point')}`),
        table('numbers', ['point', x.name, y.name], rows),
        best.length > rows.length ? note(`The best ${rows.length} in ${x.name} are listed.`) : null,
    );
}

function notes(same, lacking, points, behind, drawn) {
    return [
        same ? note('Both axes are the same: choose two.') : null,
        lacking > 0 ? note(`${number(lacking)} of ${count(points, 'point')} lack a value and are left out.`) : null,
        drawn < behind ? note(`Of the ${number(behind)} points behind the front ${number(drawn)} are drawn, evenly chosen.`) : null,
    ];
}

export function pareto(experiment, state, points) {
    const trace = traceOf(experiment, state);
    const x = measureOf(experiment, state, 'px', 'bytes_per_instruction', 'cycles');
    const y = measureOf(experiment, state, 'py', 'ipc');
    const moreX = state.pxbest ? state.pxbest === 'more' : x.more;
    const moreY = state.pybest ? state.pybest === 'more' : y.more;
    const candidates = points
        .map(point => ({ point, x: experiment.value(x, point, trace), y: experiment.value(y, point, trace) }))
        .filter(candidate => Number.isFinite(candidate.x) && Number.isFinite(candidate.y));
    const best = front(candidates, moreX, moreY);
    const members = new Set(best);
    const others = candidates.filter(candidate => !members.has(candidate));
    const drawn = thin(others, MOST_DRAWN);
    const about = {
        controls: [
            measureChoice(experiment, 'px', 'across', x),
            directionChoice('pxbest', 'better across', moreX),
            measureChoice(experiment, 'py', 'up', y),
            directionChoice('pybest', 'better up', moreY),
            traceChoice(experiment, state),
        ],
        title: `Front of ${title(x, trace)} (${wanted(moreX)}) and ${y.name} (${wanted(moreY)})`,
        about: [x, y].map(metric => `${metric.name}: ${metric.doc}`).join('; '),
        notes: notes(x === y, points.length - candidates.length, points.length, others.length, drawn.length),
    };
    if (candidates.length === 0) return about;
    const label = `${y.name} against ${x.name}, ${best.length} points on the front`;
    return {
        ...about,
        body: figure(about.title, experiment.machine, label, 440, makeOption(experiment, drawn, thin(best, MOST_DRAWN), [x, y])),
        after: listing(best, candidates.length, x, y),
    };
}
