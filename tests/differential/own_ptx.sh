#!/usr/bin/env bash
# own_ptx.sh SOURCES PROGRAM: compiles the kernels in lane form ptx to PTX, each path unit of both pipelines, and runs the program on
# that. Compute capability 7.0 is without redux, 8.0 with it.
set -euo pipefail
export sources=$1
program=$2
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT
compile() {
    local arch=$1
    shift
    "$sources/tools/kernel-resources" --form ptx --arch "$arch" --variant "$*" --quick --keep "$work"
}
export -f compile
compile 70,80 scoreboard pdom lrr block # exits with 77 where clang is not installed
xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' compile <<END
80 scoreboard vws gto block
80 scoreboard vws lpc block
80 scoreboard pdom two_level_active block
80 scoreboard pdom pro block
80 scoreboard pdom gto warp
70,80 barrel lwm rr block
70,80 barrel pdom rr block
80 barrel pdom two_level warp
80 barrel tbc srr block
80 barrel serial rr block
80 barrel dwf majority block
80 barrel mimd rr block
END
"$program" "$work"/*.ptx
