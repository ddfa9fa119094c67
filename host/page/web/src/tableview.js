/* Table: a row for each point, sorted and filtered, a page at a time. */
import { traceChoice, traceOf, withoutCounters } from './controls.js';
import { breakable, h, note, tick } from './dom.js';
import { columnsOf } from './filter.js';
import { count, exact, measure, number } from './format.js';
import { change, hash } from './state.js';

const PAGE = 100;

/* The columns that the state names; without a choice all but counters. */
function shownColumns(experiment, state) {
    const columns = columnsOf(experiment);
    if (state.columns === undefined) return columns.filter(column => !column.metric || column.metric.kind === 'metric');
    const names = new Set(state.columns.split(','));
    return columns.filter(column => column.key === 'point' || names.has(column.key));
}

/* Points in the order of a column; what has no value comes last either way. */
function sorted(points, column, down, trace) {
    if (!column) return points;
    const order = (a, b) =>
        column.axis && !column.numeric
            ? column.axis.rank.get(a) - column.axis.rank.get(b)
            : typeof a === 'number'
              ? a - b
              : a.localeCompare(b, 'en', { numeric: true });
    const keyed = points.map(point => ({ point, value: column.value(point, trace) }));
    const there = keyed.filter(({ value }) => !Number.isNaN(value)),
        missing = keyed.filter(({ value }) => Number.isNaN(value));
    there.sort((a, b) => (down ? -1 : 1) * order(a.value, b.value) || a.point.index - b.point.index);
    return [...there, ...missing].map(({ point }) => point);
}

function cellOf(column, point, trace) {
    const value = column.value(point, trace);
    if (column.key === 'point')
        return h(
            'th',
            { scope: 'row' },
            h('a', { id: 'row-' + point.index, href: hash({ point: point.label }) }, point.label),
            point.baseline === point.label ? h('span', { class: 'badge' }, 'baseline') : null,
        );
    if (!column.metric) return h('td', { class: column.numeric ? 'number' : null }, String(value));
    return h('td', { class: 'number', title: exact(value) }, number(value));
}

function aboutColumn(column) {
    if (column.metric) return [column.metric.doc, column.metric.unit].filter(Boolean).join('; ');
    return column.axis ? [column.axis.doc, column.axis.unit].filter(Boolean).join('; ') : 'what the experiment calls the point';
}

function headCell(column, { key, down }) {
    const now = column.key === key;
    const next = now && !down ? '-' + column.key : now && down ? '' : column.key;
    return h(
        'th',
        { scope: 'col', 'aria-sort': now ? (down ? 'descending' : 'ascending') : null, class: column.numeric ? 'number' : null },
        h(
            'button',
            {
                id: 'sort-' + column.key,
                type: 'button',
                title: aboutColumn(column),
                onclick: () => change({ sort: next, page: '' }),
            },
            h('span', null, breakable(column.key)),
            h('span', { class: 'arrow', 'aria-hidden': 'true' }, now ? (down ? '\u25bc' : '\u25b2') : ''),
        ),
    );
}

function conditionCell(column, state, wrong) {
    const key = 'where.' + column.key;
    return h(
        'td',
        null,
        h('input', {
            id: key,
            type: 'text',
            size: 6,
            value: state[key] || '',
            placeholder: column.numeric ? '>= 2' : 'contains',
            spellcheck: 'false',
            'aria-label': 'condition on ' + column.key,
            'aria-invalid': wrong.includes(column.key) ? 'true' : null,
            oninput: event => change({ [key]: event.target.value, page: '' }),
        }),
    );
}

/* ---- Download ---- */

function field(value) {
    const text = Number.isNaN(value) ? '' : String(value);
    return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

function csv(columns, points, trace) {
    const rows = points.map(point => columns.map(column => field(column.value(point, trace))));
    return [columns.map(column => field(column.key)), ...rows].map(row => row.join(',') + '\n').join('');
}

function download(name, text) {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    h('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/* ---- The view ---- */

function columnChoices(experiment, shown, state) {
    const on = new Set(shown.map(column => column.key));
    const boxes = columnsOf(experiment)
        .filter(column => column.key !== 'point')
        .map(column =>
            tick('column-' + column.key, column.key, on.has(column.key), checked => {
                if (checked) on.add(column.key);
                else on.delete(column.key);
                const keys = columnsOf(experiment)
                    .map(({ key }) => key)
                    .filter(key => on.has(key));
                change({ columns: keys.join(',') });
            }),
        );
    return h(
        'details',
        {
            id: 'columns',
            open: state.choosing === '1',
            ontoggle: event => event.target.open !== (state.choosing === '1') && change({ choosing: event.target.open ? '1' : '' }),
        },
        h('summary', null, `Columns: ${shown.length} of ${boxes.length + 1}`),
        h('div', { class: 'ticks' }, boxes),
        withoutCounters(experiment),
    );
}

function pager(total, page, pages) {
    if (pages <= 1) return null;
    const to = (n, label, id) =>
        h(
            'button',
            { id, type: 'button', disabled: n < 0 || n >= pages, onclick: () => change({ page: n > 0 ? String(n + 1) : '' }) },
            label,
        );
    return h(
        'nav',
        { class: 'pager', 'aria-label': 'pages of the table' },
        to(page - 1, 'Previous', 'previous'),
        h('span', { id: 'rows' }, `${page * PAGE + 1} to ${Math.min(total, (page + 1) * PAGE)} of ${total}`),
        to(page + 1, 'Next', 'next'),
    );
}

function grid(columns, points, state, sort, trace, wrong) {
    const heads = columns.map(column => headCell(column, sort));
    const conditions = columns.map(column => conditionCell(column, state, wrong));
    const row = point => {
        const cells = columns.map(column => cellOf(column, point, trace));
        return h('tr', { class: state.point === point.label ? 'chosen' : null }, cells);
    };
    return h(
        'table',
        { class: 'points', id: 'points' },
        h('thead', null, h('tr', null, heads), h('tr', { class: 'conditions' }, conditions)),
        h('tbody', null, points.map(row)),
    );
}

export function tableview(experiment, state, points, wrong) {
    const trace = traceOf(experiment, state);
    const columns = shownColumns(experiment, state);
    const down = (state.sort || '').startsWith('-');
    const sort = { down, key: (state.sort || '').slice(down ? 1 : 0) };
    const by = columnsOf(experiment).find(column => column.key === sort.key);
    const rows = sorted(points, by, down, trace);
    const pages = Math.max(1, Math.ceil(rows.length / PAGE));
    const page = Math.min(pages, Math.max(1, Number.parseInt(state.page, 10) || 1)) - 1;
    const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
    const save = () => download(`${experiment.experiment}.csv`, csv(columns, rows, trace));
    return {
        controls: [
            traceChoice(experiment, state),
            h('button', { id: 'download', type: 'button', onclick: save }, `Download ${count(rows.length, 'row')} as CSV`),
        ],
        notes: [
            trace || experiment.traces.length < 2
                ? null
                : note('Numbers are means over the workloads: geometric for speed-up and IPC, arithmetic for the others.'),
        ],
        body: [
            columnChoices(experiment, columns, state),
            h('div', { class: 'scroll', tabindex: 0 }, grid(columns, shown, state, sort, trace, wrong)),
            rows.length === 0 ? note('No point passes the filter.') : null,
            pager(rows.length, page, pages),
        ],
    };
}
