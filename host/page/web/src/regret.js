/* Regret: what a search had found after so many simulations, against what it found in the end. */
import { figure, hover, look } from './chart.js';
import { note, table } from './dom.js';
import { count, number, short } from './format.js';

const MANY_ROWS = 200,
    MOST_MARKED = 60;

export function regret(experiment) {
    const { search } = experiment;
    const { steps } = search;
    if (steps.length === 0) return { sentence: 'No point of this size has been simulated within the limits yet.' };
    const several = search.objectives.length > 1;
    const what = several ? 'share of the final hypervolume' : `best ${search.objectives[0].name}`;
    const mark = ([simulations, volume, ...best]) => ({
        value: [simulations, several ? volume : best[0]],
        hover: () =>
            hover(`after ${count(simulations, 'simulation')}`, [
                ...(several ? [['hypervolume', `${(100 * volume).toFixed(1)} %`]] : []),
                ...search.objectives.map(({ name }, n) => [`best ${name}`, number(best[n])]),
            ]),
    });
    const title = `${what} after so many simulations`;
    const last = steps[steps.length - 1];
    const reached = several ? steps.find(([, volume]) => volume >= 0.99) : steps.find(([, , best]) => best === last[2]);
    return {
        title,
        about: several
            ? 'Volume of the objectives that the points so far dominate, up to the worst values seen, as a share of that of all points of the search.'
            : 'The best value so far, within the limits.',
        body: figure(title, experiment.machine, title, 400, {
            xAxis: { type: 'value', name: 'simulations of the search', nameGap: 30, axisLabel: { formatter: short } },
            yAxis: {
                type: 'value',
                scale: !several,
                min: several ? 0 : undefined,
                max: several ? 1 : undefined,
                name: what,
                nameGap: 12,
                axisLabel: { formatter: short },
            },
            series: [
                {
                    type: 'line',
                    name: what,
                    step: 'end',
                    symbol: 'circle',
                    symbolSize: 5,
                    showSymbol: steps.length <= MOST_MARKED,
                    color: look(0).colour,
                    lineStyle: { width: 2 },
                    data: steps.map(mark),
                },
            ],
        }),
        notes: [
            note(
                `One search, seed ${search.seed}, method ${search.method}, ${count(last[0], 'simulation')}. `,
                reached
                    ? several
                        ? `It had 99 % of its final hypervolume after ${count(reached[0], 'simulation')}. `
                        : `It had its best value after ${count(reached[0], 'simulation')}. `
                    : '',
                'The curve compares the search with itself: how far it is from the true optimum is not known. Another seed gives another curve.',
            ),
        ],
        values: table(
            'numbers',
            ['simulations', ...(several ? ['hypervolume'] : []), ...search.objectives.map(({ name }) => `best ${name}`)],
            steps
                .slice(0, MANY_ROWS)
                .map(([simulations, volume, ...best]) => [
                    number(simulations),
                    ...(several ? [volume.toFixed(4)] : []),
                    ...best.map(number),
                ]),
        ),
    };
}
