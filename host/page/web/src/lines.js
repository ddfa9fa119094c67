/* Statistics by source line: the annotated source, and its hottest lines. */
import { choice, h, note, table } from './dom.js';
import { count, exact, number } from './format.js';
import { change, hash } from './state.js';

const MOST_HOT = 10,
    MOST_LINES = 5000;

const percent = share => `${(100 * share).toFixed(1)} %`;

/* Rows of an instruction: {source, line, pc, text, values}; source and line are null where they are not known. */
function instructionsOf({ rows }) {
    return rows.map(([source, line, pc, text, ...values]) => ({ source, line, pc, text, values }));
}

/* Sums by source and line, in order. */
function byLine(instructions) {
    const lines = new Map();
    for (const instruction of instructions) {
        const key = instruction.source === null ? 'unknown' : `${instruction.source}:${instruction.line}`;
        if (!lines.has(key)) lines.set(key, { ...instruction, key, instructions: [], values: instruction.values.map(() => 0) });
        const line = lines.get(key);
        line.instructions.push(instruction);
        instruction.values.forEach((value, n) => (line.values[n] += value || 0));
    }
    return lines;
}

function bar(share) {
    return h(
        'span',
        { class: 'share', title: percent(share) },
        h('span', { class: 'fill', style: `width: ${(100 * share).toFixed(1)}%` }),
    );
}

function place(sources, { source, line }) {
    return source === null ? 'no known line' : `${sources[source].file}:${line}`;
}

function hottest(run, lines, column, total, columns) {
    const sorted = [...lines.values()].sort((a, b) => b.values[column] - a.values[column]).slice(0, MOST_HOT);
    return [
        h('h3', null, `Lines with the most in ${columns[column].name}`),
        table(
            'numbers',
            ['line', ...columns.map(({ name }) => name), `share of ${columns[column].name}`],
            sorted
                .filter(line => line.values[column] > 0)
                .map(line => [
                    line.source === null
                        ? place(run.lines.sources, line)
                        : h('a', { href: hash({ line: line.key }) }, place(run.lines.sources, line)),
                    ...line.values.map(value => ({ text: number(value), title: exact(value) })),
                    percent(total > 0 ? line.values[column] / total : 0),
                ]),
        ),
    ];
}

/* A row of the source, with its instructions under it where it is open. */
function sourceRow(text, number_, line, context) {
    const { column, most, columns, open, key } = context;
    const isOpen = open === key;
    const cells = columns.map((unused, n) =>
        h(
            'td',
            { class: 'number', title: line ? exact(line.values[n]) : null },
            line && line.values[n] ? number(line.values[n]) : '',
        ),
    );
    const row = h(
        'tr',
        { id: 'line-' + key, class: isOpen ? 'chosen' : null },
        h('th', { scope: 'row' }, line ? h('a', { href: hash({ line: isOpen ? null : key }) }, String(number_)) : String(number_)),
        h('td', { class: 'bar' }, line ? bar(most > 0 ? line.values[column] / most : 0) : null),
        cells,
        h('td', { class: 'code' }, h('code', null, text)),
    );
    if (!isOpen || !line) return [row];
    return [
        row,
        ...line.instructions.map(instruction =>
            h(
                'tr',
                { class: 'instruction' },
                h('th', { scope: 'row' }, instruction.pc === null ? '' : `pc ${instruction.pc}`),
                h('td', { class: 'bar' }, bar(most > 0 ? (instruction.values[column] || 0) / most : 0)),
                instruction.values.map(value => h('td', { class: 'number', title: exact(value) }, value ? number(value) : '')),
                h('td', { class: 'code' }, h('code', null, instruction.text)),
            ),
        ),
    ];
}

function listing(run, lines, source, column, columns, state) {
    const { file, text } = run.lines.sources[source];
    const mine = [...lines.values()].filter(line => line.source === source);
    const most = mine.reduce((high, line) => Math.max(high, line.values[column]), 0);
    const byNumber = new Map(mine.map(line => [line.line, line]));
    const texts = text ? text.replace(/\n$/, '').split('\n') : null;
    const numbers = texts ? texts.map((unused, n) => n + 1) : [...byNumber.keys()].sort((a, b) => a - b);
    const rows = numbers.slice(0, MOST_LINES).flatMap(n =>
        sourceRow(texts ? texts[n - 1] : '', n, byNumber.get(n), {
            column,
            most,
            columns,
            open: state.line,
            key: `${source}:${n}`,
        }),
    );
    return [
        h('h3', null, file),
        texts ? null : note('The text of this file is not known: only its lines with instructions are listed.'),
        h(
            'div',
            { class: 'scroll', tabindex: 0 },
            h(
                'table',
                { class: 'source' },
                h(
                    'thead',
                    null,
                    h(
                        'tr',
                        null,
                        ['line', '', ...columns.map(({ name }) => name), 'source'].map(head => h('th', { scope: 'col' }, head)),
                    ),
                ),
                h('tbody', null, rows),
            ),
        ),
        numbers.length > MOST_LINES ? note(`The first ${MOST_LINES} lines are shown.`) : null,
    ];
}

export function lines(run, state) {
    const { columns, sources } = run.lines;
    const instructions = instructionsOf(run.lines);
    const sums = byLine(instructions);
    const chosen = columns.findIndex(({ name }) => name === state.column);
    const column = chosen >= 0 ? chosen : 0;
    const total = instructions.reduce((sum, { values }) => sum + (values[column] || 0), 0);
    const unknown = instructions.filter(({ source, pc }) => source === null && pc !== null).length;
    return {
        controls: [
            choice(
                'column',
                'bars',
                columns.map(({ name }) => [name, name]),
                columns[column].name,
                value => change({ column: value }),
            ),
        ],
        title: `Source lines by ${columns[column].name}`,
        about: 'Bars are relative to the line with the most. A click on a line shows its instructions.',
        body: [
            hottest(run, sums, column, total, columns),
            ...sources.map((unused, source) => listing(run, sums, source, column, columns, state)),
        ],
        notes:
            unknown > 0
                ? note(
                      `${count(unknown, 'instruction')} of ${number(instructions.length)} ${unknown === 1 ? 'has' : 'have'} no known source line.`,
                  )
                : null,
    };
}
