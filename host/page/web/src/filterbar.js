/* The filter's words and conditions, which all views share, and how many points pass. */
import { h } from './dom.js';
import { count, number } from './format.js';
import { change, hash } from './state.js';

const WHERE = 'where.';

function words(state) {
    return h(
        'label',
        { class: 'control' },
        h('span', null, 'filter'),
        h('input', {
            id: 'filter',
            type: 'search',
            value: state.filter || '',
            placeholder: 'words in a point, such as lwm',
            spellcheck: 'false',
            oninput: event => change({ filter: event.target.value, page: '' }),
        }),
    );
}

/* A condition, which can be dropped. */
function chip(key, text, wrong) {
    const drop = h('a', { href: hash({ [WHERE + key]: null }), 'aria-label': `drop the condition on ${key}` }, '\u00d7');
    return h('span', { class: wrong ? 'chip wrong' : 'chip' }, `${key} ${text}`, drop);
}

function complaint(wrong, state) {
    if (wrong.length === 0) return null;
    const texts = wrong.map(key => `${key} ${state[WHERE + key]}`).join('; ');
    return h(
        'p',
        { class: 'wrong', role: 'alert' },
        `Not a condition: ${texts}. Write =, !=, <, <=, > or >= and a number or word.`,
    );
}

export function filterBar(experiment, state, { points, wrong }) {
    const all = experiment.points.length;
    const keys = Object.keys(state).filter(key => key.startsWith(WHERE) && state[key]);
    const clear = Object.fromEntries(['filter', 'page', ...keys].map(key => [key, null]));
    return h(
        'div',
        { class: 'filter' },
        words(state),
        keys.map(key => key.slice(WHERE.length)).map(key => chip(key, state[WHERE + key], wrong.includes(key))),
        h('span', { id: 'passing', class: 'passing', role: 'status' }, `${number(points.length)} of ${count(all, 'point')}`),
        points.length < all ? h('a', { href: hash(clear) }, 'show all') : null,
        complaint(wrong, state),
    );
}
