# Draws timelines (`warpsweep run --timeline`), one panel each, as an SVG. The first file is the `trace dump` of the program. A column is a
# cycle. A box is an issue, filled to the share of active lanes; a thin line shows a warp in the pipeline or waiting.
BEGIN {
    CELL = 14; ROW = 22; LEFT = 92; WIDEST = 520; y = 24
    split(captions, caption, "|")
    wanted = split(counters, name, " ")
}
function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
function number(key) { return match($0, "\"" key "\": [0-9]+") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) + 0 : 0 }
function at(cycle) { return LEFT + cycle * CELL }
function put(s) { body = body s "\n" }
function box(class, x, y, width, height) { put(sprintf("<rect class='%s' x='%g' y='%g' width='%g' height='%g'/>", class, x, y, width, height)) }
function words(class, x, y, s) { put(sprintf("<text class='%s' x='%g' y='%g'>%s</text>", class, x, y, escaped(s))); if (class == "caption") widen(8 + 6.2 * length(s)) }
function widen(x) { if (x > WIDEST) WIDEST = x }
function row(label) { words("row", 8, y + 15, label); y += ROW; return y - ROW }

FNR == 1 { file++ }
file == 1 && column && NF {
    source = substr($0, column)
    listing[listed++] = sprintf("%2d  %s", $1, source)
    sub(/^@[^ ]* /, "", source); sub(/[. ;].*/, "", source)
    mnemonic[$1] = source
}
/^pc / { column = index($0, "source") }
file == 1 { next }

FNR == 1 { issues = lost = blocks = warps = tops = 0; full = 1; split("", ended) }
/"ph": "B", "pid": 3/ && number("tid") >= 3000 + warps { warps = number("tid") - 3000 + 1 }
/"ph": "E", "pid": 3/ { ended[number("tid") - 3000, number("ended")] = 1 }
/"cat": "issue", "name": "pc/ {
    issue[issues, "at"] = number("ts"); issue[issues, "for"] = number("dur"); issue[issues, "warp"] = number("tid") - 3000
    issue[issues, "pc"] = number("pc"); issue[issues, "lanes"] = number("lanes")
    if (number("lanes") > full) full = number("lanes")
    issues++
}
/"cat": "lost"/ { slot[lost, "at"] = number("ts"); slot[lost, "for"] = number("dur"); slot[lost, "class"] = $0; sub(/.*"name": "/, "", slot[lost, "class"]); sub(/".*/, "", slot[lost, "class"]); lost++ }
/"cat": "block"/ { block[blocks, "at"] = number("ts"); block[blocks, "for"] = number("dur"); block[blocks, "slot"] = number("tid") - 2000; block[blocks, "n"] = number("block"); blocks++ }
/"cat": "top"/ { top[tops, "at"] = number("ts"); top[tops, "group"] = number("group"); tops++ }
/^    "[a-z0-9_]+": [0-9]+,?$/ { split($0, part, "\""); value[part[2]] = number(part[2]) }
/^}$/ && !drawn[file]++ { panel() }

# Cycle in which the warp's row continues after a cycle: its next issue or its end.
function next_in(warp, cycle,   n, best, key, part) {
    best = value["cycles"]
    for (n = 0; n < issues; n++) if (issue[n, "warp"] == warp && issue[n, "at"] >= cycle && issue[n, "at"] < best) best = issue[n, "at"]
    for (key in ended) { split(key, part, SUBSEP); if (part[1] == warp && part[2] >= cycle && part[2] < best) best = part[2] }
    return best
}

