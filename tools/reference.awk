# From the pages of docs/model and, last, rows of tables (tools/reference): the reference of parameters and of counters.
BEGIN { parameters = 0 }
function fail(what) { print "reference: " what >"/dev/stderr"; failed = 1 }
function code(word) { return "`" word "`" }
function anchor(heading) { heading = tolower(heading); gsub(/[^a-z0-9_ -]/, "", heading); gsub(/ /, "-", heading); return heading }
function name_in(word, id) { if (!index(named[word], " " id " ")) named[word] = (named[word] ? named[word] : " ") id " " }

# ---- The pages: rules, and those that name a word in code. Words before the first rule of a
# section are of that rule. ----
FILENAME != "-" && opens != "" && NF { if (!/^\*Purpose: /) fail(opens " opens without its purpose"); opens = "" }
FILENAME != "-" && /^##+ / { opens = FILENAME ": " $0 }
FILENAME != "-" && /^##? / { waiting = 0 }
FILENAME != "-" && /^#+ / { section = FILENAME "#" anchor(substr($0, index($0, " ") + 1)); heading[section] = substr($0, index($0, " ") + 1); next }
FILENAME != "-" && (/^$/ || /^\|/) { id = ""; next }
FILENAME != "-" {
    while (match($0, /\*\*\[[a-z0-9_.]+\]\*\*|`[^`]+`/)) {
        word = substr($0, RSTART, RLENGTH)
        if (!(word in mentioned)) mentioned[word] = section
        $0 = substr($0, RSTART + RLENGTH)
        if (word ~ /^\*/) {
            id = substr(word, 4, length(word) - 6)
            place[id] = section
            if (!(section in defined)) sections[++section_count] = section
            defined[section] = defined[section] (defined[section] ? ", " : "") code(id)
            for (; waiting > 0; waiting--) name_in(before[waiting], id)
        } else if (id != "") {
            name_in(substr(word, 2, length(word) - 2), id)
        } else {
            before[++waiting] = substr(word, 2, length(word) - 2)
        }
    }
    next
}

# ---- The tables ----
{ gsub(/^"|"$/, ""); split($0, cell, /" "/); gsub(/\\"/, "\"") }
cell[1] == "choice" { choices[cell[2]] = choices[cell[2]] (choices[cell[2]] ? "<br>" : "") code(cell[3]) ": " cell[4] }
cell[1] == "path" { issuing[cell[3]] = issuing[cell[3]] (issuing[cell[3]] ? " or " : "") code(cell[2]) }
cell[1] ~ /^(number|power|choose)$/ {
    group[parameters] = cell[2]; key[parameters] = cell[2] "." cell[3]; kind[parameters] = cell[1]; standard[parameters] = cell[4]
    least[parameters] = cell[5]; most[parameters] = cell[6]; unit[parameters] = cell[7]; meaning[parameters] = cell[8]
    dotted[cell[2] "_" cell[3]] = cell[2] "." cell[3]
    if (cell[1] == "choose") set[cell[2] "." cell[3]] = cell[5]
    parameters++
}
cell[1] == "read" { reads++; read_group[reads] = cell[2]; read_name[reads] = cell[3]; read_where[reads] = cell[4] }
cell[1] == "counter" { counters++; row[counters] = sprintf("| <a id=\"%s\"></a>%s | %s | %s | %s | %s |", cell[2], code(cell[2]), cell[4] (cell[3] > 1 ? ", " cell[3] " bins" : ""), cell[5], cell[7], links(cell[6])) }
cell[1] == "old" { olds++; old[olds] = sprintf("| %s | %s | %s |", cell[2] key_of(cell[3]), code(cell[4]), code(cell[5])) }
cell[1] == "metric" { metrics++; metric[metrics] = sprintf("| <a id=\"%s\"></a>%s | %s | %s | %s |", cell[2], code(cell[2]), cell[4], cell[5], code(cell[3])) }

function key_of(choice_set,   word) { for (word in set) if (set[word] == choice_set) return " of " code(word); return "" }
function links(ids,   n, i, part, text) {
    n = split(ids, part, " ")
    for (i = 1; i <= n; i++) {
        if (!(part[i] in place)) fail("no rule is called " part[i])
        text = text (i > 1 ? ", " : "") "[" part[i] "](../model/" place[part[i]] ")"
    }
    return text
}

# A condition of reads.def in words.
function condition(text,   field, value, before, name) {
    while (match(text, /machine->[a-z0-9_]+/)) {
        field = substr(text, RSTART + 9, RLENGTH - 9)
        if (!(field in dotted)) fail("no parameter is called " field)
        before = substr(text, 1, RSTART - 1); text = substr(text, RSTART + RLENGTH)
        name = "WS_" set[dotted[field]] "_"
        if (dotted[field] in set && (value = index(text, name))) text = substr(text, 1, value - 1) "\001" substr(text, value + length(name))
        text = before code(dotted[field]) text
    }
    while (match(text, /\001[a-z0-9_]+/)) text = substr(text, 1, RSTART - 1) code(substr(text, RSTART + 1, RLENGTH - 1)) substr(text, RSTART + RLENGTH)
    gsub(/BUFFERS && !SUBCORE/, "`core.pipeline` = `scoreboard`", text); gsub(/SUBCORE/, "`core.pipeline` = `subcore`", text)
    gsub(/!BUFFERS|!LEVELS/, "`core.pipeline` = `barrel`", text); gsub(/BUFFERS|LEVELS/, "`core.pipeline` is not `barrel`", text)
    gsub(/!DDR/, "`core.pipeline` = `barrel` and `dram.timing` = `fixed`", text); gsub(/DDR/, "`core.pipeline` is not `barrel` or `dram.timing` = `ddr`", text)
    gsub(/HAS_STACK/, "UNIT(pdom) || UNIT(vws) || UNIT(lwm) || UNIT(tbc)", text); gsub(/GANGS/, "`vws.gangs` = `on`", text); gsub(/CACHES_GLOBAL/, "`memory.ideal` = `off`", text)
    gsub(/!ISSUES\(slices\)/, "`divergence.unit` is not " issuing["slices"], text)
    gsub(/ISSUES\(slices\)/, "`divergence.unit` = " issuing["slices"], text); gsub(/ISSUES\(threads\)/, "`divergence.unit` = " issuing["threads"], text)
    while (match(text, /!?(UNIT|POLICY)\([a-z_]+\)/)) {
        value = substr(text, RSTART, RLENGTH)
        name = (value ~ /UNIT/ ? "`divergence.unit`" : "`schedule.policy`") (value ~ /^!/ ? " is not " : " = ")
        gsub(/.*\(|\)/, "", value)
        text = substr(text, 1, RSTART - 1) name code(value) substr(text, RSTART + RLENGTH)
    }
    gsub(/ == /, " = ", text); gsub(/ != /, " is not ", text); gsub(/ \|\| /, " or ", text); gsub(/ && /, " and ", text)
    while (match(text, /(`divergence.unit` =( `[a-z_]+` or)+ `divergence.unit` =)|(`schedule.policy` =( `[a-z_]+` or)+ `schedule.policy` =)/))
        text = substr(text, 1, RSTART + RLENGTH - 20) substr(text, RSTART + RLENGTH + 1)
    gsub(/[()]/, "", text)
    if (text ~ /[A-Z]/) fail("not in words: " text)
    return text
}
function reader(n,   i, text) {
    for (i = 1; i <= reads; i++)
        if (read_group[i] == group[n] && (read_name[i] == "" || read_group[i] "." read_name[i] == key[n])) text = text (text ? "; " : "") condition(read_where[i])
    return text ? text : "always"
}
function rules_of(n,   short) {
    short = key[n]; sub(/.*\./, "", short)
    if (named[key[n]] == "" && group[n] == "dram") return links(named[short])
    if (named[key[n]] != "" || named[group[n]] != "") return links(named[key[n]] != "" ? named[key[n]] : named[group[n]])
    if (!(code(key[n]) in mentioned)) fail("no page of docs/model mentions " key[n])
    return "[section](../model/" mentioned[code(key[n])] ")"
}

END {
    page = folder "/parameters.md"
    print "# Parameters\n" >page
    print "Written by `tools/reference` from the tables of the program. A parameter is set in a machine file, by an axis of an experiment, or by" >page
    print "`--set KEY=VALUE`. *Read if* lists all conditions under which a simulation reads the parameter; separate conditions are joined by \";\" and" >page
    print "all must hold. Elsewhere its value has no effect. The rules define its effect." >page
    for (n = 0; n < parameters; n++) {
        if (group[n] != group[n - 1]) print "\n## " group[n] "\n\n| parameter | meaning | unit | default | range | read if | rules |\n|---|---|---|---|---|---|---|" >page
        printf "| <a id=\"%s\"></a>%s | %s | %s | %s | %s | %s | %s |\n", key[n], code(key[n]), meaning[n], unit[n], code(standard[n]), \
            kind[n] == "choose" ? choices[set[key[n]]] : least[n] " to " most[n] (kind[n] == "power" ? ", power of two" : ""), reader(n), rules_of(n) >page
    }
    print "\n## Names of the previous release\n\nThese names still work and print a warning. The next release does not accept them.\n\n| kind | old name | current name |\n|---|---|---|" >page
    for (n = 1; n <= olds; n++) print old[n] >page
    page = folder "/counters.md"
    print "# Counters and metrics\n" >page
    print "Written by `tools/reference` from the tables of the program. Counters are per job: one machine on one shard of one trace. Where a" >page
    print "counter has two rules, the second is that of the scoreboard pipeline or of another divergence unit. *High* and *low* are relative: compare" >page
    print "points of one experiment.\n\n## Counters\n\n| counter | unit | meaning | how to read it | rules |\n|---|---|---|---|---|" >page
    for (n = 1; n <= counters; n++) print row[n] >page
    print "\n## Metrics\n\nA metric is an SQL expression over counters. `slots` is `warp_instructions` plus all stall slots, `lanes` the sum of active lanes," >page
    print "`sm_cycles` the sum of the cycles of all shards.\n\n| metric | unit | meaning | expression |\n|---|---|---|---|" >page
    for (n = 1; n <= metrics; n++) print metric[n] >page
    page = folder "/rules.md"
    print "# Rules\n\nWritten by `tools/reference`: the section of the [model reference](../model/README.md) that defines each rule." >page
    for (n = 1; n <= section_count; n++) {
        split(sections[n], part, /\.md#/)
        if (part[1] != last) print "\n## " (last = part[1]) "\n" >page
        print "- [" heading[sections[n]] "](../model/" sections[n] "): " defined[sections[n]] >page
    }
    exit failed
}
