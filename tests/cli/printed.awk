# A page of docs/ as a transcript. A block "```LANGUAGE FILE" is written to FILE. A block that begins with "$ " is commands and their
# output; a command goes on after "\" at the end of a line. Blocks "```nvcc" are left out where the variable nvcc is empty: the
# numbers are those of one release.
/^```/ && !inside { inside = 1; fresh = 1; file = NF > 1 ? $2 : ""; left_out = /^```nvcc/ && nvcc == ""; shows = 0
    if (file != "") print "$ cat > " file " <<'END_OF_" file "'"
    next
}
/^```$/ && inside {
    if (file != "") print "> END_OF_" file
    inside = 0
    next
}
inside && file != "" { print "> " $0; next }
inside && fresh { shows = /^\$ / && !left_out; fresh = 0 }
inside && shows {
    if (more) print "> " $0
    else if (/^\$ /) print
    else print ($0 == "" ? "|" : "| " $0)
    more = (more || /^\$ /) && /\\$/
}
