/* Pareto front: the points that no other point beats in two metrics at once. */
import { chart, dark, hover, look } from './chart.js';
import { metricChoice, metricOf, title, traceChoice, traceOf } from './controls.js';
import { choice, h, note, table } from './dom.js';
import { exact, measure, number, short } from './format.js';
import { change, hash } from './state.js';

const MOST_OTHERS = 1500;

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
            ['more', wanted(true)],
            ['less', wanted(false)],
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
        axisLabel: { formatter: short },
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
                color: dark() ? '#6b7684' : '#98a2ad',
                data: marks(others),
                itemStyle: { opacity: 0.75 },
            },
            {
                type: 'line',
                name: 'front',
                step: 'end',
                symbol: 'circle',
                symbolSize: 10,
                color: look(1).colour,
                lineStyle: { width: 2 },
                showSymbol: true,
                data: marks(best),
            },
        ],
    };
}

export function pareto(experiment, state, points) {
    const trace = traceOf(experiment, state);
    const x = metricOf(experiment, state, 'px', 'bytes_per_instruction', 'cycles');
    const y = metricOf(experiment, state, 'py', 'ipc');
    const moreX = state.pxbest ? state.pxbest === 'more' : x.more,
        moreY = state.pybest ? state.pybest === 'more' : y.more;
    const candidates = points
        .map(point => ({ point, x: experiment.value(x, point, trace), y: experiment.value(y, point, trace) }))
        .filter(candidate => Number.isFinite(candidate.x) && Number.isFinite(candidate.y));
    const best = front(candidates, moreX, moreY);
    const members = new Set(best);
    const others = candidates.filter(candidate => !members.has(candidate));
    const step = Math.ceil(others.length / MOST_OTHERS);
    const drawn = others.filter((candidate, n) => n % step === 0);
    const rows = best.map(candidate => [
        h('a', { href: hash({ point: candidate.point.label }) }, candidate.point.label),
        { text: number(candidate.x), title: exact(candidate.x) },
        { text: number(candidate.y), title: exact(candidate.y) },
    ]);
    return {
        controls: [
            metricChoice(experiment, 'px', 'across', x),
            directionChoice('pxbest', 'across', moreX),
            metricChoice(experiment, 'py', 'up', y),
            directionChoice('pybest', 'up', moreY),
            traceChoice(experiment, state),
        ],
        title: `Front of ${title(x, trace)} (${wanted(moreX)}) and ${y.name} (${wanted(moreY)})`,
        about: [x, y].map(metric => `${metric.name}: ${metric.doc}`).join('; '),
        notes: [
            x === y ? note('Both metrics are the same: choose two.') : null,
            candidates.length < points.length
                ? note(`${points.length - candidates.length} of ${points.length} points lack a value and are left out.`)
                : null,
            drawn.length < others.length
                ? note(`Of the ${others.length} points behind the front ${drawn.length} are drawn; the front is whole.`)
                : null,
        ],
        body:
            candidates.length > 0
                ? [
                      chart(
                          `${y.name} against ${x.name}, ${best.length} points on the front`,
                          440,
                          makeOption(experiment, drawn, best, [x, y]),
                      ),
                  ]
                : null,
        after:
            candidates.length > 0
                ? h(
                      'section',
                      { id: 'front' },
                      h('h3', null, `On the front: ${best.length} of ${candidates.length} points`),
                      table('numbers', ['point', x.name, y.name], rows),
                  )
                : null,
    };
}
