/* Importance: how much of the variation of a response each parameter explains, alone and with another one (functional ANOVA of a
 * random forest, computed by warpsweep), and how well that model predicts points that it has not seen. */
import { dark, figure, hover, look } from './chart.js';
import { choice, h, note, table } from './dom.js';
import { count, level, number, short } from './format.js';
import { change } from './state.js';

const MOST_ROWS = 16,
    FEWEST_ROWS = 3,
    LEAST_SHARE = 0.0005,
    GOOD_R2 = 0.7;

const percent = share => `${(100 * share).toFixed(Math.abs(share) < 0.0995 ? 1 : 0)} %`;
const interval = ([, low, high]) => `${percent(low)} to ${percent(high)}`;

/* Effects as rows {name, share: [value, low, high], pair}, the largest first. */
function rowsOf(effects) {
    const main = effects.main.map((share, n) => ({ name: effects.axes[n].key, axis: n, share, pair: false }));
    const pairs = effects.pair.map(([a, b, ...share]) => ({
        name: `${effects.axes[a].key} with ${effects.axes[b].key}`,
        share,
        pair: true,
    }));
    return [...main, ...pairs].sort((a, b) => b.share[0] - a.share[0]);
}

/* A line from the low to the high end of an interval, with ends. */
function whisker(parameters, api) {
    const row = api.value(0);
    const [low, high] = [1, 2].map(n => api.coord([api.value(n), row]));
    const style = { stroke: dark() ? '#e8ebef' : '#1b2128', lineWidth: 1.5 };
    const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
    return {
        type: 'group',
        children: [
            line(low[0], low[1], high[0], high[1]),
            line(low[0], low[1] - 4, low[0], low[1] + 4),
            line(high[0], high[1] - 4, high[0], high[1] + 4),
        ],
    };
}

function makeOption(rows) {
    const colour = pair => look(pair ? 1 : 0).colour;
    const box = row =>
        hover(row.name, [
            ['share of the variance', percent(row.share[0])],
            ['95 % interval', interval(row.share)],
        ]);
    return {
        xAxis: {
            type: 'value',
            min: 0,
            name: 'share of the variance (%)',
            nameGap: 30,
            axisLabel: { formatter: value => short(100 * value) },
        },
        yAxis: {
            type: 'category',
            inverse: true,
            split: false,
            data: rows.map(({ name }) => name),
            axisLabel: { formatter: value => value, interval: 0 },
        },
        series: [
            {
                type: 'bar',
                name: 'share',
                barMaxWidth: 18,
                data: rows.map(row => ({
                    value: row.share[0],
                    itemStyle: { color: colour(row.pair) },
                    hover: () => box(row),
                    visit: row.pair ? undefined : () => change({ axis: row.name }),
                })),
            },
            {
                type: 'custom',
                name: 'interval',
                silent: true,
                z: 3,
                renderItem: whisker,
                encode: { x: [1, 2], y: 0 },
                data: rows.map(({ share }, n) => [n, share[1], share[2]]),
            },
        ],
    };
}

/* What the numbers rest on, and whether the model may be believed. */
function verdict({ check, points, resamples, seed }) {
    const good = check.r2 >= GOOD_R2;
    return h(
        'p',
        { id: 'check', class: good ? 'note' : 'missing' },
        `From ${count(points, 'point')}; 95 % intervals from ${resamples} resamples of them (seed ${seed}). `,
        `Check on held-out points: the model explains ${percent(Math.max(0, check.r2))} of the variance (R\u00b2 ${check.r2.toFixed(2)}) `,
        `and ranks them with a correlation of ${check.rank.toFixed(2)}, over ${count(check.points, 'point')}. `,
        good ? '' : 'That is too little to rely on these effects: simulate more points.',
    );
}

function levels(effects, n) {
    const axis = effects.axes[n];
    const rows = effects.level[n].map(([mean, low, high], value) => [
        level(axis.levels[value]),
        number(mean),
        `${number(low)} to ${number(high)}`,
    ]);
    return [
        h('h3', null, `Mean ${effects.response} by ${axis.key}`),
        table('numbers', [axis.key, `mean ${effects.response}`, '95 % interval'], rows),
    ];
}

export function importance(experiment, state) {
    const effects = experiment.effects.find(({ response }) => response === state.response) || experiment.effects[0];
    if (!effects)
        return {
            sentence: 'Importance needs at least 10 points with a value on every workload, and a parameter that varies over them.',
        };
    const rows = rowsOf(effects);
    const shown = rows.filter(({ share }, n) => n < MOST_ROWS && (n < FEWEST_ROWS || share[0] >= LEAST_SHARE));
    const axis = Math.max(
        0,
        effects.axes.findIndex(({ key }) => key === (state.axis || shown.find(({ pair }) => !pair).name)),
    );
    const rest = rows.slice(shown.length).reduce((sum, { share }) => sum + share[0], 0);
    const controls = [
        choice(
            'response',
            'of',
            experiment.effects.map(({ response }) => [response, response]),
            effects.response,
            value => change({ response: value }),
        ),
        choice(
            'axis',
            'levels of',
            effects.axes.map(({ key }) => [key, key]),
            effects.axes[axis].key,
            value => change({ axis: value }),
        ),
    ];
    const keys = [
        { name: 'one parameter', ...look(0), character: '\u25a0' },
        { name: 'two together, beyond each alone', ...look(1), character: '\u25a0' },
    ];
    const title = `What explains ${effects.response}: parameters and pairs`;
    return {
        controls,
        title,
        about: 'Share of the variance over the whole space that a parameter explains alone, or a pair beyond that (functional ANOVA of a random forest). All points count, whatever the filter.',
        body: [
            h(
                'ul',
                { class: 'legend' },
                keys.map(({ name, colour, character }) =>
                    h('li', null, h('span', { style: `color: ${colour}` }, character + ' '), name),
                ),
            ),
            figure(title, experiment.machine, title, 60 + 30 * shown.length, makeOption(shown), [], keys),
        ],
        notes: [
            verdict(effects),
            rows.length > shown.length
                ? note(
                      rows.length - shown.length === 1
                          ? `One smaller effect explains ${percent(rest)}.`
                          : `${rows.length - shown.length} smaller effects explain ${percent(rest)} together.`,
                  )
                : null,
        ],
        after: levels(effects, axis),
        values: table(
            'numbers',
            ['effect', 'share', 'low', 'high'],
            rows.map(({ name, share }) => [name, ...share.map(value => ({ text: percent(value), title: String(value) }))]),
        ),
    };
}
