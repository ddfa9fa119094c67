# Functions of the files that call each other in a circle, if there is one. Definitions are those of the project's layout: the name on a
# line in the first column, the brace alone on a line. Usage: awk -f circle.awk -f recursion.awk FILE...
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
        if (!(ends[2] in defined))
            delete calls[pair]
    }
    keep_circles(calls)
    for (pair in calls) {
        split(pair, ends, SUBSEP)
        if (!(ends[1] in told))
            print ends[1]
        told[ends[1]]
    }
}
