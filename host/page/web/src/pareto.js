/* Pareto front: the points that no other point beats in two metrics, or in a parameter and a metric, at once. */
import { against, changesCell, changesOf, referenceOf } from './changes.js';
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

/* The knee of a front: the candidate with the least sum of both values, each scaled to 0..1 over the front, 0 the best. It is the
 * one furthest from the line through the ends of the front (Das 1999). Null where the front has no two different values. */
export function knee(best, moreX, moreY) {
    const scaled = (key, more) => {
        const values = best.map(candidate => candidate[key]);
        const low = Math.min(...values),
            high = Math.max(...values);
        return value => (high > low ? (more ? high - value : value - low) / (high - low) : 0);
    };
    const x = scaled('x', moreX),
        y = scaled('y', moreY);
    if (best.length < 3) return null;
    return best.reduce((a, b) => (x(b.x) + y(b.y) < x(a.x) + y(a.y) ? b : a));
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

function markOf(experiment, { point, x, y }, metrics, reference) {
    const changes = reference && reference !== point ? changesOf(experiment, point, reference) : [];
    return {
        value: [x, y],
        hover: () =>
            hover(point.label, [
                [metrics[0].name, measure(number(x), metrics[0].unit)],
                [metrics[1].name, measure(number(y), metrics[1].unit)],
                ...(changes.length > 0 ? [['changes', changes.join(', ')]] : []),
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

/* Marks of single points: the knee of the front and the baseline, each with its name beside it. */
function single(name, symbol, size, colour, candidate, mark) {
    return {
        type: 'scatter',
        name,
        symbol,
        symbolSize: size,
        color: colour,
        z: 5,
        label: { show: true, formatter: name, position: 'right', offset: [2, 12], fontSize: 13, fontWeight: 600, color: 'inherit' },
        data: candidate ? [mark(candidate)] : [],
    };
}

function makeOption({ experiment, drawn, best, metrics, reference, knee: bend, base }) {
    const mark = candidate => markOf(experiment, candidate, metrics, reference);
    return {
        xAxis: layAxis(metrics[0], 30),
        yAxis: layAxis(metrics[1], 12),
        series: [
            {
                type: 'scatter',
                name: 'others',
                symbolSize: 7,
                color: dark() ? '#8b97a5' : '#98a2ad',
                data: drawn.map(mark),
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
                data: best.map(mark),
            },
            single('knee', 'diamond', 20, look(0).colour, bend, mark),
            single('baseline', 'triangle', 15, look(2).colour, base, mark),
        ],
    };
}

/* At most so many of a list, evenly. */
function thin(list, most) {
    const step = Math.ceil(list.length / most);
    return list.filter((candidate, n) => n % step === 0);
}

function listing({ experiment, best, metrics, reference, knee: bend, base }, all) {
    const [x, y] = metrics;
    const value = (candidate, key) => ({
        text: base ? against(candidate[key], base[key]) : number(candidate[key]),
        title: exact(candidate[key]),
    });
    const rows = best
        .slice(0, MOST_LISTED)
        .map(candidate => [
            [
                h('a', { href: hash({ point: candidate.point.label }) }, candidate.point.label),
                candidate === bend ? h('span', { class: 'badge knee' }, 'knee') : null,
            ],
            value(candidate, 'x'),
            value(candidate, 'y'),
            ...(reference ? [changesCell(experiment, candidate.point, reference)] : []),
        ]);
    return h(
        'section',
        { id: 'front' },
        h('h3', null, `On the front: ${number(best.length)} of ${count(all, 'point')}`),
        reference ? note(`Compared with the baseline ${reference.label}.`) : null,
        table('numbers', ['point', x.name, y.name, ...(reference ? ['changes'] : [])], rows),
        best.length > rows.length ? note(`The best ${rows.length} in ${x.name} are listed.`) : null,
    );
}

/* What the front rests on. */
function basis(experiment, trace, metrics, candidates, bend) {
    const traces = experiment.traces.filter(one =>
        metrics.every(metric => !metric.kind || metric.kind === 'objective' || experiment.tracesOf(metric).includes(one)),
    );
    const workloads = trace ? trace.name : count(traces.length, 'workload');
    const search = experiment.search;
    return note(
        `From ${count(candidates, 'point')} on ${workloads}`,
        search
            ? ` that the search ${search.name} (${search.method}, seed ${search.seed}) simulated; points that it did not try may be better`
            : '',
        '.',
        bend ? ' The knee is the point of the front furthest from the line through its ends.' : '',
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
    const wished = experiment.objectives.map(({ name }) => name);
    const x = measureOf(experiment, state, 'px', ...wished.slice(1, 2), 'bytes_per_instruction', 'cycles');
    const y = measureOf(experiment, state, 'py', ...wished.slice(0, 1), 'ipc');
    const moreX = state.pxbest ? state.pxbest === 'more' : x.more;
    const moreY = state.pybest ? state.pybest === 'more' : y.more;
    const candidateOf = point => ({ point, x: experiment.value(x, point, trace), y: experiment.value(y, point, trace) });
    const isWhole = candidate => Number.isFinite(candidate.x) && Number.isFinite(candidate.y);
    const candidates = points.map(candidateOf).filter(isWhole);
    const best = front(candidates, moreX, moreY);
    const members = new Set(best);
    const others = candidates.filter(candidate => !members.has(candidate));
    const drawn = thin(others, MOST_DRAWN);
    const reference = referenceOf(experiment, experiment.points);
    const base = reference && [candidateOf(reference)].find(isWhole);
    const plot = {
        experiment,
        drawn,
        best: thin(best, MOST_DRAWN),
        metrics: [x, y],
        reference,
        base,
        knee: knee(best, moreX, moreY),
    };
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
        notes: [
            basis(experiment, trace, plot.metrics, candidates.length, plot.knee),
            ...notes(x === y, points.length - candidates.length, points.length, others.length, drawn.length),
        ],
    };
    if (candidates.length === 0) return about;
    const label = `${y.name} against ${x.name}, ${best.length} points on the front`;
    return {
        ...about,
        body: figure(about.title, experiment.machine, label, 440, makeOption(plot)),
        after: listing({ ...plot, best }, candidates.length),
    };
}
