/* Means over what is there; NaN of nothing. */
export function arithmetic(values) {
    let sum = 0;
    for (const value of values) sum += value;
    return values.length > 0 ? sum / values.length : NaN;
}

/* Of positive values; NaN when one is not. */
export function geometric(values) {
    let sum = 0;
    for (const value of values) sum += value > 0 ? Math.log(value) : NaN;
    return values.length > 0 ? Math.exp(sum / values.length) : NaN;
}
