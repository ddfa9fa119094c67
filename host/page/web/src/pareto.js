/* Pareto front: the points that no other point beats in two metrics, or in a parameter and a metric, at once. */
import { against, changesCell, changesOf, referenceOf } from './changes.js';
import { dark, figure, hover, look } from './chart.js';
import { measureChoice, measureOf, title, traceChoice, traceOf } from './controls.js';
import { choice, h, note, table } from './dom.js';
import { count, exact, level, measure, number, short } from './format.js';
import { change, hash } from './state.js';

const MOST_DRAWN = 1500,
    MOST_LISTED = 200,
    MOST_OWN = 20;

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
 * one furthest from the line through the ends of the front (Das 1999). Null where the front has fewer than three different members. */
export function knee(best, moreX, moreY) {
    const scaled = (key, more) => {
        const values = best.map(candidate => candidate[key]);
        const low = Math.min(...values),
            high = Math.max(...values);
        return value => (high > low ? (more ? high - value : value - low) / (high - low) : 0);
    };
    const x = scaled('x', moreX),
        y = scaled('y', moreY);
    if (new Set(best.map(candidate => `${candidate.x} ${candidate.y}`)).size < 3) return null;
    return best.reduce((a, b) => (x(b.x) + y(b.y) < x(a.x) + y(a.y) ? b : a));
}

