# Compares what tools/kernel-resources measured with its table: awk -f kernel-resources.awk TABLE MEASURED. A number of more than
# 11/10 of what is recorded is a failure, a smaller change a line of the trend; what is not recorded is only shown.
# Variables: clang, ptxas (their releases; ptxas empty without one), register_limits, whole (all rows were measured), update (a file to
# write new numbers to, instead of judging). What is recorded is the goal of the form, or the number where it is above the goal.
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

# A number beside its goal and what is recorded; what is printed for it. Globals: above, skipped, unjudged, fresh, better, grown, most.
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
        fresh++
    else if (10 * value > 11 * limit[id, i])
        fail(words(id) ": " title[i] " is " value ", more than 10 % above the " limit[id, i] " of the table")
    else if (value + 0 > limit[id, i] + 0) {
        grown++
        most = value / limit[id, i] > most ? value / limit[id, i] : most
    }
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
    print "# What tools/kernel-resources found, which writes this file (--update): the goal, or the number where it is above the goal." > update
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
    for (id in in_table)
        gone++
    printf "%d numbers are above their goal (*), %d more than 10 %% above the table\n", above, failures
    printf "TREND: %d numbers are above the table", grown
    printf grown ? ", by up to %.1f %%" : "%.0s", 100 * (most - 1)
    printf ", %d below it, %d not in it", better, fresh
    printf whole ? "; %d rows of it are of no variant\n" : "\n%.0s", gone
    if (ptxas == "")
        print "SKIPPED: ptxas is not installed: nobody has looked at registers, spills and stack"
    else if (skipped)
        printf "SKIPPED: %d numbers of GPUs that ptxas %s does not know\n", skipped, ptxas
    if (unjudged)
        printf "NOT JUDGED: %d numbers; the table is of clang %s and ptxas %s, here are %s and %s\n", unjudged, table_clang, table_ptxas, clang, ptxas
    exit failures > 0
}
