/* Which points are shown: words that must occur in a point, and conditions on columns such as ">= 2, < 8". */

/* The columns that can have conditions, sort the table and be downloaded. */
export function columnsOf(experiment) {
    return [
        { key: 'point', numeric: false, value: point => point.label },
        ...experiment.axes.map(axis => ({ key: axis.key, numeric: axis.numeric, axis, value: point => axis.values[point.index] })),
        ...experiment.metrics.map(metric => ({
            key: metric.name,
            numeric: true,
            metric,
            value: (point, trace) => experiment.value(metric, point, trace),
        })),
    ];
}

const COMPARE = {
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
    '=': (a, b) => a === b,
    '!=': (a, b) => a !== b,
};

function parseOne(text, numeric) {
    const [, operator, rest] = /^(<=|>=|!=|==|<|>|=)?\s*(.*)$/s.exec(text);
    const compare = COMPARE[operator === '==' ? '=' : operator || '='];
    const number = Number(rest);
    if (numeric) return rest !== '' && Number.isFinite(number) ? value => compare(value, number) : null;
    const word = rest.toLowerCase();
    if (!operator) return value => value.toLowerCase().includes(word);
    if (operator !== '=' && operator !== '==' && operator !== '!=') return null;
    const alternatives = word.split('|').map(one => one.trim());
    return value => alternatives.includes(value.toLowerCase()) === (operator !== '!=');
}

/* A test of a column's value, or null when the text is not a condition. Commas join conditions on numbers; "= lrr|gto" is one of
 * several words. */
export function condition(text, numeric) {
    const parts = (numeric ? text.split(',') : [text]).map(part => parseOne(part.trim(), numeric));
    if (parts.includes(null)) return null;
    return value => (typeof value === 'number' && Number.isNaN(value) ? false : parts.every(test => test(value)));
}

/* What the free text is looked for in. */
function textOf(experiment, point) {
    if (point.text === undefined)
        point.text = [point.label, point.overrides, ...experiment.axes.map(axis => `${axis.key}=${axis.values[point.index]}`)]
            .join(' ')
            .toLowerCase();
    return point.text;
}

/* {points, wrong}: the points that pass the state's filter, and the keys of columns whose condition is none (it is left out). */
export function filter(experiment, state, trace) {
    const words = (state.filter || '').toLowerCase().split(/\s+/).filter(Boolean);
    const wrong = [];
    const tests = [];
    for (const column of columnsOf(experiment)) {
        const text = state['where.' + column.key];
        if (!text) continue;
        const test = condition(text, column.numeric);
        if (test) tests.push(point => test(column.value(point, trace)));
        else wrong.push(column.key);
    }
    const points = experiment.points.filter(
        point => words.every(word => textOf(experiment, point).includes(word)) && tests.every(test => test(point)),
    );
    return { points, wrong };
}
