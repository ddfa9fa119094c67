/* One point: all its parameters, and its numbers on every workload. */
import { withoutCounters } from './controls.js';
import { h, note, table } from './dom.js';
import { exact, number } from './format.js';
import { parameterTable } from './header.js';
import { hash } from './state.js';

/* Every parameter with the point's value; what varies comes first. */
function parametersOf(experiment, point) {
    const varying = experiment.parameters.filter(parameter => parameter.value === undefined);
    return {
        varying: varying.map((parameter, n) => ({ ...parameter, value: point.values[n] })),
        common: experiment.parameters.filter(parameter => parameter.value !== undefined),
    };
}

function numbers(experiment, point) {
    const several = experiment.traces.length > 1;
    const base = experiment.byLabel.get(point.baseline);
    const cell = (metric, value, at) => ({
        text: number(value),
        title:
            [exact(value), base && base !== point && Number.isFinite(at) ? `baseline ${exact(at)}` : null]
                .filter(Boolean)
                .join('; ') || null,
    });
    const rows = experiment.metrics.map(metric => [
        { text: metric.name, title: [metric.doc, metric.unit].filter(Boolean).join('; ') },
        ...(several ? [cell(metric, experiment.mean(metric, point), base && experiment.mean(metric, base))] : []),
        ...experiment.traces.map(trace =>
            cell(metric, experiment.at(metric, point, trace), base && experiment.at(metric, base, trace)),
        ),
    ]);
    return table('numbers', ['metric', ...(several ? ['mean'] : []), ...experiment.traces.map(trace => trace.short)], rows);
}

function failuresOf(experiment, point) {
    const rows = experiment.failures.filter(failure => failure[0] === point.index);
    return rows.map(([, trace, shard, status, reason]) =>
        h(
            'p',
            { class: 'failed' },
            `${experiment.traces[trace].name}${experiment.shards > 1 ? ', shard ' + shard : ''}: `,
            h('b', null, status),
            reason ? ` \u2013 ${reason}` : '',
        ),
    );
}

export function pointView(experiment, label) {
    if (label === undefined) return null;
    const point = experiment.byLabel.get(label);
    const close = h('a', { class: 'close', href: hash({ point: null }), 'aria-label': 'close the point' }, '\u00d7');
    if (!point)
        return h(
            'section',
            { id: 'point', class: 'card' },
            close,
            h('h2', null, 'No such point'),
            note(`No point of this experiment is called \u201c${label}\u201d.`),
        );
    const { varying, common } = parametersOf(experiment, point);
    const baseline =
        point.baseline === null
            ? 'none'
            : point.baseline === point.label
              ? 'itself'
              : h('a', { href: hash({ point: point.baseline }) }, point.baseline);
    const fact = (name, value) => h('div', { class: 'fact' }, h('dt', null, name), h('dd', null, value));
    return h(
        'section',
        { id: 'point', class: 'card', tabindex: -1 },
        close,
        h('h2', null, point.label),
        h(
            'dl',
            { class: 'facts' },
            point.variation ? fact('variation', point.variation) : null,
            fact('compared with', baseline),
            fact('overrides', point.overrides ? h('code', null, point.overrides) : 'none'),
            fact('front end', point.frontend ? h('code', null, point.frontend) : 'defaults'),
        ),
        failuresOf(experiment, point),
        varying.length > 0 ? [h('h3', null, 'Parameters that vary'), parameterTable(varying)] : null,
        h(
            'details',
            { id: 'point-common' },
            h('summary', null, `The other ${common.length} parameters, common to all points`),
            h('div', { class: 'scroll', tabindex: 0 }, parameterTable(common)),
        ),
        h(
            'h3',
            null,
            experiment.traces.length > 1
                ? 'Metrics and counters by workload'
                : `Metrics and counters on ${experiment.traces[0].name}`,
        ),
        withoutCounters(experiment),
        numbers(experiment, point),
    );
}
