/* The page: drawn anew, whole, from the data and the hash of the address. */
import { bars } from './bars.js';
import { draw } from './chart.js';
import { traceOf } from './controls.js';
import { curves } from './curves.js';
import { h } from './dom.js';
import { Experiment } from './experiment.js';
import { filter } from './filter.js';
import { filterBar } from './filterbar.js';
import { follow, progress } from './follow.js';
import { header } from './header.js';
import { heatmap } from './heatmap.js';
import { importance } from './importance.js';
import { parallel } from './parallel.js';
import { pareto } from './pareto.js';
import { pointView } from './point.js';
import { regret } from './regret.js';
import { readRuns, runPage } from './runpage.js';
import { change, hash, read } from './state.js';
import { tableview } from './tableview.js';

/* Name, function, and whether an experiment has it. */
const VIEWS = {
    curves: ['Curves', curves],
    bars: ['Bars', bars],
    heatmap: ['Heat map', heatmap],
    pareto: ['Pareto', pareto],
    parallel: ['Parallel axes', parallel],
    importance: ['Importance', importance, experiment => experiment.effects.length > 0],
    regret: ['Progress', regret, experiment => experiment.search],
    table: ['Table', tableview],
};

let report = null;
let runs = []; /* single simulations */
let printing = false;
let pointShown, openedFrom;
const experiments = new Map(); /* made when they are first shown */

/* An experiment's key is its name, with its file where several have that name. */
function nameExperiments() {
    const files = [...new Set(report.experiments.map(({ file }) => file))];
    for (const raw of report.experiments) {
        const { experiment } = raw.head;
        const same = report.experiments.filter(({ head }) => head.experiment === experiment);
        raw.key = same.length > 1 ? `${experiment} (${raw.file})` : experiment;
    }
    runs.forEach((run, n) => {
        const same = runs.slice(0, n).filter(({ file }) => file === run.file).length;
        run.key = `run ${run.file}${same > 0 ? ` (${same + 1})` : ''}`;
    });
    report.choices = [...report.experiments, ...runs].map(({ key }) => key);
    report.file = [...files, ...runs.map(({ file }) => file)].join(', ');
}

/* The run that the state names, or the first where the page has nothing else; null for an experiment. */
function runOf(state) {
    return runs.find(({ key }) => key === state.experiment) || (report.experiments.length === 0 && runs[0]) || null;
}

function experimentOf(state) {
    const raw =
        report.experiments.find(other => other.key === state.experiment) ||
        report.experiments.find(({ search }) => !search || !search.answer) /* the full size of a search */ ||
        report.experiments[0];
    if (!experiments.has(raw)) experiments.set(raw, new Experiment(raw));
    return experiments.get(raw);
}

/* ---- Parts ---- */

function themeButton(theme) {
    const other = theme === 'dark' ? 'light' : 'dark';
    return h(
        'button',
        { id: 'theme', type: 'button', onclick: () => change({ theme: other }) },
        other === 'dark' ? 'Dark' : 'Light',
    );
}

function has(experiment, key) {
    return VIEWS[key] && (!VIEWS[key][2] || VIEWS[key][2](experiment));
}

function tabs(experiment, current) {
    return h(
        'nav',
        { class: 'tabs', 'aria-label': 'views' },
        Object.entries(VIEWS)
            .filter(([key]) => has(experiment, key))
            .map(([key, [name]]) =>
                h('a', { id: 'tab-' + key, href: hash({ tab: key }), 'aria-current': key === current ? 'page' : null }, name),
            ),
    );
}

function viewSection(view) {
    return h(
        'section',
        { id: 'view', class: 'card' },
        view.controls ? h('div', { class: 'controls' }, view.controls) : null,
        view.title ? h('h2', null, view.title) : null,
        view.about ? h('p', { class: 'note about' }, view.about) : null,
        view.sentence ? h('p', { class: 'sentence' }, view.sentence) : null,
        view.body || (view.sentence ? null : h('p', { class: 'sentence' }, 'None of the points that pass the filter has a value.')),
        view.notes,
        view.after,
        view.values
            ? h(
                  'details',
                  {
                      id: 'values',
                      open: read().values === '1',
                      ontoggle: event =>
                          event.target.open !== (read().values === '1') && change({ values: event.target.open ? '1' : '' }),
                  },
                  h('summary', null, 'The values of this chart'),
                  view.values,
              )
            : null,
    );
}

