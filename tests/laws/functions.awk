# Names of functions of more than 60 lines: a body is what lies between braces in the first column.
FNR == 1 { depth = 0 }
/^\{/ { start = FNR; name = previous }
/^\}/ {
    if (start && FNR - start + 1 > 60)
        printf "%s:%d: %d lines: %s\n", FILENAME, start, FNR - start + 1, name
    start = 0
}
{ if ($0 !~ /^[[:space:]]/) previous = $0 }
