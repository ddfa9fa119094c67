/* The page of a single simulation, as `run --format json` has written it: counters over time, and statistics by source line. */
import { h, note, table } from './dom.js';
import { exact, measure, number } from './format.js';
import { choiceOf } from './header.js';
import { lines } from './lines.js';
import { overridesOf } from './overrides.js';
import { series } from './series.js';
import { hash } from './state.js';

const VIEWS = {
    series: ['Over time', series, run => run.series],
    lines: ['Source lines', lines, run => run.lines],
    numbers: ['Metrics and counters', numbers, () => true],
};

/* The runs of the page: {key, file, run}, or {key, file, wrong} where the file is no JSON of a run. */
export function readRuns(elements) {
    return [...elements].map((element, n) => {
        const file = element.dataset.file || `run ${n + 1}`;
        try {
            const run = JSON.parse(element.textContent);
            if (!run || run.schema !== 1 || !run.metrics || !run.counters)
                throw new Error('it is not the output of run --format json');
            return { file, run };
        } catch (error) {
            return { file, wrong: error.message };
        }
    });
}

function numbers(run) {
    const rows = [...Object.entries(run.metrics), ...Object.entries(run.counters)]
        .filter(([, value]) => typeof value === 'number')
        .map(([name, value]) => [name, { text: number(value), title: exact(value) }]);
    return { title: 'Metrics and counters of the run', body: table('numbers', ['name', 'value'], rows) };
}

function fact(name, ...value) {
    return h('div', { class: 'fact' }, h('dt', null, name), h('dd', null, ...value));
}

function runHeader(chosen, keys) {
    const { run, file } = chosen;
    return h(
        'header',
        null,
        choiceOf(keys, chosen.key),
        h('h1', null, run ? `${run.trace} on ${run.machine}` : file),
        run
            ? h(
                  'dl',
                  { class: 'facts' },
                  fact('file', file),
                  overridesOf(run) ? fact('overrides', h('code', null, overridesOf(run))) : null,
                  fact('shard', run.shard),
                  fact(
                      'status',
                      run.status === 'ok' ? 'ended well' : h('strong', { class: 'bad' }, `${run.status}: ${run.reason}`),
                  ),
                  fact('cycles', number(run.counters.cycles)),
                  fact('ipc', measure(number(run.metrics.ipc), 'thread instructions per cycle')),
                  fact(
                      'run',
                      `${run.engine}, ${run.device}`,
                      h('br'),
                      `warpsweep ${run.version}, model version ${run.model_version}`,
                  ),
              )
            : h('p', { class: 'failures' }, `${file} cannot be shown: ${chosen.wrong}`),
    );
}

/* Header and main part of the page for a run. */
export function runPage(chosen, keys, state, viewSection) {
    const { run } = chosen;
    if (!run) return [runHeader(chosen, keys)];
    const tabs = Object.entries(VIEWS).filter(([, [, , has]]) => has(run));
    const [key, [, view]] = tabs.find(([name]) => name === state.tab) || tabs[0];
    const missing = [run.series ? null : '--series 1000', run.lines ? null : '--lines'].filter(Boolean);
    return [
        runHeader(chosen, keys),
        h(
            'main',
            null,
            h(
                'nav',
                { class: 'tabs', 'aria-label': 'views' },
                tabs.map(([name, [title]]) =>
                    h('a', { id: 'tab-' + name, href: hash({ tab: name }), 'aria-current': name === key ? 'page' : null }, title),
                ),
            ),
            viewSection(view(run, state)),
            missing.length > 0
                ? note(`\`run ${missing.join(' ')} --format json\` adds ${missing.length > 1 ? 'more views' : 'another view'}.`)
                : null,
        ),
    ];
}
