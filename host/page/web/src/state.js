/* The state of the page is the hash of its address, so that every view can be linked; the page is drawn from it. */

export function read() {
    return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/* The hash of a state with changes; what becomes empty is left out. */
export function hash(changes) {
    const state = { ...read(), ...changes };
    for (const key of Object.keys(state))
        if (state[key] === '' || state[key] === null || state[key] === undefined) delete state[key];
    return '#' + new URLSearchParams(state).toString();
}

/* Changes the state in place, or (visit) as a step that the browser's Back undoes. */
export function change(changes, visit = false) {
    const next = hash(changes);
    if (visit) location.hash = next;
    else location.replace(next);
}

/* Changes that leave only what belongs to no experiment. */
export function forget() {
    return Object.fromEntries(
        Object.keys(read())
            .filter(key => key !== 'theme')
            .map(key => [key, null]),
    );
}
