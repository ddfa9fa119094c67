# Reads results of benchmarks (JSON, a key a line) and the pages of a reproduction; prints the target with its regions replaced.

function fail(text) {
    print "bench/tables: " text >"/dev/stderr"
    failed = 1
    exit 1
}

# ---- Reading ----

function keep_row() {
    if (section == "frontend" && "build_per_second" in row) {
        add("front end", "", row["build_per_second"] / 1e6)
        if (row["bytes_per_instruction"] + 0 > most_bytes) {
            most_bytes = row["bytes_per_instruction"] + 0
            most_bytes_of = row["workload"]
        }
    } else if (section == "rates" && FILENAME ~ /gpu_workloads\.json$/)
        gpu_rates[row["workload"], row["label"]] = row["warp_instructions_per_second"] / 1e6
    else if (section == "rates" && "warp_instructions_per_second" in row)
        add(row["label"], row["variant"], row["warp_instructions_per_second"] / 1e6)
    else if (section == "scoreboard" && "policy" in row)
        add_rate(section, row["workload"], "`" row["policy"] "`", row["warp_instructions_per_second"] / 1e6)
    else if (section == "papers" && "unit" in row)
        add_paper()
    else if (section == "profiles" && "goal" in row) {
        profile_count++
        for (key in row)
            profile[profile_count, key] = row[key]
    }
    else if (section == "spills" && "variant" in row)
        add_spills()
    else if (section == "widths" && "warp_size" in row)
        add_rate(section, row["workload"], row["warp_size"], row["warp_instructions_per_second"] / 1e6)
    else if (section == "slices" && "point" in row)
        add_rate(section, row["workload"], row["point"], row["warp_instructions_per_second"] / 1e6)
    else if (section == "import" && "form" in row)
        imports = imports sprintf("| %s | %.0f | %.0f | %.0f |\n", row["form"], row["text_bytes"] / 1e6, \
            row["megabytes_per_second"], row["resident_kilobytes"] / 1024)
    split("", row)
}

# Millions a second of a table of kernels and what they ran with.
function add_rate(table, kernel, column, rate) {
    if (!((table, kernel) in table_seen)) {
        table_seen[table, kernel] = 1
        table_rows[table, ++table_count[table]] = kernel
    }
    table_rates[table, kernel, column] = rate
    table_logs[table, column] += log(rate)
}

# Millions a second of a paper's workload on its machine, of one point alone and of points that share packets.
function add_paper(   kernel) {
    kernel = row["paper"] " | " row["workload"]
    if (!(kernel in paper_seen)) {
        paper_seen[kernel] = 1
        paper_kernels[++paper_count] = kernel
    }
    paper_rates[kernel, row["unit"]] = row["alone"] / 1e6
    if ("shared" in row)
        paper_rates[kernel, row["unit"] ", sharing"] = row["shared"] / 1e6
    if ("compiled" in row)
        paper_rates[kernel, row["unit"] ", compiled"] = row["compiled"] / 1e6
}

# Bytes spilled within limits of registers, by kernel, lane form and limit; kernels of one machine are called "variant | machine".
function add_spills(   cell, n, kernel) {
    kernel = row["variant"] (row["machine"] == "" ? "" : " | " row["machine"])
    if (!(kernel in spills_seen)) {
        spills_seen[kernel] = 1
        spills_kernels[++spills_count] = kernel
    }
    split(row["within"], cell, " ")
    for (n = 1; n in spills_limits; n++)
        spills[kernel, row["form"], spills_limits[n]] = cell[n]
}

# Millions a second, by what was measured and on which workload.
function add(label, variant, rate) {
    if (!(row["workload"] in seen)) {
        seen[row["workload"]] = 1
        workloads[++workload_count] = row["workload"]
    }
    rates[label, variant, row["workload"]] = rate
}

