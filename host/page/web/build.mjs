/* Makes page.html, one file without a single reference to another, and LICENSES.txt. Run by `npm ci --ignore-scripts && npm run build`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const read = path => readFileSync(path, 'utf8').replace(/\r\n/g, '\n').trim();
const version = name => JSON.parse(read(`node_modules/${name}/package.json`)).version;

/* What is bundled, and the files that its licence asks to go with it. ECharts' number.js comes in part from d3. */
const bundled = [
    ['echarts', 'Apache ECharts', ['LICENSE', 'NOTICE', 'licenses/LICENSE-d3']],
    ['zrender', 'ZRender', ['LICENSE']],
    ['tslib', 'tslib', ['LICENSE.txt', 'CopyrightNotice.txt']],
];
const licences = bundled
    .map(([name, title, files]) => {
        const line = '='.repeat(100);
        return [line, `${title} ${version(name)}`, line, ...files.map(file => read(`node_modules/${name}/${file}`))].join('\n\n');
    })
    .join('\n\n\n');

async function bundle(entry, options) {
    const result = await build({
        entryPoints: [entry],
        bundle: true,
        minify: true,
        write: false,
        legalComments: 'none',
        charset: 'utf8',
        target: 'es2020',
        ...options,
    });
    return result.outputFiles[0].text.trim();
}

const script = await bundle('src/main.js', { format: 'iife', define: { 'process.env.NODE_ENV': '"production"' } });
const style = await bundle('src/page.css', {});
const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const page = read('src/page.html')
    .replace('{{style}}', () => style)
    .replace('{{script}}', () => script.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--'))
    .replace('{{licences}}', () => escaped(licences));

writeFileSync('LICENSES.txt', licences + '\n');
writeFileSync('page.html', page + '\n');
console.log(`page.html: ${page.length} characters`);