/* Of the front of a search, the knee that the search has: where several members are as good, both name the same. */
function kneeOf(experiment, metrics, best, moreX, moreY) {
    const { search, objectives, points } = experiment;
    const bend = knee(best, moreX, moreY);
    const isWhole = search && objectives.length === 2 && best.length === search.front.length;
    const asSearched = metrics.every((metric, n) => objectives.includes(metric) && [moreX, moreY][n] === metric.more);
    const found = isWhole && asSearched && best.find(({ point }) => point === points[search.knee]);
    return (bend && found) || bend;
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
                ...(point.excess > 0 ? [['beyond the limits by', number(point.excess)]] : []),
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

function makeOption({ experiment, drawn, beyond, best, own, metrics, reference, knee: bend, base }) {
    const mark = candidate => markOf(experiment, candidate, metrics, reference);
    const grey = dark() ? '#8b97a5' : '#98a2ad';
    return {
        xAxis: layAxis(metrics[0], 30),
        yAxis: layAxis(metrics[1], 12),
        series: [
            {
                type: 'scatter',
                name: 'others',
                symbolSize: 7,
                color: grey,
                data: drawn.map(mark),
                itemStyle: { opacity: 0.75 },
            },
            {
                type: 'scatter',
                name: 'beyond a limit',
                symbolSize: 7,
                itemStyle: { color: 'transparent', borderColor: grey, borderWidth: 1 },
                data: beyond.map(mark),
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
            {
                type: 'scatter',
                name: "the search's front",
                symbolSize: 18,
                silent: true,
                itemStyle: { color: 'transparent', borderColor: look(0).colour, borderWidth: 2 },
                z: 4,
                data: own.map(mark),
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

/* The front of all objectives of a search where the axes are others: its members as candidates; else none. */
function ownFront(experiment, metrics, candidates) {
    const { search, objectives } = experiment;
    const two = search && objectives.length === 2 && objectives.every(objective => metrics.includes(objective));
    if (!search || two) return [];
    const members = new Set(search.front.map(position => experiment.points[position]));
    return candidates.filter(({ point }) => members.has(point));
}

function listing({ experiment, best, own, metrics, reference, knee: bend, base }, all) {
    const members = new Set(own);
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
                members.has(candidate) ? h('span', { class: 'badge own' }, "search's front") : null,
            ],
            value(candidate, 'x'),
            value(candidate, 'y'),
            ...(reference ? [changesCell(experiment, candidate.point, reference)] : []),
        ]);
    return h(
        'section',
        { id: 'front' },
        h('h3', null, `On the front${own.length > 0 ? ' of these two' : ''}: ${number(best.length)} of ${count(all, 'point')}`),
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

/* How many points the limits exclude. */
function limitNote({ search }, beyond) {
    if (!search || search.limits.length === 0) return null;
    const all = `${count(beyond.length, 'point')} ${beyond.length === 1 ? 'is' : 'are'} beyond a limit (${search.limits.join('; ')})`;
    return note(beyond.length > 0 ? `${all}: drawn hollow, never on the front.` : `${all}.`);
}

function ownNote({ search, objectives, points }, own) {
    if (own.length === 0) return null;
    const links = search.front.slice(0, MOST_OWN).map((position, n) => {
        const { label } = points[position];
        return [n > 0 ? '; ' : '', h('a', { href: hash({ point: label }) }, label)];
    });
    const all = objectives.length === 1 ? 'its objective' : `all ${objectives.length} objectives`;
    const left = search.front.length - links.length;
    return h(
        'p',
        { id: 'own', class: 'note' },
        `The search's own front, of ${all}, is ringed: ${number(search.front.length)} of ${count(search.points.length, 'point')}: `,
        links,
        left > 0 ? ` and ${number(left)} more.` : '.',
    );
}

/* Where every point is beyond the limits: the nearest one. */
function nearest(beyond) {
    const { point } = beyond.reduce((a, b) => (b.point.excess < a.point.excess ? b : a));
    return [
        'No point is within the limits. Nearest, with relative excesses of ',
        `${number(point.excess)} in all: `,
        h('a', { href: hash({ point: point.label }) }, point.label),
        '.',
    ];
}

function notes(experiment, beyond, own, same, lacking, points, behind, drawn) {
    return [
        limitNote(experiment, beyond),
        ownNote(experiment, own),
        experiment.search && experiment.search.unlimited.length > 0
            ? note(`Unlimited, so counted as 0 bits of storage: ${experiment.search.unlimited.join(', ')}.`)
            : null,
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
    const beyond = candidates.filter(({ point }) => point.excess > 0);
    const own = ownFront(experiment, [x, y], candidates);
    const best = front(
        candidates.filter(({ point }) => !(point.excess > 0)),
        moreX,
        moreY,
    );
    const members = new Set(best);
    const others = candidates.filter(candidate => !members.has(candidate) && !(candidate.point.excess > 0));
    const drawn = thin(others, MOST_DRAWN);
    const reference = referenceOf(experiment, experiment.points);
    const base = reference && [candidateOf(reference)].find(isWhole);
    const plot = {
        experiment,
        drawn,
        beyond: thin(beyond, MOST_DRAWN),
        own,
        best: thin(best, MOST_DRAWN),
        metrics: [x, y],
        reference,
        base,
        knee: kneeOf(experiment, [x, y], best, moreX, moreY),
    };
    const about = {
        controls: [
            measureChoice(experiment, 'px', 'across', x),
            directionChoice('pxbest', 'better across', moreX),
            measureChoice(experiment, 'py', 'up', y),
            directionChoice('pybest', 'better up', moreY),
            traceChoice(experiment, state),
        ],
        title: `Front of ${own.length > 0 ? 'these two, ' : ''}${title(x, trace)} (${wanted(moreX)}) and ${y.name} (${wanted(moreY)})`,
        about: [x, y].map(metric => `${metric.name}: ${metric.doc}`).join('; '),
        notes: [
            basis(experiment, trace, plot.metrics, candidates.length, plot.knee),
            ...notes(
                experiment,
                beyond,
                own,
                x === y,
                points.length - candidates.length,
                points.length,
                others.length,
                drawn.length,
            ),
        ],
    };
    if (candidates.length === 0) return about;
    const label = `${y.name} against ${x.name}, ${best.length} points on the front`;
    return {
        ...about,
        body: figure(about.title, experiment.machine, label, 440, makeOption(plot)),
        sentence: best.length === 0 ? nearest(beyond) : null,
        after: listing({ ...plot, best }, candidates.length),
    };
}
