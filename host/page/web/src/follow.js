/* The page of a running sweep. A page from disk may fetch nothing, but it may insert scripts of its folder: progress.js, which says
 * how far the sweep is, and data.js, where that has another version of the data. */
import { h } from './dom.js';
import { count, number, seconds, short } from './format.js';

const LATE = 3 /* looks without a new progress.js until the page says so */,
    CHOOSING = 8000; /* milliseconds that an open list of choices or a pressed button delays new data */

let pace = 0; /* milliseconds between two looks */
let now = null; /* what progress.js said */
let loaded = null; /* version of the data shown */
let missed = 0; /* looks since it said something new */
let touched = -CHOOSING;

/* ---- Showing ---- */

function words() {
    if (missed >= LATE)
        return now
            ? 'warpsweep report has not written for a while: it may have been killed. This is what it wrote last.'
            : 'progress.js cannot be loaded from the folder of this page; open the page in the folder that warpsweep report wrote.';
    return now ? now.words : 'loading';
}

function numbers() {
    if (!now || now.wanted === 0) return null;
    const share = ` (${Math.floor((100 * now.done) / now.wanted)} %)`;
    if (missed >= LATE) return `${number(now.done)} of ${count(now.wanted, 'result')}`;
    const rate = now.rate ? `, ${short(now.rate)} per second` : '';
    const left = now.left ? `, ${seconds(now.left)} left` : '';
    return `${number(now.done)} of ${count(now.wanted, 'result')}${share}${rate}${left}`;
}

/* Whether the page follows a sweep that may still bring results. */
export function isFollowing() {
    return pace > 0;
}

/* How far the sweep is; null on a page that does not follow. */
export function progress() {
    if (!pace) return null;
    const running = missed < LATE && now && now.words === 'running';
    return h(
        'section',
        { id: 'progress', class: running ? 'progress' : 'progress waits', role: 'status' },
        now && now.wanted > 0 ? h('progress', { max: now.wanted, value: now.done, 'aria-label': 'results' }) : null,
        h('span', null, [numbers(), words()].filter(Boolean).join('; ')),
    );
}

function showProgress() {
    const old = document.getElementById('progress');
    if (old) old.replaceWith(progress());
    else document.getElementById('page').replaceChildren(progress());
}

/* ---- Looking ---- */

function load(name) {
    const script = h('script', { src: `${name}?${Date.now()}` });
    return new Promise(done => {
        const end = good => {
            script.remove();
            done(good);
        };
        script.addEventListener('load', () => end(true));
        script.addEventListener('error', () => end(false));
        document.head.append(script);
    });
}

/* New data would close a list of choices, or end what is being drawn with the mouse. */
function isBusy() {
    return performance.now() - touched < CHOOSING;
}

function noteTouches() {
    const isChoice = event => event.target.tagName === 'SELECT' || event.target.closest('.chart');
    addEventListener('pointerdown', event => isChoice(event) && (touched = performance.now()));
    for (const type of ['change', 'pointerup'])
        addEventListener(type, event => (type === 'change' || event.target.tagName !== 'SELECT') && (touched = -CHOOSING));
}

async function look() {
    const before = now && now.looked;
    await load('progress.js');
    missed = now && now.looked !== before ? 0 : missed + 1;
    if (now && now.ended) return location.reload(); /* the complete page */
    showProgress();
    if (now && now.version !== loaded && !isBusy()) {
        const { version } = now;
        if (await load('data.js')) loaded = version;
    }
    setTimeout(look, pace);
}

/* Looks every so many seconds; take shows the data. */
export function follow(everySeconds, take) {
    pace = 1000 * everySeconds;
    globalThis.warpsweepProgress = said => {
        now = said;
    };
    globalThis.warpsweepData = take;
    noteTouches();
    look();
}