function panel(   n, t, top_y, place, from, height, label, line, slots) {
    y += 20; words("caption", 8, y, caption[file - 1]); y += 22
    top_y = y; widen(at(value["cycles"] + 1))
    for (t = 0; t <= value["cycles"]; t += 5) words("axis", at(t), top_y - 5, t)
    place = row("issue port")
    for (n = 0; n < issues; n++) box("used", at(issue[n, "at"]), place + 3, issue[n, "for"] * CELL - 1, ROW - 6)
    for (n = 0; n < lost; n++) box(slot[n, "class"], at(slot[n, "at"]), place + 3, slot[n, "for"] * CELL - 1, ROW - 6)
    top[tops, "at"] = value["cycles"]
    if (tops) place = row("top group")
    for (n = -1; tops && n < tops; n++) {
        from = n < 0 ? 0 : top[n, "at"]
        box("block", at(from), place + 3, (top[n + 1, "at"] - from) * CELL - 1, ROW - 6)
        words("label", at(from) + 4, place + 15, n < 0 ? 0 : top[n, "group"])
    }
    for (n = slots = 0; n < blocks; n++) if (block[n, "slot"] >= slots) slots = block[n, "slot"] + 1
    for (t = 0; blocks > slots && t < slots; t++) {
        place = row("block slot " t)
        for (n = 0; n < blocks; n++) if (block[n, "slot"] == t) {
            box("block", at(block[n, "at"]), place + 3, block[n, "for"] * CELL - 1, ROW - 6)
            words("label", at(block[n, "at"]) + 4, place + 15, "block " block[n, "n"])
        }
    }
    for (t = 0; t < warps; t++) {
        place = row("warp slot " t)
        for (n = 0; n < issues; n++) if (issue[n, "warp"] == t) {
            from = issue[n, "at"] + issue[n, "for"]
            box("wait", at(from), place + ROW / 2 - 1, (next_in(t, from) - from) * CELL, 2)
            height = (ROW - 4) * issue[n, "lanes"] / full
            box("empty", at(issue[n, "at"]), place + 2, issue[n, "for"] * CELL - 1, ROW - 4)
            box("issue", at(issue[n, "at"]), place + ROW - 2 - height, issue[n, "for"] * CELL - 1, height)
            words("pc", at(issue[n, "at"] + issue[n, "for"] / 2) - 1, place + 15, issue[n, "pc"] (issue[n, "for"] > 1 ? ".." : ""))
        }
    }
    for (t = 0; t <= value["cycles"]; t += 5) put(sprintf("<line class='grid' x1='%g' x2='%g' y1='%g' y2='%g'/>", at(t) - 0.5, at(t) - 0.5, top_y, y))
    for (n = 1; n <= wanted; n++) line = line (n > 1 ? ", " : "") name[n] " " value[name[n]]
    y += 16; words("axis left", LEFT, y, "cycles: " value["cycles"] (wanted ? "; " line : ""))
}

function key(class, label) { box(class, 8 + keys * 132, y - 9, 12, 10); words("axis left", 24 + keys++ * 132, y, label) }
END {
    y += 22; key("issue", "issue (pc)"); key("wait", "in flight or waiting"); key("scoreboard", "stall_scoreboard"); key("pipeline", "stall_pipeline"); key("idle", "stall_idle")
    widen(8 + 5 * 132)
    y += 8
    for (n = 0; n < listed; n++) words("code", 8 + (n % 3) * WIDEST / 3, y + 14 * (1 + int(n / 3)), listing[n])
    y += 14 * int((listed + 2) / 3) + 12
    printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' font-family='sans-serif' font-size='11'>\n", WIDEST + 12, y, WIDEST + 12, y
    print "<style>.back{fill:#fff}text{fill:#222}.title{font-size:14px;font-weight:bold}.caption{font-size:12px}.axis{fill:#666;font-size:10px;text-anchor:middle}.left{text-anchor:start}" \
          ".pc{font-size:9px;text-anchor:middle;fill:#000}.code{font-family:monospace;font-size:10px;white-space:pre}.grid{stroke:#bbb;stroke-width:.5}" \
          ".empty{fill:#fff;stroke:#4477aa;stroke-width:.7}.issue,.used{fill:#77aadd}.wait{fill:#aaa}.scoreboard{fill:#eedd88}.pipeline{fill:#ee8866}.idle{fill:#ddd}.block{fill:#bbcc33}</style>"
    print "<rect class='back' width='100%' height='100%'/>"
    printf "<text class='title' x='8' y='20'>%s</text>\n%s</svg>\n", escaped(title), body
}
