/* Charts, drawn as SVG by Apache ECharts in the colours of the page. */
import { BarChart, CustomChart, HeatmapChart, LineChart, ParallelChart, ScatterChart } from 'echarts/charts';
import { GridComponent, ParallelComponent, TooltipComponent, VisualMapContinuousComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { h } from './dom.js';
import { short } from './format.js';
import { saveButtons } from './save.js';
import { change, read } from './state.js';

use([BarChart, CustomChart, HeatmapChart, LineChart, ParallelChart, ScatterChart]);
use([GridComponent, ParallelComponent, TooltipComponent, VisualMapContinuousComponent, SVGRenderer]);

/* Twelve colours for each ground. Any two differ by 16 or more in CIELAB (1976), also as people without one kind of cones see them
 * (simulated after Machado et al. 2009; with yellow and blue confused by 11): the first three are of Okabe and Ito, the others were
 * searched for the largest least difference. Each has a mark of its own besides. */
const SERIES = {
    light: [
        ...['#0072b2', '#d55e00', '#00805f', '#9664fa', '#7dc864', '#641900'],
        ...['#fa96af', '#324b64', '#afaffa', '#7d00fa', '#19007d', '#000019'],
    ],
    dark: [
        ...['#4ea8de', '#ff8c42', '#2fc79d', '#fafa00', '#647dfa', '#affa96'],
        ...['#af197d', '#00fafa', '#964b4b', '#9600af', '#af1900', '#6400fa'],
    ],
};
const SYMBOLS = [
    ['circle', '\u25cf'],
    ['rect', '\u25a0'],
    ['triangle', '\u25b2'],
    ['diamond', '\u25c6'],
    ['path://M0 0L10 0L5 10Z', '\u25bc'],
    ['path://M0 5L10 0L10 10Z', '\u25c0'],
    ['path://M0 0L10 5L0 10Z', '\u25b6'],
    ['path://M3 0L7 0L7 3L10 3L10 7L7 7L7 10L3 10L3 7L0 7L0 3L3 3Z', '\u271a'],
    ['path://M0 2L2 0L5 3L8 0L10 2L7 5L10 8L8 10L5 7L2 10L0 8L3 5Z', '\u2716'],
    ['path://M5 0L6.2 3.4L10 3.5L7 5.8L8 9.5L5 7.4L2 9.5L3 5.8L0 3.5L3.8 3.4Z', '\u2605'],
    ['path://M3 0L7 0L10 5L7 10L3 10L0 5Z', '\u2b23'],
    ['path://M0 3L10 3L10 7L0 7Z', '\u25ac'],
];
/* Viridis, whose lightness grows evenly. */
export const RAMP = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];

export const MOST_SERIES = 12;
const SEPARATOR = '~'; /* between the names of series in the state */

export function dark() {
    return document.documentElement.dataset.theme === 'dark';
}

/* How the n-th series looks: a colour, a symbol, a dash, and the symbol as a character. */
export function look(n) {
    const colours = SERIES[dark() ? 'dark' : 'light'];
    const [symbol, character] = SYMBOLS[n % SYMBOLS.length];
    return { colour: colours[n % colours.length], symbol, character, dash: n % MOST_SERIES < 6 ? 'solid' : 'dashed' };
}

