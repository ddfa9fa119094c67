# Breaches of the law of rooms, a line each. Usage: awk -f circle.awk -f rooms.awk FILE.c|.h|.def...
# A folder has at most 25 files. A header of less than 25 lines has two users, unless a table or a header that chooses lists it. No file of a
# folder leads back to itself by what files of that folder include, where NAME.c and NAME.h are one.
function folder(path) { sub(/[^\/]*$/, "", path); return path }
function stem(path) { sub(/\.[a-z]*$/, "", path); return path }
function found(from, what,    n) {
    for (n = 0; n <= 6; n++)
        if ((root[n] = n ? roots[n] : folder(from)) what in lines)
            return root[n] what
    return ""
}
BEGIN {
    split("include/ host/ kernels/ tests/ traces/", roots, " ")
    roots[6] = ""
    for (n = 1; n < ARGC; n++) {
        lines[ARGV[n]] = 0
        files[folder(ARGV[n])]++
    }
}
{ lines[FILENAME] = FNR }
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    path = found(FILENAME, quoted[2])
    if (path == "" || (FILENAME, path) in seen)
        next
    seen[FILENAME, path]
    users[path]++
    user[path] = FILENAME
    if (path !~ /\.def$/ && folder(path) == folder(FILENAME) && stem(path) != stem(FILENAME))
        edge[stem(FILENAME), stem(path)]
}
END {
    for (f in files)
        if (files[f] > 25)
            print f " has " files[f] " files"
    for (path in lines)
        if (path ~ /\.h$/ && lines[path] < 25 && users[path] < 2 && user[path] !~ /\.def$|kernels\/(variant|schedule\/pool\/scheduler|pipeline\/barrel\/barrel)\.h$/)
            print path " has " lines[path] " lines and one user: " user[path]
    keep_circles(edge)
    for (e in edge) {
        split(e, ends, SUBSEP)
        print ends[1] " is in a circle: it includes " ends[2]
    }
}
