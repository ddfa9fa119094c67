# keep_circles(edge): of the keys FROM SUBSEP TO, those that remain when what leads nowhere, and what nothing leads to, is taken away again
# and again: circles, and ways between them.
function keep_circles(edge,    e, ends, from, to, gone) {
    do {
        split("", from)
        split("", to)
        for (e in edge) {
            split(e, ends, SUBSEP)
            from[ends[1]]
            to[ends[2]]
        }
        gone = 0
        for (e in edge) {
            split(e, ends, SUBSEP)
            if (!(ends[2] in from) || !(ends[1] in to)) {
                delete edge[e]
                gone++
            }
        }
    } while (gone)
}