# A row of targets: within a third of the paper's value, of the wrong sign. A bound is the most that a size may be, or the least where the
# row says so; it has no sign.
function add_target(   cell, paper, simulated, off, size) {
    split($0, cell, / *\| */)
    if (cell[7] ~ /, matched$/) {
        matched[of_paper]++
        return
    }
    paper = cell[5] - (cell[8] == "x")
    simulated = cell[6] - (cell[8] == "x")
    off = simulated > paper ? simulated - paper : paper - simulated
    targets[of_paper]++
    if (cell[8] ~ /\(bound\)$/) {
        size = simulated < 0 ? -simulated : simulated
        within[of_paper] += cell[3] ~ /^least / ? size >= paper * 2 / 3 : size <= paper * 4 / 3
        return
    }
    within[of_paper] += off <= (paper < 0 ? -paper : paper) / 3 + 1e-9
    wrong_signs[of_paper] += paper * simulated < 0
}

# Goals of each paper's workloads.
FILENAME ~ /goals\.tsv$/ {
    if (split($0, cell, /\t/) == 6 && cell[1] != "name") {
        goal_count++
        goal_of[cell[1]] = goal_count
        goal_unit[goal_count] = cell[2]
        goal_column[goal_count] = cell[2] (cell[4] == "shared" ? ", sharing" : "")
        goal_pipeline[goal_count] = cell[3]
        goal_least[goal_count] = cell[5]
        goal_what[goal_count] = cell[6]
    }
    next
}

