# Reads a list of paths, then pages: a line for each link that leads nowhere, and with unlinked=1 for each page of docs/ without a link to it.
# Anchors are those that GitHub makes of headings.

# A path relative to a page, without "." and "..".
function resolve(page, target,   part, count, n, path, depth, kept) {
    if (target == "")
        return page
    path = page
    if (!sub(/\/[^\/]*$/, "/", path))
        path = ""
    count = split(path target, part, "/")
    for (n = 1; n <= count; n++) {
        if (part[n] == ".." && depth > 0)
            depth--
        else if (part[n] != "." && part[n] != "")
            kept[++depth] = part[n]
    }
    path = target ~ /^\// ? "/" : ""
    for (n = 1; n <= depth; n++)
        path = path (n > 1 ? "/" : "") kept[n]
    return path
}

function add_anchor(heading,   anchor) {
    while (match(heading, /\]\([^)]*\)/))
        heading = substr(heading, 1, RSTART - 1) substr(heading, RSTART + RLENGTH)
    anchor = tolower(heading)
    gsub(/[^a-z0-9_ -]/, "", anchor)
    gsub(/ /, "-", anchor)
    anchors[FILENAME, anchor (seen[anchor] ? "-" seen[anchor] : "")] = 1
    seen[anchor]++
}

FILENAME == "-" {
    exists[$0] = 1
    for (folder = $0; sub(/\/[^\/]*$/, "", folder);)
        exists[folder] = 1
    next
}
FNR == 1 { split("", seen); block = 0; pages[++page_count] = FILENAME; exists[FILENAME] = 1 }
/^[ >]*```/ { block = !block; next }
block { next }
/^#+ / { sub(/^#+ /, ""); add_anchor($0) }
{
    gsub(/`[^`]*`/, "`")
    while (match($0, /\]\([^) ]+/)) {
        link[++links] = substr($0, RSTART + 2, RLENGTH - 2)
        of[links] = FILENAME
        line[links] = FNR
        $0 = substr($0, RSTART + RLENGTH)
    }
}
END {
    for (n = 1; n <= links; n++) {
        if (link[n] ~ /^(https?|mailto):/)
            continue
        hash = index(link[n], "#")
        file = resolve(of[n], hash ? substr(link[n], 1, hash - 1) : link[n])
        linked[file] = 1
        if (!(file in exists))
            print of[n] ":" line[n] ": " link[n] ": no such file"
        else if (hash && !((file, substr(link[n], hash + 1)) in anchors))
            print of[n] ":" line[n] ": " link[n] ": no such heading"
    }
    for (n = 1; unlinked && n <= page_count; n++)
        if (pages[n] ~ /^docs\// && pages[n] !~ /^docs\/(README.md|paper\/)/ && !(pages[n] in linked))
            print pages[n] ": no page links it"
}
