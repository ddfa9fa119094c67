# Links of pages, a line each: page, line, target. With anchors=1 the anchors of pages instead, as GitHub makes them of headings.
FNR == 1 { split("", seen); block = 0 }
/^[ >]*```/ { block = !block; next }
block { next }
anchors {
    text = $0
    while (match(text, /<a (id|name)="[^"]*"/)) {
        anchor = substr(text, RSTART, RLENGTH)
        gsub(/^<a (id|name)="|"$/, "", anchor)
        print anchor
        text = substr(text, RSTART + RLENGTH)
    }
    if (!sub(/^#+ /, ""))
        next
    while (match($0, /\]\([^)]*\)/))
        $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
    text = tolower($0)
    gsub(/[^a-z0-9_ -]/, "", text)
    gsub(/ /, "-", text)
    print text (seen[text] ? "-" seen[text] : "")
    seen[text]++
    next
}
{
    gsub(/`[^`]*`/, "`")
    while (match($0, /\]\([^) ]+/)) {
        printf "%s\t%d\t%s\n", FILENAME, FNR, substr($0, RSTART + 2, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
    }
}
