/* Charts, drawn as SVG by Apache ECharts in the colours of the page. */
import { BarChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent, VisualMapContinuousComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { h } from './dom.js';

use([BarChart, HeatmapChart, LineChart, ScatterChart, GridComponent, TooltipComponent, VisualMapContinuousComponent, SVGRenderer]);

/* Colours that colour-blind people tell apart (after Okabe and Ito), darker on light and lighter on dark ground; symbols tell the
 * rest. */
const SERIES = {
    light: ['#0072b2', '#d55e00', '#00805f', '#b8528e', '#2f95c9', '#b07a00', '#5b4fa3', '#5f6670'],
    dark: ['#4ea8de', '#ff8c42', '#2fc79d', '#e48fc0', '#8fd3f4', '#f0c04a', '#a79cf0', '#b5bcc6'],
};
const SYMBOLS = [
    ['circle', '\u25cf'],
    ['rect', '\u25a0'],
    ['triangle', '\u25b2'],
    ['diamond', '\u25c6'],
];
const DASHES = ['solid', 'dashed', 'dotted'];

/* Viridis, whose lightness grows evenly. */
export const RAMP = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];

export const MOST_SERIES = 12;

export function dark() {
    return document.documentElement.dataset.theme === 'dark';
}

/* How the n-th series looks: a colour, a symbol, a dash, and the symbol as a character. */
export function look(n) {
    const colours = SERIES[dark() ? 'dark' : 'light'];
    const [symbol, character] = SYMBOLS[(n + Math.floor(n / colours.length)) % SYMBOLS.length];
    return { colour: colours[n % colours.length], symbol, character, dash: DASHES[Math.floor(n / colours.length) % DASHES.length] };
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
export function chart(label, height, option) {
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
            xAxis: axisLook(option.xAxis),
            yAxis: axisLook(option.yAxis),
        });
        instance.on('click', mark => mark.data && mark.data.visit && mark.data.visit());
        const observer = new ResizeObserver(() => instance.resize());
        observer.observe(element);
        return { instance, observer };
    });
    waiting = [];
}

/* Names of series beside how they look. */
export function legend(names) {
    return h(
        'ul',
        { class: 'legend' },
        names.map((name, n) => {
            const { colour, character } = look(n);
            return h('li', null, h('span', { style: `color: ${colour}`, 'aria-hidden': 'true' }, character), name);
        }),
    );
}
