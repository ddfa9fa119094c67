#!/usr/bin/env bash
# own_ptx.sh SOURCES PROGRAM: compiles the kernels in lane form ptx to PTX, each path unit in the barrel, without redux (compute
# capability 7.0) and with it, and runs the program on that.
set -euo pipefail
sources=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
variants=('barrel pdom rr block' 'barrel pdom two_level warp' 'barrel lwm rr block' 'barrel tbc srr block' 'barrel serial rr block'
    'barrel dwf majority block' 'barrel mimd rr block')
for variant in "${variants[@]}"; do
    "$sources/tools/kernel-resources" --form ptx --arch 70,80 --variant "$variant" --keep "$work"
done
"$program" "$work"/*.ptx
