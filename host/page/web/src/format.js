/* Numbers as people read them. */
export const MISSING = '\u2013';

const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });

/* For tables and hover values: whole numbers whole, others with four digits that count. */
export function number(value) {
    if (!Number.isFinite(value)) return MISSING;
    const size = Math.abs(value);
    if (Number.isInteger(value) || size >= 1000) return grouped.format(value);
    if (size < 1e-4) return value.toExponential(2);
    const digits = Math.max(0, 3 - Math.floor(Math.log10(size)));
    return value.toFixed(Math.min(digits, size < 1 ? 4 : 3));
}

/* For axes and small places. */
export function short(value) {
    if (!Number.isFinite(value)) return MISSING;
    if (Math.abs(value) >= 10000) return compact.format(value);
    return String(Number(value.toPrecision(3)));
}

/* A value of a parameter, exact: 16384 as 16 Ki. */
export function level(value) {
    if (typeof value !== 'number' || !Number.isInteger(value)) return String(value);
    const unit = ['', ' Ki', ' Mi', ' Gi'];
    let n = 0;
    while (n < 3 && value !== 0 && value % 1024 === 0) {
        value /= 1024;
        n++;
    }
    return String(value) + unit[n];
}

/* Every digit, for the title of an element; null for nothing. */
export function exact(value) {
    return Number.isFinite(value) ? String(value) : null;
}

export function count(n, one, many = one + 's') {
    return `${grouped.format(n)} ${n === 1 ? one : many}`;
}

export function seconds(value) {
    if (value < 1) return `${Math.max(1, Math.round(value * 1000))} ms`;
    if (value < 120) return `${value.toFixed(1)} s`;
    if (value < 7200) return `${Math.round(value / 60)} min`;
    return `${(value / 3600).toFixed(1)} h`;
}

/* From first to last, as results files have times: 2026-01-31T12:00:00Z. */
export function period(first, last) {
    const [day, from] = first.replace('Z', '').split('T'),
        [lastDay, to] = last.replace('Z', '').split('T');
    if (first === last) return `${day} ${from} UTC`;
    return day === lastDay ? `${day} ${from} to ${to} UTC` : `${day} ${from} to ${lastDay} ${to} UTC`;
}

/* A value with its unit. */
export function measure(value, unit) {
    return unit && unit !== 'share' ? `${value} ${unit}` : String(value);
}
