# Judges what tools/kernel-resources measured by its table of limits: awk -f kernel-resources.awk TABLE MEASURED
# Variables: clang, ptxas (their releases; ptxas empty without one), register_limits, whole (all rows were measured), update (a file to
# write new limits to, instead of judging). A limit is the goal of its form, or today's number where that is above the goal.
BEGIN {
    FS = OFS = "\t"
    columns = split("lane form\tsm\tvariant\tprivate\tshared\tbarriers\tregisters\tspills\tstack", title)
    standard["group"] = "goal\tgroup\tall\t0\t6144\t-\t64\t0\t0"
    standard["ptx"] = "goal\tptx\tall\t0\t6144\t0\t64\t0\t0"
}

function key() { return $1 FS $2 FS $3 }

# Columns of clang, then of ptxas.
function judged(column) { return column <= 6 ? clang == table_clang : ptxas == table_ptxas }

FILENAME != ARGV[2] && /^# clang / {
    table_clang = $0
    sub(/^# clang /, "", table_clang)
    sub(/,.*/, "", table_clang)
    table_ptxas = $0
    sub(/.*ptxas /, "", table_ptxas)
    next
}
/^#/ || /^lane form/ { next }
$1 == "goal" {
    for (i = 4; i <= columns; i++)
        goal[$2, i] = $i
    next
}
FILENAME != ARGV[2] {
    in_table[key()] = 1
    for (i = 4; i <= columns; i++)
        limit[key(), i] = $i
    next
}
{
    row[++rows] = key()
    for (i = 4; i <= columns; i++)
        found[key(), i] = $i
}

function show(name, value, i) {
    printf "%-9s %3s %-28s", name[1], name[2], name[3]
    for (i = 4; i <= columns; i++)
        printf "%10s ", value[i]
    printf "\n"
}

function fail(text) {
    print text > "/dev/stderr"
    failures++
}

# A number beside its goal and its limit; what is printed for it. Globals: above, skipped, unjudged.
function judge(id, form, i, value) {
    value = found[id, i]
    if (value == "-") {
        skipped++
        return "- "
    }
    if (goal[form, i] != "-" && value + 0 > goal[form, i] + 0)
        above++
    if (!judged(i))
        unjudged++
    else if (limit[id, i] == "-" || limit[id, i] == "")
        fail(words(id) ": " title[i] " is " value ", and the table has no limit for it; --update records one")
    else if (value + 0 > limit[id, i] + 0)
        fail(words(id) ": " title[i] " is " value ", allowed is " limit[id, i])
    else if (value + 0 < limit[id, i] + 0 && limit[id, i] + 0 > goal[form, i] + 0)
        better++
    return value (goal[form, i] != "-" && value + 0 > goal[form, i] + 0 ? "*" : " ")
}

function words(id) {
    split(id, part)
    return part[1] " sm_" part[2] " '" part[3] "'"
}

# The limit that a number sets; without the number the old one stays.
function new_limit(id, form, i, value) {
    value = found[id, i]
    if (value == "-")
        return limit[id, i] == "" ? "-" : limit[id, i]
    return goal[form, i] != "-" && value + 0 < goal[form, i] + 0 ? goal[form, i] : value
}

function write_table(n, i, form, line) {
    print "# Limits of tools/kernel-resources, which writes this file (--update): the goal, or today's number where that is above the goal." > update
    print "# By clang: bytes of private arrays in memory, of shared memory, barriers in the text. By ptxas: registers where no limit is set;" > update
    print "# bytes spilled and of stack within the registers that the engine asks for (" register_limits "). '-': no goal, or no ptxas that knows it." > update
    print "# clang " clang ", ptxas " (ptxas == "" ? table_ptxas : ptxas) > update
    print "lane form\tsm\tvariant\tprivate\tshared\tbarriers\tregisters\tspills\tstack" > update
    print standard["group"] > update
    print standard["ptx"] > update
    for (n = 1; n <= rows; n++) {
        split(row[n], part)
        line = row[n]
        for (i = 4; i <= columns; i++)
            line = line OFS new_limit(row[n], part[1], i)
        print line > update
    }
}

END {
    for (form in standard) {
        split(standard[form], part)
        for (i = 4; i <= columns && update; i++)
            goal[form, i] = part[i]
    }
    show(title, title)
    for (form in standard)
        for (i = 4; i <= columns; i++)
            if (goal[form, i] == "")
                fail("the table has no goal for " title[i] " of " form)
    for (n = 1; n <= rows; n++) {
        split(row[n], name)
        if (!update && !(row[n] in in_table))
            fail(words(row[n]) " is not in the table; --update adds it")
        for (i = 4; i <= columns; i++)
            value[i] = update ? found[row[n], i] " " : judge(row[n], name[1], i)
        split(row[n], name)
        show(name, value)
        delete in_table[row[n]]
    }
    if (update) {
        write_table()
        exit 0
    }
    for (form in standard) {
        printf "goal      %-32s", form
        for (i = 4; i <= columns; i++)
            printf "%10s ", goal[form, i] " "
        printf "\n"
    }
    if (whole)
        for (id in in_table)
            fail(words(id) " is in the table, but there is no such variant any more; --update leaves it out")
    printf "%d numbers are above their goal (*), %d above the table\n", above, failures
    if (better)
        printf "%d are below what the table allows: --update keeps that\n", better
    if (ptxas == "")
        print "SKIPPED: ptxas is not installed: nobody has looked at registers, spills and stack"
    else if (skipped)
        printf "SKIPPED: %d numbers of GPUs that ptxas %s does not know\n", skipped, ptxas
    if (unjudged)
        printf "NOT JUDGED: %d numbers; the table is of clang %s and ptxas %s, here are %s and %s\n", unjudged, table_clang, table_ptxas, clang, ptxas
    exit failures > 0
}
