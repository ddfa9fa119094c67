/* Counters over time: a panel for each unit, all along the same cycles. */
import { figure, hover, look } from './chart.js';
import { h, note, table, tick } from './dom.js';
import { count, exact, measure, number, short } from './format.js';
import { overridesOf } from './overrides.js';
import { change } from './state.js';

const PANEL_HEIGHT = 190,
    MANY_ROWS = 500,
    MOST_STACKED = 600,
    MOST_MARKED = 60;

const isStall = ({ name }) => name.startsWith('stall_');
const isGauge = ({ name }) => name.endsWith('_at_end');

/* Columns that share a panel: of one unit; stalls have their own, where they add up. */
function panelsOf(columns) {
    const panels = new Map();
    for (const column of columns) {
        const key = isStall(column) ? 'stalls' : `${column.unit} ${isGauge(column)}`;
        if (!panels.has(key)) panels.set(key, []);
        panels.get(key).push(column);
    }
    return [...panels.values()];
}

/* Means of so many rows in turn; a mean over what is there, null of nothing. */
function thin(rows, most) {
    const step = Math.ceil(rows.length / most);
    const mean = values => (values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null);
    return Array.from({ length: Math.ceil(rows.length / step) }, (unused, n) => {
        const some = rows.slice(n * step, (n + 1) * step);
        const last = some[some.length - 1];
        return last.map((end, at) => (at === 0 ? end : mean(some.map(row => row[at]).filter(value => value !== null))));
    });
}

/* Points of a line. A counter's value holds over its interval, that is from the end of the one before; a gauge's at the end. */
function dataOf(rows, column) {
    const at = column.index + 1;
    const mark = (row, n) => ({
        value: [row[0], row[at]],
        hover: () =>
            hover(`cycles ${number(n > 0 ? rows[n - 1][0] : 0)} to ${number(row[0])}`, [
                [column.name, measure(number(row[at] === null ? NaN : row[at]), column.unit)],
            ]),
    });
    const marks = rows.map(mark);
    return isGauge(column) || rows.length === 0 ? marks : [{ ...marks[0], value: [0, rows[0][at]] }, ...marks];
}

function panel(run, columns, last) {
    const stacked = columns.length > 1 && columns.every(isStall);
    const rows = stacked && run.series.rows.length > MOST_STACKED ? thin(run.series.rows, MOST_STACKED) : run.series.rows;
    const names = columns.map(({ name }) => name);
    const title = `${names.join(', ')} of ${run.trace}`;
    const option = {
        grid: { left: 70, right: 18, top: 14, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'all' },
        xAxis: {
            type: 'value',
            min: 0,
            max: last,
            name: 'cycle',
            nameGap: 26,
            axisLabel: { formatter: short },
        },
        yAxis: { type: 'value', axisLabel: { formatter: short } },
        series: columns.map((column, n) => ({
            type: 'line',
            name: column.name,
            color: look(n).colour,
            lineStyle: stacked ? { width: 0 } : { width: 1.5, type: look(n).dash },
            step: isGauge(column) ? false : 'start',
            stack: stacked ? 'stalls' : undefined,
            areaStyle: stacked ? { opacity: 0.8 } : undefined,
            symbol: look(n).symbol,
            symbolSize: 5,
            showSymbol: rows.length <= MOST_MARKED && !stacked,
            sampling: stacked ? undefined : 'lttb',
            data: dataOf(rows, column),
        })),
    };
    return h(
        'section',
        { class: 'panel' },
        h('h3', null, measure(names.join(', '), columns[0].unit && `(${columns[0].unit})`)),
        figure(
            title,
            `${run.machine} ${run.overrides || ''}`,
            title,
            PANEL_HEIGHT,
            option,
            columns.length > 1 ? names : [],
            names.map((name, n) => ({ name, ...look(n) })),
        ),
    );
}

/* Columns of which the state hides some. */
function columnTicks(all, hidden) {
    return h(
        'details',
        { id: 'series-columns' },
        h('summary', null, `Columns: ${all.length - hidden.size} of ${all.length}`),
        h(
            'div',
            { class: 'ticks' },
            all.map(({ name }) =>
                tick('column-' + name, name, !hidden.has(name), checked => {
                    if (checked) hidden.delete(name);
                    else hidden.add(name);
                    change({ hidden: [...hidden].join(',') });
                }),
            ),
        ),
    );
}

export function series(run, state) {
    const { every, rows } = run.series;
    const all = run.series.columns.map((column, index) => ({ ...column, index }));
    const hidden = new Set((state.hidden || '').split(',').filter(Boolean));
    const columns = all.filter(({ name }) => !hidden.has(name));
    const last = rows.length > 0 ? rows[rows.length - 1][0] : 0;
    return {
        title: `Over time: ${count(rows.length, 'interval')} of ${number(every)} cycles`,
        about: 'Counters and metrics of each interval; what ends in _at_end is the state at its end. Stalls are stacked.',
        body: panelsOf(columns).map(some => panel(run, some, last)),
        notes:
            rows.length > MOST_STACKED
                ? note(
                      `Stalls are means of ${Math.ceil(rows.length / MOST_STACKED)} intervals; of the other columns at most one point is drawn for each dot of the screen.`,
                  )
                : null,
        after: columnTicks(all, hidden),
        values: table(
            'numbers',
            ['to cycle', ...columns.map(({ name }) => name)],
            rows
                .slice(0, MANY_ROWS)
                .map(row => [
                    number(row[0]),
                    ...columns.map(({ index }) => ({ text: number(row[index + 1] ?? NaN), title: exact(row[index + 1] ?? NaN) })),
                ]),
        ),
    };
}
