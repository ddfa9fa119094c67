/* "l1.size=16384 schedule.policy=gto" */
export function overridesOf({ overrides }) {
    return Object.entries(overrides || {})
        .map(([key, value]) => `${key}=${value}`)
        .join(' ');
}
