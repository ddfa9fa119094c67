# A function of the files that reaches itself through calls, if there is one. Definitions are those of the project's layout: the
# name on a line in the first column, the brace alone on a line.
/^static inline .*\(/ || /^(__kernel|LANES_KERNEL)/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
    candidate = name
}
/^\{/ { current = candidate; defined[current] = 1 }
/^\}/ { current = "" }
current != "" {
    line = $0
    while (match(line, /[a-z_0-9]+\(/)) {
        calls[current, substr(line, RSTART, RLENGTH - 1)] = 1
        line = substr(line, RSTART + RLENGTH)
    }
}
END {
    for (pair in calls) {
        split(pair, ends, SUBSEP)
        if (ends[2] in defined)
            reach[ends[1], ends[2]] = 1
    }
    do {
        changed = 0
        for (pair in reach) {
            split(pair, first, SUBSEP)
            for (name in defined)
                if ((first[2] SUBSEP name) in reach && !((first[1] SUBSEP name) in reach)) {
                    reach[first[1], name] = 1
                    changed = 1
                }
        }
    } while (changed)
    for (name in defined)
        if ((name SUBSEP name) in reach)
            print name
}