FILENAME ~ /\.json$/ {
    if (FNR == 1) {
        of_file = FILENAME
        gsub(/.*\/|\.json/, "", of_file)
    }
    if (match($0, /^ *"[a-z_]+": /)) {
        key = substr($0, 1, RLENGTH - 3)
        sub(/^ *"/, "", key)
        value = substr($0, RLENGTH + 1)
        gsub(/^"|"?,?$/, "", value)
        row[key] = value
        if (value == "[")
            section = key
        else if ($0 ~ /^  "/)
            about[key] = about[of_file, key] = value
    } else if ($0 ~ /^ *}/)
        keep_row()
    next
}

# Targets of each paper. A factor counts by its distance from 1, so that 1.12 against 1.13 is a gain of 12 against 13 %.
FILENAME ~ /reproduction\/[a-z0-9]+\.md$/ {
    if (FNR == 1) {
        of_paper = $2
        sub(/,$/, "", of_paper)
        target_papers[++target_paper_count] = of_paper
        in_targets = 0
    }
    in_targets = /^\|/ && (in_targets || /^\| section/)
    if (in_targets && !/^\| section|^\|---/)
        add_target()
}

# Of the page of PRO: its means over TL, LRR and GTO.
FILENAME ~ /anantpur2015\.md$/ {
    split($0, cell, / *\| */)
    if (cell[3] == "geomean speedup, PRO")
        pro = pro "| geometric-mean speedup over " cell[4] " | " cell[5] " | " cell[6] " | " cell[7] " |\n"
    else if (cell[3] ~ /^total stall cycles ratio/)
        pro = pro "| stall cycles of " substr(cell[3], 27) " over those of PRO | " cell[5] " | " cell[6] " | " cell[7] " |\n"
    next
}

# Of the page of dynamic warp formation: mean gains.
FILENAME ~ /fung2007\.md$/ {
    split($0, cell, / *\| */)
    if (sub(/^mean (speedup|gap), /, "", cell[3]))
        formation = formation "| " cell[3] " over " cell[4] " | " cell[5] " % | " cell[6] " % | " cell[7] " |\n"
    next
}

# Of the page of resources given warp by warp: mean improvements and energy saved, figure by figure.
FILENAME ~ /xiang2014\.md$/ {
    if (/^## /)
        about_figure = substr($2, 1, length($2) - 1)
    split($0, cell, / *\| */)
    if (cell[3] ~ /^(mean speedup|mean slowdown|energy saved), /)
        places = places "| " about_figure " | " cell[3] " | " cell[5] " % | " cell[6] " % | " cell[7] " |\n"
    next
}

# Of the page of variable warp sizing: what the paper says in numbers, figure by figure.
FILENAME ~ /rogers2015\.md$/ {
    if (/^## /)
        about_figure = substr($2, 1, length($2) - 1)
    split($0, cell, / *\| */)
    if (cell[2] ~ /^[67]\.[0-9]$/ && cell[8] ~ /^%/)
        slices = slices "| " about_figure " | " cell[3] (cell[4] == "" ? "" : " over " cell[4]) " | " cell[5] " % | " cell[6] " % | " \
            cell[7] " |\n"
    next
}

# Of the others: the first table of Figure 8, rows of mean gains, and the least and most gains of the sensitivity run.
FILENAME != target {
    if (/^## /)
        figure = $2
    if (figure == "fig8:" && /^\|/ && !/^\| section/ && !ipc_done)
        ipc = ipc $0 "\n"
    else if (ipc != "")
        ipc_done = 1
    if (figure == "sensitivity:" && /^\| [a-z0-9]/ && !/^\| mean gain/) {
        split($0, cell, / *\| */)
        for (n = 1; n <= 3; n++) {
            if (cell[2] == "as modelled")
                least_gain[n] = most_gain[n] = modelled[n] = cell[n + 2]
            else if (cell[n + 2] != "-" && cell[n + 2] + 0 < least_gain[n] + 0)
                least_gain[n] = cell[n + 2]
            else if (cell[n + 2] != "-" && cell[n + 2] + 0 > most_gain[n] + 0)
                most_gain[n] = cell[n + 2]
        }
    }
    if (/\| mean IPC gain, /) {
        split($0, cell, / *\| */)
        sub(/^mean IPC gain, /, "", cell[3])
        gain[cell[3], cell[4]] = "| " cell[5] " % | " cell[6] " % | " cell[7]
        if (cell[4] == "baseline 32x32 RR")
            paper_gain[cell[3]] = cell[5] " %"
    }
    next
}

# ---- Numbers ----

function short(rate) {
    return sprintf(rate < 9.95 ? "%.1f" : "%.0f", rate)
}

# 12345 as 12,345, in three significant digits.
function grouped(value,   text) {
    text = sprintf("%.0f", value)
    if (value >= 1000)
        text = sprintf("%.0f", int(value / 10 + 0.5) * 10)
    return length(text) > 3 ? substr(text, 1, length(text) - 3) "," substr(text, length(text) - 2) : text
}

# Sets mean, least, most and the workloads of the last two; false when nothing of this was measured.
function summary(label, variant,   n, rate, sum) {
    least = most = 0
    for (n = 1; n <= workload_count; n++) {
        if (!((label, variant, workloads[n]) in rates)) {
            if (label == "opencl" || label == sharing)
                return 0
            fail("the results have no " label " " variant " on " workloads[n])
        }
        rate = rates[label, variant, workloads[n]]
        sum += log(rate)
        if (!least || rate < least) {
            least = rate
            least_of = workloads[n]
        }
        if (rate > most) {
            most = rate
            most_of = workloads[n]
        }
    }
    mean = exp(sum / workload_count)
    return 1
}

# ---- Regions ----

BEGIN {
    one = "native, 1 thread"
    MISSES_NAMED = 15
    split("64 80 96 128", spills_limits, " ") # those of bench/spills
    sharing = "native, 1 thread, sharing"
    all = "native, all cores"
    variant_count = split("barrel pdom rr block|barrel tbc srr block|barrel lwm rr block", variants, "|")
    split("`pdom`|`tbc` `srr`|`lwm` 256", names, "|")
    split("LWM 4x256 RR|2Lev fetch group 8|LWM 4x256 + 2Lev fetch group 1", points, "|") # those of the sensitivity run
    accel_sim = 0.0208 # M warp instructions a second, docs/performance.md
}

# Geometric mean of a column of a table.
function table_mean(table, column) {
    return table_count[table] ? exp(table_logs[table, column] / table_count[table]) : 0
}

# How many targets of the papers are met.
function papers_accuracy(   n, paper, all, near, wrong, not_counted) {
    print "| paper | targets | within a third | wrong sign | matched, not counted |\n|---|---:|---:|---:|---:|"
    for (n = 1; n <= target_paper_count; n++) {
        paper = target_papers[n]
        printf "| `%s` | %d | %d | %d | %d |\n", paper, targets[paper], within[paper], wrong_signs[paper], matched[paper]
        all += targets[paper]
        near += within[paper]
        wrong += wrong_signs[paper]
        not_counted += matched[paper]
    }
    printf "| all | %d | %d (%.0f %%) | %d | %d |\n", all, near, 100 * near / all, wrong, not_counted
}

# Both pipelines: the barrel is the simpler one.
function headline() {
    summary(one, variants[1])
    print "**One CPU core simulates " short(mean) " million warp instructions/s in the barrel pipeline (`rr`), and " \
        short(table_mean("scoreboard", "`lrr`")) " (`lrr`) to " short(table_mean("scoreboard", "`two_level_active`"))
    print "million (`two_level_active`) in the scoreboard pipeline** (geometric means of " workload_count " and " \
        table_count["scoreboard"] " workloads; barrel: " short(least) " on " least_of " to " short(most) " on " most_of ")."
}

function mechanism(what, point, versus) {
    if (!((point, versus) in gain))
        fail("docs/accuracy/reproduction/narasiman2011.md has no gain of " point " over " versus)
    print "| " what " " gain[point, versus] " |"
}

function mechanisms() {
    print "| mean IPC gain of | paper | warpsweep | difference |\n|---|---:|---:|---:|"
    mechanism("large warps, 4 of 256 threads", points[1], "baseline 32x32 RR")
    mechanism("two-level scheduling, fetch groups of 8", points[2], "baseline 32x32 RR")
    mechanism("both", points[3], "baseline 32x32 RR")
    mechanism("both, over thread block compaction", points[3], "TBC block 256 SRR")
}

function choices(   n, what) {
    split("large warps|two-level scheduling|both", what, "|")
    print "| mean IPC gain at size small of | as modelled | least with one choice made otherwise | most | paper |"
    print "|---|---:|---:|---:|---:|"
    for (n = 1; n <= 3; n++)
        print "| " what[n] " | " modelled[n] " % | " least_gain[n] " % | " most_gain[n] " % | " paper_gain[points[n]] " |"
}

function progress() {
    if (pro == "")
        fail("docs/accuracy/reproduction/anantpur2015.md has no means of PRO")
    printf "| PRO | paper | warpsweep | difference |\n|---|---:|---:|---:|\n%s", pro
}

function regrouping() {
    if (formation == "")
        fail("docs/accuracy/reproduction/fung2007.md has no means")
    printf "| mean gain in IPC of | paper | warpsweep | difference |\n|---|---:|---:|---:|\n%s", formation
}

function warp_by_warp()
{
    if (places == "")
        fail("docs/accuracy/reproduction/xiang2014.md has no means")
    printf "| figure | mean | paper | warpsweep | difference |\n|---|---|---:|---:|---:|\n%s", places
}

function sized_warps()
{
    if (slices == "")
        fail("docs/accuracy/reproduction/rogers2015.md has no targets")
    printf "| figure | what | paper | warpsweep | difference |\n|---|---|---:|---:|---:|\n%s", slices
}

function speed_row(what, label, variant) {
    if (summary(label, variant))
        print "| " what " | " short(mean) " | " short(least) " (" least_of ") | " short(most) " (" most_of ") |"
}

function speed(   n) {
    print "| millions a second | mean | slowest | fastest |\n|---|---:|---:|---:|"
    speed_row("front end, kernel to trace: thread instructions, one core", "front end", "")
    for (n = 1; n <= variant_count; n++)
        speed_row("simulation, native: warp instructions, one core, " names[n], one, variants[n])
    speed_row("the same, 16 points that share packets, " names[1], sharing, variants[1])
    for (n = 1; n <= variant_count; n++)
        speed_row("the same through OpenCL on PoCL, all cores, " names[n], "opencl", variants[n])
}

function machine(   seconds) {
    print "Measured with `make bench` at size small on " about["cores"] " cores of a cloud machine (" about["processor"] ", " \
        about["compiler"] "), commit " about["commit"] ";"
    print "means are geometric, over " workload_count " workloads."
    seconds = about["reproduce_seconds"]
    if (seconds)
        print "All figures of the paper at its input sizes take " int(seconds / 60) " min " int(seconds % 60) " s, traces included."
    if ("needleman_per_second" in about)
        print "At paper size needleman, with nearly three memory requests an instruction, runs at " \
            short(about["needleman_per_second"] / 1e6) " M/s (`pdom`)."
}

# What one results file was measured with.
function measured(file) {
    if (!((file, "commit") in about))
        fail("there is no " file ".json")
    print "Measured on one core" ((file, "processor") in about ? " (" about[file, "processor"] ")" : "") ", commit " about[file, "commit"] "."
}

function throughput(   n, v, text) {
    text = "| M wi/s |"
    for (v = 1; v <= variant_count; v++)
        text = text " " names[v] " |"
    for (v = 1; v <= variant_count; v++)
        text = text " PoCL " names[v] " |"
    print text "\n|---|---:|---:|---:|---:|---:|---:|"
    for (n = 1; n <= workload_count; n++) {
        text = "| " workloads[n] " |"
        for (v = 1; v <= 2 * variant_count; v++)
            text = text " " cell_of(v > variant_count ? "opencl" : one, variants[(v - 1) % variant_count + 1], workloads[n]) " |"
        print text
    }
}

function rate_table(table, unit, list,   n, p, text, line, columns, count) {
    count = split(list, columns, "|")
    text = "| " unit " |"
    line = "|---|"
    for (p = 1; p <= count; p++) {
        text = text " " columns[p] " |"
        line = line "---:|"
    }
    print text "\n" line
    for (n = 1; n <= table_count[table]; n++) {
        text = "| " table_rows[table, n] " |"
        for (p = 1; p <= count; p++)
            text = text " " short(table_rates[table, table_rows[table, n], columns[p]]) " |"
        print text
    }
    text = "| geometric mean |"
    for (p = 1; p <= count; p++)
        text = text " " (table_count[table] ? short(table_mean(table, columns[p])) : "-") " |"
    print text
}

# Which workloads of a column of the table of papers stay below a limit, of machines whose pipeline is a barrel or is not.
function paper_misses(column, limit, pipeline,   n, rate, paper, text, all, missed, sum, slowest, slowest_of) {
    for (n = 1; n <= paper_count; n++) {
        split(paper_kernels[n], paper, " [|] ")
        if (!((paper_kernels[n], column) in paper_rates) || (paper[1] ~ /narasiman|fung/ ? "barrel" : "scoreboard") != pipeline)
            continue
        rate = paper_rates[paper_kernels[n], column]
        sum += log(rate)
        all++
        if (rate < limit) {
            missed++
            text = text (text == "" ? "" : ", ") paper[2] " " short(rate)
            if (!slowest || rate < slowest) {
                slowest = rate
                slowest_of = paper[2]
            }
        }
    }
    if (missed > MISSES_NAMED)
        text = "the slowest is " slowest_of " with " short(slowest)
    return short(exp(sum / all)) " in the mean; " (missed ? "**missed** by " missed " of " all ": " text : "met by all " all)
}

function papers(   n, c, count, columns, text) {
    if (!paper_count)
        fail("the results have no papers")
    count = split("pdom|pdom, sharing|pdom, compiled|tbc|tbc, compiled|lwm|lwm, compiled|dwf|dwf, compiled|vws|vws, compiled", columns, "|")
    print "| paper | M wi/s | `pdom` | sharing | compiled | `tbc` `srr` | compiled | `lwm` 256 | compiled | `dwf` | compiled | I-VWS | compiled |"
    print "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (n = 1; n <= paper_count; n++) {
        text = "| " paper_kernels[n] " |"
        for (c = 1; c <= count; c++)
            text = text " " ((paper_kernels[n], columns[c]) in paper_rates ? short(paper_rates[paper_kernels[n], columns[c]]) : "") " |"
        print text
    }
}

# How much faster one column of the table of papers is than another: a line for each paper, named with the label.
function gain_rows(label, before, after,   n, of, paper, ratio, count, listed, list, sum, least, most) {
    for (n = 1; n <= paper_count; n++) {
        split(paper_kernels[n], of, " [|] ")
        if (!((paper_kernels[n], before) in paper_rates) || !((paper_kernels[n], after) in paper_rates))
            continue
        ratio = paper_rates[paper_kernels[n], after] / paper_rates[paper_kernels[n], before]
        paper = of[1]
        if (!(paper in count))
            list[++listed] = paper
        count[paper]++
        sum[paper] += log(ratio)
        if (count[paper] == 1 || ratio < least[paper] + 0)
            least[paper] = sprintf("%.2f (%s)", ratio, of[2])
        if (ratio > most[paper] + 0)
            most[paper] = sprintf("%.2f (%s)", ratio, of[2])
    }
    for (n = 1; n <= listed; n++)
        printf "| %s%s | %.2f | %s | %s |\n", list[n], label, exp(sum[list[n]] / count[list[n]]), least[list[n]], most[list[n]]
}

function gain_head() {
    if (!paper_count)
        fail("the results have no papers")
    print "| times as fast | mean | least | most |\n|---|---:|---:|---:|"
}

# Each of the points that share packets, beside one alone.
function sharing_gain() {
    gain_head()
    gain_rows("", "pdom", "pdom, sharing")
}

# Specialized kernels and general ones.
function compiled_gain() {
    gain_head()
    gain_rows(", `pdom`, sharing", "pdom, sharing", "pdom, compiled")
    gain_rows(", `tbc` `srr`", "tbc", "tbc, compiled")
    gain_rows(", `lwm` 256", "lwm", "lwm, compiled")
    gain_rows(", `dwf`", "dwf", "dwf, compiled")
    gain_rows(", I-VWS", "vws", "vws, compiled")
}

function paper_goals(   n) {
    if (!paper_count)
        fail("the results have no papers")
    print "| goal at size small, one core | specialized kernels | general kernels |\n|---|---|---|"
    for (n = 1; n <= goal_count; n++)
        print "| " goal_least[n] " " goal_what[n] " | " paper_misses(goal_unit[n] ", compiled", goal_least[n], goal_pipeline[n]) " | " \
            paper_misses(goal_column[n], goal_least[n], goal_pipeline[n]) " |"
}

# What misses a goal: what a warp instruction brings with it, and its host instructions by folder of kernels/.
function profiles(   p, count, parts, n, text, sum, kernel) {
    count = split("pipeline path memory schedule dispatch state lanes shared", parts, " ")
    print "| misses the goal of | paper | workload | M wi/s | cycles | lines | to DRAM | host instructions | `pipeline` | `path` | `memory` | `schedule` | `dispatch` | `state` | `lanes` | `include/shared` |"
    print "|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (n = 1; n <= profile_count; n++) {
        sum = 0
        for (p = 1; p <= count; p++)
            sum += profile[n, parts[p]]
        if (!(profile[n, "goal"] in goal_of))
            fail("no goal is called " profile[n, "goal"])
        kernel = profile[n, "paper"] " | " profile[n, "workload"]
        text = sprintf("| %s | %s | %s | %.1f | %.2f | %.2f | %s |", profile[n, "goal"], kernel, \
            short(paper_rates[kernel, goal_column[goal_of[profile[n, "goal"]]]]), profile[n, "cycles"], profile[n, "lines"], profile[n, "dram"], grouped(sum))
        for (p = 1; p <= count; p++)
            text = text sprintf(" %.0f %% |", 100 * profile[n, parts[p]] / sum)
        print text
    }
}

# The head of a table of bytes spilled within limits. Sets columns to a lane form and a limit each; returns how many.
function spills_head(limits, columns,   forms, limit, f, n, count, text, line) {
    if (!spills_count)
        fail("the results have no spills")
    split("group ptx", forms, " ")
    split(limits, limit, " ")
    for (f = 1; f in forms; f++)
        for (n = 1; n in limit; n++) {
            columns[++count] = forms[f] SUBSEP limit[n]
            text = text " " (n == 1 ? "`" forms[f] "`, " : "") limit[n] " |"
            line = line "---:|"
        }
    print "| bytes spilled |" text "\n|---|" line
    return count
}

# Of kernels of all machines, with rr.
function spills_of_all(   n, c, count, columns, text) {
    count = spills_head("64 96 128", columns)
    for (n = 1; n <= spills_count; n++) {
        if (spills_kernels[n] !~ / rr [a-z]+$/)
            continue
        text = "| `" spills_kernels[n] "` |"
        for (c = 1; c <= count; c++)
            text = text " " grouped(spills[spills_kernels[n], columns[c]]) " |"
        print text
    }
}

# Of kernels of all machines, and of those compiled for one.
function spills_of_compiled(   n, c, count, columns, text, of) {
    count = spills_head("80 96 128", columns)
    for (n = 1; n <= spills_count; n++) {
        if (split(spills_kernels[n], of, " [|] ") == 1)
            continue
        text = "| `" of[1] "` on `" of[2] "` |"
        for (c = 1; c <= count; c++)
            text = text " " grouped(spills[of[1], columns[c]]) " → " grouped(spills[spills_kernels[n], columns[c]]) " |"
        print text
    }
}

function import_() {
    printf "| file | text, MB | MB/s on one core | memory, MiB |\n|---|---:|---:|---:|\n%s", imports
}

function cell_of(label, variant, workload) {
    return (label, variant, workload) in rates ? short(rates[label, variant, workload]) : "-"
}

# What stays below a limit.
function below(limit,   n, v, rate, text) {
    for (v = 1; v <= variant_count; v++) {
        summary(one, variants[v])
        for (n = 1; n <= workload_count; n++) {
            rate = rates[one, variants[v], workloads[n]]
            if (rate < limit)
                text = text (text == "" ? "" : ", ") workloads[n] " with " names[v] " (" short(rate) ")"
        }
    }
    return text
}

# How PoCL compares with the native engine, both on all cores.
function pocl(   n, v, ratio, sum, count, text) {
    for (v = 1; v <= variant_count; v++) {
        for (n = 1; n <= workload_count; n++) {
            if (!((all, variants[v], workloads[n]) in rates) || !(("opencl", variants[v], workloads[n]) in rates))
                return "not measured"
            ratio = rates["opencl", variants[v], workloads[n]] / rates[all, variants[v], workloads[n]]
            sum += log(ratio)
            count++
            if (ratio < 0.8)
                text = text (text == "" ? "" : ", ") sprintf("%s with %s (%.2f)", workloads[n], names[v], ratio)
        }
    }
    return sprintf("%.2f of native in the mean; ", exp(sum / count)) (text == "" ? "met" : "**missed** by " text)
}

function goals(   n, v, text, enough) {
    print "| goal | state |\n|---|---|"
    text = below(10)
    print "| 10 M wi/s on one core, all mechanisms, bfs included | " \
        (text == "" ? "met" : "**missed** by " text "; met by the rest") " |"
    text = ""
    for (v = 1; v <= variant_count; v++) {
        summary(one, variants[v])
        enough = 0
        for (n = 1; n <= workload_count; n++)
            enough += rates[one, variants[v], workloads[n]] >= 1000 * accel_sim
        text = text (v > 1 ? "; " : "") names[v] " " grouped(mean / accel_sim) " times, " \
            enough " of " workload_count " workloads reach it"
    }
    print "| 1,000 times Accel-Sim on one core | " text " |"
    print "| PoCL within 20 % of native, both on all cores | " pocl() " |"
    summary("front end", "")
    print "| front end 100 M thread instructions/s while writing | " (least >= 100 ? "met: " : "**missed**: ") \
        short(least) " M (" least_of ") to " short(most) " M (" most_of ") |"
    print "| 1 byte a thread instruction on disk, 2 on irregular kernels | " (most_bytes <= 1 ? "met: " : "**missed**: ") \
        sprintf("%.2f", most_bytes) " at most (" most_bytes_of ") |"
}

# The workloads of throughput.json on a GPU, beside a core of its host.
function gpu(   n, core, device, logs, enough) {
    core = "native, 1 thread, sharing"
    device = "opencl ptx"
    print "| workload | one core, M wi/s | GPU, M wi/s | times |\n|---|---:|---:|---:|"
    for (n = 1; n <= workload_count; n++) {
        if (!((workloads[n], core) in gpu_rates) || !((workloads[n], device) in gpu_rates))
            fail("gpu_workloads.json lacks " workloads[n])
        logs += log(gpu_rates[workloads[n], device])
        enough += gpu_rates[workloads[n], device] >= 2000
        printf "| %s | %s | %s | %.0f |\n", workloads[n], short(gpu_rates[workloads[n], core]), \
            grouped(gpu_rates[workloads[n], device]), gpu_rates[workloads[n], device] / gpu_rates[workloads[n], core]
    }
    printf "| geometric mean; 2 G reached | | %s | %d of %d |\n", grouped(exp(logs / workload_count)), enough, workload_count
}

in_region && /^$/ { in_region = 0 }
in_region { next }
{ print }
/^<!-- made by bench\/tables: / {
    in_region = 1
    if ($5 == "headline") headline()
    else if ($5 == "papers_accuracy") papers_accuracy()
    else if ($5 == "mechanisms") mechanisms()
    else if ($5 == "choices") choices()
    else if ($5 == "progress") progress()
    else if ($5 == "formation") regrouping()
    else if ($5 == "warps") warp_by_warp()
    else if ($5 == "slices") sized_warps()
    else if ($5 == "ipc") printf "%s", ipc
    else if ($5 == "speed") speed()
    else if ($5 == "machine") machine()
    else if ($5 == "measured_papers") measured("papers")
    else if ($5 == "measured_scoreboard") measured("scoreboard")
    else if ($5 == "throughput") throughput()
    else if ($5 == "measured_warp_sizes") measured("warp_sizes")
    else if ($5 == "warp_sizes") rate_table("widths", "M wi/s, threads a warp", "32|16|8|4")
    else if ($5 == "scoreboard") rate_table("scoreboard", "M wi/s", "`lrr`|`gto`|`two_level_active`|`pro`")
    else if ($5 == "gangs") rate_table("slices", "M wi/s", "WS4|I-VWS|E-VWS|E-VWS-ImpatientMem")
    else if ($5 == "gpu") gpu()
    else if ($5 == "import") import_()
    else if ($5 == "goals") goals()
    else if ($5 == "papers") papers()
    else if ($5 == "paper_goals") paper_goals()
    else if ($5 == "sharing") sharing_gain()
    else if ($5 == "compiled") compiled_gain()
    else if ($5 == "profiles") profiles()
    else if ($5 == "spills") spills_of_all()
    else if ($5 == "spills_compiled") spills_of_compiled()
    else fail(target ":" FNR ": '" $5 "' is no region; there are " \
        "headline, papers_accuracy, mechanisms, choices, progress, formation, warps, slices, ipc, speed, machine, measured_papers, measured_scoreboard, throughput, warp_sizes, " \
        "measured_warp_sizes, scoreboard, gangs, gpu, import, goals, papers, paper_goals, sharing, compiled, profiles, spills, spills_compiled")
}
