/* What was run: the experiment, its jobs and what failed, the runs, the machine. */
import { choice, h } from './dom.js';
import { isFollowing } from './follow.js';
import { count, measure, number, period, seconds } from './format.js';
import { change, forget, hash } from './state.js';

const FIRST_FAILURES = 5,
    NAMED_WORKLOADS = 16;

function fact(name, ...value) {
    return h('div', { class: 'fact' }, h('dt', null, name), h('dd', null, ...value));
}

/* Jobs by how they stand; a job that several points share counts for each. */
function jobsOf(experiment) {
    const ok = experiment.statuses.get('ok') || 0;
    const recorded = [...experiment.statuses.values()].reduce((sum, jobs) => sum + jobs, 0);
    return { all: experiment.jobs, ok, failed: recorded - ok, missing: experiment.jobs - recorded };
}

function jobsFact(jobs) {
    const bad = jobs.failed > 0 ? [', ', h('strong', { class: 'bad' }, `${number(jobs.failed)} failed`)] : [];
    const missing = jobs.missing > 0 ? [', ', h('strong', { class: 'warn' }, `${number(jobs.missing)} not run`)] : [];
    return fact('jobs', `${number(jobs.ok)} ended well`, ...bad, ...missing);
}

function runFacts(runs) {
    return runs.map(run =>
        fact(
            runs.length > 1 ? `run of ${count(run.jobs, 'job')}` : 'run',
            `${run.engine}, ${run.device}`,
            h('br'),
            `warpsweep ${run.version}, ${seconds(run.seconds)} in all`,
            h('br'),
            period(run.first, run.last),
        ),
    );
}

function failureRow(experiment, [point, trace, shard, status, reason]) {
    const { label } = experiment.points[point];
    return h(
        'li',
        null,
        h('a', { href: hash({ point: label }) }, label),
        ` on ${experiment.traces[trace].name}`,
        experiment.shards > 1 ? `, shard ${shard}` : '',
        ': ',
        h('b', null, status),
        reason ? ` \u2013 ${reason}` : '',
    );
}

function failures(experiment, jobs) {
    if (jobs.failed === 0) return null;
    const rows = experiment.failures.map(failure => failureRow(experiment, failure));
    const cut =
        experiment.failures.length < jobs.failed ? h('p', null, `The first ${experiment.failures.length} are listed.`) : null;
    return h(
        'details',
        { id: 'failures', class: 'failures', open: rows.length <= FIRST_FAILURES },
        h('summary', null, `${count(jobs.failed, 'job')} of ${number(jobs.all)} failed`),
        h('ul', null, rows),
        cut,
    );
}

function missing(jobs) {
    if (jobs.missing === 0 || isFollowing()) return null;
    return h(
        'p',
        { id: 'missing', class: 'missing' },
        `${count(jobs.missing, 'job')} of ${number(jobs.all)} ${jobs.missing === 1 ? 'has' : 'have'} not run yet: `,
        'what needs them is left out. The same command continues it.',
    );
}

/* Parameters by group, as rows of key, value, unit, what it is. */
export function parameterTable(rows) {
    const groups = [...new Set(rows.map(({ key }) => key.split('.')[0]))];
    return h(
        'table',
        { class: 'parameters' },
        groups.map(group =>
            h(
                'tbody',
                null,
                rows
                    .filter(({ key }) => key.split('.')[0] === group)
                    .map(({ key, value, unit, doc }) =>
                        h(
                            'tr',
                            null,
                            h('th', { scope: 'row' }, key),
                            h('td', { class: 'value' }, measure(value, unit)),
                            h('td', { class: 'doc' }, doc),
                        ),
                    ),
            ),
        ),
    );
}

function machine(experiment) {
    const common = experiment.parameters.filter(parameter => parameter.value !== undefined);
    const varying = experiment.axes.map(axis => axis.key);
    return h(
        'details',
        { id: 'machine' },
        h(
            'summary',
            null,
            h('b', null, experiment.machine),
            ` \u2013 ${count(common.length, 'parameter')} common to all points; `,
            varying.length > 0 ? `varying: ${varying.join(', ')}` : 'nothing varies',
        ),
        h('div', { class: 'scroll', tabindex: 0 }, parameterTable(common)),
    );
}

/* Names of the workloads, each with what it is as its title. */
function workloads({ traces, size }) {
    const about = trace =>
        `${trace.name}: kernel ${trace.kernel}, ${count(trace.threads, 'thread')}, ${count(trace.blocks, 'block')}`;
    const names = traces
        .slice(0, NAMED_WORKLOADS)
        .map((trace, n) => [n > 0 ? ', ' : '', h('span', { title: about(trace) }, trace.short)]);
    const more = traces.length > NAMED_WORKLOADS ? ` and ${traces.length - NAMED_WORKLOADS} more` : '';
    return fact(traces.length > 1 ? `${traces.length} workloads` : 'workload', names, more, size ? ` (size ${size})` : '');
}

function searchFact(search) {
    if (!search) return null;
    const budget = search.budget ? ` of ${number(search.budget)}` : '';
    return fact(
        'search',
        `${search.method}, seed ${search.seed}`,
        h('br'),
        `${number(search.spent)}${budget} simulations`,
        h('br'),
        search.ended ? `ended: ${search.ended}` : 'not ended',
    );
}

/* Of a cheaper size of a search: where the answer is. */
function cheaper(report, { search, file }) {
    if (!search || !search.answer) return null;
    const full = report.experiments.find(other => other.file === file && other.head.experiment === search.answer);
    return h(
        'p',
        { id: 'cheaper', class: 'missing' },
        'A cheaper size, which only guides the search; the answer is ',
        full ? h('a', { href: hash({ ...forget(), experiment: full.key }) }, full.key) : search.answer,
        '.',
    );
}

/* A choice among the experiments and runs of the page; null where there is one. */
export function choiceOf(keys, key) {
    if (keys.length === 1) return null;
    const options = keys.map(other => [other, other]);
    return choice('experiment', 'experiment', options, key, value => change({ ...forget(), experiment: value }, true));
}

function experimentChoice(report, experiment) {
    return choiceOf(report.choices, experiment.key);
}

export function header(report, experiment) {
    const jobs = jobsOf(experiment);
    const skipped = experiment.skipped > 0 ? ` (${number(experiment.skipped)} more are left out by constraints)` : '';
    return h(
        'header',
        null,
        experimentChoice(report, experiment),
        h('h1', null, experiment.key),
        experiment.about ? h('p', { class: 'about' }, experiment.about) : null,
        cheaper(report, experiment),
        failures(experiment, jobs),
        missing(jobs),
        h(
            'dl',
            { class: 'facts' },
            fact('machine', experiment.machine),
            fact('points', number(experiment.points.length), skipped),
            workloads(experiment),
            experiment.shards > 1 ? fact('shards', String(experiment.shards)) : null,
            fact('model', `version ${experiment.model_version}`),
            searchFact(experiment.search),
            jobsFact(jobs),
            runFacts(experiment.runs),
        ),
        machine(experiment),
    );
}
