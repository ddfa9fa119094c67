# The code of C files as FILE:LINE:CODE, without comments; with -v strings=0 without the text of string and character literals too.
# A literal ends on its line.
function literal(rest,    quote) {
    quote = substr(rest, 1, 1)
    return match(rest, "^" quote "([^" quote "\\\\]|\\\\.)*" quote) ? RLENGTH : length(rest)
}
FNR == 1 { inside = 0 }
{
    rest = $0
    code = ""
    while (rest != "") {
        if (inside) {
            end = index(rest, "*/")
            inside = !end
            rest = end ? substr(rest, end + 2) : ""
            code = code " "
        } else if (!match(rest, /\/\*|\/\/|["']/)) {
            code = code rest
            rest = ""
        } else {
            code = code substr(rest, 1, RSTART - 1)
            rest = substr(rest, RSTART)
            if (rest ~ /^\/\*/) {
                inside = 1
                rest = substr(rest, 3)
            } else if (rest ~ /^\/\//) {
                rest = ""
            } else {
                size = literal(rest)
                code = code (strings ? substr(rest, 1, size) : "\"\"")
                rest = substr(rest, size + 1)
            }
        }
    }
    if (code ~ /[^[:space:]]/)
        print FILENAME ":" FNR ":" code
}