/* ---- Drawing ---- */

/* What has the focus, is open or scrolled keeps it when the page is drawn anew. */
function keeping(redraw) {
    const focused = document.activeElement && document.activeElement.id;
    const selection = focused && [document.activeElement.selectionStart, document.activeElement.selectionEnd];
    const open = new Map([...document.querySelectorAll('#page details[id]')].map(details => [details.id, details.open]));
    const scrolled = new Map([...document.querySelectorAll('#view .scroll')].map((element, n) => [n, element.scrollLeft]));
    redraw();
    for (const [id, was] of open) {
        const details = document.getElementById(id);
        if (details && !['values', 'columns'].includes(id)) details.open = was;
    }
    [...document.querySelectorAll('#view .scroll')].forEach((element, n) => {
        element.scrollLeft = scrolled.get(n) || 0;
    });
    const element = focused && document.getElementById(focused);
    if (element) {
        element.focus({ preventScroll: true });
        if (typeof selection[0] === 'number') element.setSelectionRange(...selection);
    }
}

function setTheme(state) {
    const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    const theme = printing ? 'light' : ['dark', 'light'].includes(state.theme) ? state.theme : preferred;
    document.documentElement.dataset.theme = theme;
    return theme;
}

/* A point that is opened gets the focus; closed, the place that it was opened from, where the page has it. */
function showPoint(experiment, label) {
    if (label !== undefined && label !== pointShown) {
        openedFrom = document.activeElement && document.activeElement.id;
        document.getElementById('point').scrollIntoView();
        document.getElementById('point').focus({ preventScroll: true });
    } else if (label === undefined && pointShown !== undefined) {
        const point = experiment.byLabel.get(pointShown);
        const place = document.getElementById(openedFrom) || (point && document.getElementById('row-' + point.index));
        if (place) place.focus();
    }
    pointShown = label;
}

/* The parts of the page under the bar. */
function experimentParts(state) {
    const experiment = experimentOf(state);
    const tab = has(experiment, state.tab) ? state.tab : experiment.search ? 'pareto' : 'curves';
    document.title = `${experiment.key} \u2013 warpsweep`;
    const passing = filter(experiment, state, traceOf(experiment, state));
    const view =
        experiment.metrics.length > 0 && experiment.kernels > 0
            ? VIEWS[tab][1](experiment, state, passing.points, passing.wrong)
            : { sentence: 'No job of this experiment has ended well yet, so there is nothing to show.' };
    return [
        header(report, experiment),
        h(
            'main',
            null,
            filterBar(experiment, state, passing),
            tabs(experiment, tab),
            viewSection(view),
            pointView(experiment, state.point),
        ),
    ];
}

function runParts(run, state) {
    document.title = `${run.key} \u2013 warpsweep`;
    return runPage(run, report.choices, state, viewSection);
}

function render() {
    const state = read();
    const theme = setTheme(state);
    const run = runOf(state);
    const parts = run ? runParts(run, state) : experimentParts(state);
    const bar = h(
        'div',
        { class: 'bar' },
        h('span', { class: 'brand' }, 'warpsweep'),
        h('span', { class: 'file' }, report.file),
        themeButton(theme),
    );
    keeping(() => {
        document.getElementById('page').replaceChildren(...[bar, progress(), ...parts].filter(Boolean));
        draw();
    });
    if (!run) showPoint(experimentOf(state), state.point);
}

/* Shows other data in the view that the address has. */
function take(data) {
    report = data;
    experiments.clear();
    nameExperiments();
    document.getElementById('written').textContent = `Written by warpsweep ${report.version} from ${report.file}.`;
    render();
}

function listen() {
    const again = () => report && render();
    addEventListener('hashchange', again);
    addEventListener('keydown', event => {
        if (event.key === 'Escape' && read().point !== undefined) change({ point: null }, true);
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    addEventListener('beforeprint', () => {
        printing = true;
        again();
    });
    addEventListener('afterprint', () => {
        printing = false;
        again();
    });
}

function start() {
    const data = JSON.parse(document.getElementById('data').textContent);
    runs = readRuns(document.querySelectorAll('script.run'));
    listen();
    setTheme(read());
    if (data.follow) follow(data.follow, take);
    else take(data);
}

document.addEventListener('DOMContentLoaded', start);
