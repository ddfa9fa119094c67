/* A chart as a picture: the chart as it is drawn, under its title and legend, as SVG or PNG. */
import { h } from './dom.js';

const MARGIN = 16,
    LINE = 20,
    FONT = 13,
    LONGEST_NAME = 200;

function text(x, y, content, attributes) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    for (const [key, value] of Object.entries({ x, y, ...attributes })) element.setAttribute(key, value);
    element.textContent = content;
    return element;
}

/* The legend's names from left to right, as many in a line as there is room for: [{name, colour, character, x, line}]. */
function layLegend(names, width, font) {
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = `${FONT}px ${font}`;
    let x = MARGIN,
        line = 0;
    return names.map(entry => {
        const wide = pen.measureText(entry.name).width + 40;
        if (x > MARGIN && x + wide > width) {
            x = MARGIN;
            line++;
        }
        const at = { ...entry, x, line };
        x += wide;
        return at;
    });
}

/* The picture's SVG, as text. fixed is the line below the title; names are the legend's: {name, colour, character}. */
function picture(drawn, title, fixed, names) {
    const style = getComputedStyle(document.documentElement);
    const font = getComputedStyle(document.body).fontFamily;
    const width = Number(drawn.getAttribute('width')),
        height = Number(drawn.getAttribute('height'));
    const legend = layLegend(names, width, font);
    const top = MARGIN + 3 * LINE + (legend.length > 0 ? (legend[legend.length - 1].line + 1) * LINE : 0);
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    const chart = drawn.cloneNode(true);
    const ink = style.getPropertyValue('--text').trim();
    svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    for (const element of [svg, ground]) {
        element.setAttribute('width', width);
        element.setAttribute('height', top + height);
    }
    ground.setAttribute('fill', style.getPropertyValue('--raised').trim());
    chart.setAttribute('y', top);
    svg.append(
        ground,
        text(MARGIN, MARGIN + LINE - 4, title, { fill: ink, 'font-family': font, 'font-size': 16, 'font-weight': 600 }),
        text(MARGIN, MARGIN + 2 * LINE - 4, fixed, { fill: ink, 'font-family': font, 'font-size': FONT }),
    );
    for (const { name, colour, character, x, line } of legend) {
        const y = MARGIN + (line + 3) * LINE - 4;
        svg.append(text(x, y, character, { fill: colour, 'font-family': font, 'font-size': FONT }));
        svg.append(text(x + 16, y, name, { fill: ink, 'font-family': font, 'font-size': FONT }));
    }
    svg.append(chart);
    return { source: new XMLSerializer().serializeToString(svg), width, height: top + height };
}

function download(url, name) {
    const link = h('a', { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
}

const svgUrl = source => 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(source);

/* As PNG, twice as fine as on the screen. */
function savePng({ source, width, height }, name) {
    const image = new Image();
    image.onload = () => {
        const canvas = document.createElement('canvas');
        canvas.width = 2 * width;
        canvas.height = 2 * height;
        canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
        download(canvas.toDataURL('image/png'), name);
    };
    image.src = svgUrl(source);
}

/* Buttons that save the chart in an element under a title and what it holds fixed; both name the file. */
export function saveButtons(element, title, fixed, names) {
    const file = `${title} ${fixed}`.replace(/[^\w.=+-]+/g, '-').slice(0, LONGEST_NAME);
    const made = () => picture(element.querySelector('svg'), title, fixed, names);
    const button = (id, label, save) => h('button', { id, type: 'button', onclick: save }, label);
    return h(
        'div',
        { class: 'save' },
        button('save-svg', 'Save as SVG', () => download(svgUrl(made().source), file + '.svg')),
        button('save-png', 'Save as PNG', () => savePng(made(), file + '.png')),
    );
}
