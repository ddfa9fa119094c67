/* Elements of the page. Text is always text: nothing that comes from a results file is read as HTML. */

/* An element: attributes named on... are listeners, those that are null, undefined or false are left out; children are nodes,
 * texts, lists of them, or null. */
export function h(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
    return element;
}

/* A long name that may break after dots, underscores and equals signs. */
export function breakable(text) {
    return text.split(/(?<=[._=/])/).flatMap((part, n) => (n > 0 ? [h('wbr'), part] : [part]));
}

/* A labelled choice; options are [value, text]. */
export function choice(id, label, options, value, onchange) {
    const select = h(
        'select',
        { id, onchange: event => onchange(event.target.value) },
        options.map(([option, text]) => h('option', { value: option, selected: option === value }, text)),
    );
    return h('label', { class: 'control' }, h('span', null, label), select);
}

/* A labelled box to tick. */
export function tick(id, label, checked, onchange) {
    const box = h('input', { id, type: 'checkbox', checked, onchange: event => onchange(event.target.checked) });
    return h('label', { class: 'tick' }, box, h('span', null, label));
}

export function note(...text) {
    return h('p', { class: 'note' }, ...text);
}

/* A table of rows of cells, the first of each a heading; a cell is a node, a text, or {text, title}. */
export function table(className, heads, rows) {
    const cell = (name, attributes, content) =>
        content && content.text !== undefined && !content.nodeType
            ? h(name, { ...attributes, title: content.title, class: content.class }, content.text)
            : h(name, attributes, content);
    return h(
        'div',
        { class: 'scroll', tabindex: 0 },
        h(
            'table',
            { class: className },
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    heads.map(head => cell('th', { scope: 'col' }, head)),
                ),
            ),
            h(
                'tbody',
                null,
                rows.map(row =>
                    h(
                        'tr',
                        null,
                        row.map((content, n) => cell(n === 0 ? 'th' : 'td', n === 0 ? { scope: 'row' } : null, content)),
                    ),
                ),
            ),
        ),
    );
}
