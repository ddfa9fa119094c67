/* Labels of points beside each other: without the words that all of them share. */
export function brief(labels) {
    const words = labels.map(label => label.split(' '));
    const common = new Set((words[0] || []).filter(word => labels.length > 1 && words.every(others => others.includes(word))));
    const left = words.map(list => list.filter(word => !common.has(word)).join(' '));
    return left.every(Boolean) && new Set(left).size === new Set(labels).size ? left : labels;
}