function variable(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axisLook(axis) {
    const text = variable('--soft');
    return {
        nameLocation: 'middle',
        ...axis,
        nameTextStyle: { color: variable('--text'), fontSize: 13, ...axis.nameTextStyle },
        axisLine: { show: true, lineStyle: { color: variable('--line-strong') } },
        axisTick: { show: axis.type !== 'category', lineStyle: { color: variable('--line-strong') }, ...axis.axisTick },
        axisLabel: { color: text, fontSize: 12, hideOverlap: true, ...axis.axisLabel },
        splitLine: { show: axis.split !== false, lineStyle: { color: variable('--line') } },
    };
}

function parallelLook({ range, select, ...axis }) {
    const look = axisLook(axis);
    return {
        ...look,
        z: 10,
        axisLabel: { ...look.axisLabel, color: variable('--text'), textBorderColor: variable('--raised'), textBorderWidth: 4 },
        nameLocation: 'end',
        nameGap: 14,
        nameTextStyle: { color: variable('--text'), fontSize: 12, lineHeight: 14 },
        splitLine: { show: false },
        areaSelectStyle: {
            width: 22,
            borderWidth: 1,
            borderColor: variable('--accent'),
            color: variable('--accent'),
            opacity: 0.25,
        },
    };
}

/* Shows the ranges of parallel axes; select of an axis is called with a range that is drawn on it, or null where it is dropped. */
function selectRanges(instance, axes) {
    for (const axis of axes)
        if (axis.range) instance.dispatchAction({ type: 'axisAreaSelect', parallelAxisId: axis.id, intervals: [axis.range] });
    instance.on('axisareaselected', event => {
        const axis = axes.find(({ id }) => id === event.parallelAxisId);
        const [interval] = event.intervals || [];
        if (axis) axis.select(interval || null);
    });
}

/* Content of the box that appears over a mark: a title and lines of [name, value]. */
export function hover(title, lines) {
    return h(
        'div',
        { class: 'hover' },
        h('strong', null, title),
        h(
            'table',
            null,
            lines.map(([name, value]) => h('tr', null, h('td', null, name), h('td', null, value))),
        ),
    );
}

let waiting = [];
let shown = [];

/* A chart to be drawn by `draw` once it is in the page. option is ECharts'; of each mark's data, `hover` gives the box over it and
 * `visit` is called when it is clicked. */
function chart(label, height, option) {
    const element = h('div', { class: 'chart', role: 'img', 'aria-label': label, style: `height: ${height}px` });
    waiting.push({ element, option });
    return element;
}

export function draw() {
    for (const { instance, observer } of shown) {
        observer.disconnect();
        instance.dispose();
    }
    shown = waiting.map(({ element, option }) => {
        const instance = init(element, null, { renderer: 'svg' });
        instance.setOption({
            animation: false,
            textStyle: { fontFamily: variable('--font') },
            grid: { left: 8, right: 18, top: 14, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'all' },
            tooltip: {
                trigger: 'item',
                confine: true,
                backgroundColor: variable('--raised'),
                borderColor: variable('--line-strong'),
                textStyle: { color: variable('--text'), fontSize: 13 },
                formatter: mark => (mark.data && mark.data.hover ? mark.data.hover() : ''),
            },
            ...option,
            ...(option.parallelAxis ? { parallelAxis: option.parallelAxis.map(parallelLook) } : {}),
            ...(option.xAxis ? { xAxis: axisLook(option.xAxis), yAxis: axisLook(option.yAxis) } : {}),
        });
        if (option.parallelAxis) selectRanges(instance, option.parallelAxis);
        instance.on('click', mark => mark.data && mark.data.visit && mark.data.visit());
        const observer = new ResizeObserver(() => instance.resize());
        observer.observe(element);
        return { instance, observer };
    });
    waiting = [];
}

/* Series that the state switches off, by name. */
function switchedOff() {
    return new Set((read().off || '').split(SEPARATOR).filter(Boolean));
}

/* Names of series beside how they look; each is a button that switches its series off and on. */
function legend(names, off) {
    const toggle = name => {
        const next = new Set(off);
        if (!next.delete(name)) next.add(name);
        change({ off: [...next].join(SEPARATOR) });
    };
    return h(
        'ul',
        { class: 'legend' },
        names.map((name, n) => {
            const { colour, character } = look(n);
            const pressed = off.has(name) ? 'false' : 'true';
            return h(
                'li',
                null,
                h(
                    'button',
                    { id: 'series-' + n, type: 'button', 'aria-pressed': pressed, onclick: () => toggle(name) },
                    h('span', { style: `color: ${colour}`, 'aria-hidden': 'true' }, character),
                    name,
                ),
            );
        }),
    );
}

/* A chart under the legend of its series, and buttons that save it as a picture: under its title, what it holds fixed, and that
 * legend, or keys of {name, colour, character} where the page has no legend. */
export function figure(title, fixed, label, height, option, names = [], keys = names.map((name, n) => ({ name, ...look(n) }))) {
    const off = switchedOff();
    const element = chart(label, height, { ...option, series: option.series.filter(({ name }) => !off.has(name)) });
    const shownKeys = keys.filter(({ name }) => !off.has(name));
    return [names.length > 0 ? legend(names, off) : null, element, saveButtons(element, title, fixed, shownKeys)];
}

/* Keys to the colours of values between least and most. */
export function rampKeys(least, most) {
    const last = RAMP.length - 1;
    return [0, last / 2, last].map(n => ({
        name: short(least + ((most - least) * n) / last),
        colour: RAMP[n],
        character: '\u25a0',
    }));
}
