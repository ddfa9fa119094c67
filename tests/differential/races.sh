#!/bin/sh
# races.sh PROGRAM: runs an OpenCL program on oclgrind and fails on every data race and invalid access it sees. Without optimisation: with
# it, oclgrind 21.10 computes wrong results.
set -eu
if ! command -v oclgrind >/dev/null; then
    echo "SKIPPED: oclgrind is not installed, nobody looked for data races" >&2
    [ "${CI:-}" = true ] && exit 1
    exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
oclgrind --build-options -cl-opt-disable --data-races --log "$log" "$1" || status=$?
if [ -s "$log" ]; then
    cat "$log" >&2
    status=1
fi
exit $status
