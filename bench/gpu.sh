#!/usr/bin/env bash
# Everything that is asked of a GPU, in one command that ends in time and needs no network: see usage below and docs/performance.md.
# shellcheck disable=SC2317 # functions that stages run
set -uo pipefail

usage() {
    cat <<END
usage: bench/gpu.sh [OPTION]...
  --device NAME      OpenCL device: gpu (default), cpu or part of its name
  --build FOLDER     take the programs of this build; without it they are built, or taken from the bundle where that is not possible
  --bundle FOLDER    what tools/offline-bundle made, for machines without the packages (also: BUNDLE=FOLDER)
  --variant TEXT     only variants whose names contain it, where all would be measured or proven
  --lane-form LIST   lane forms between commas (default: all that suit the device)
  --minutes N        most time of everything (default 7)
  --cases N          random cases against the oracle, for each lane form (default 256)
  --workloads LIST   what is measured, the first also against the number of simulations at once (default viterbi,bfs: one that
                     computes, one that waits for memory)
  --size SIZE        of the workloads: tiny, small (default), paper
  --most-batch N     most simulations at once (default 16384)
  --registers LIST   limits of a work-item's registers, between commas (default 64,96,128,255)
  --seconds N        least time of a measurement (default 0.5)
  -o FILE            the results (default bench/results/gpu.json)
Proves every variant in every lane form, compares random cases with the oracle, measures the device beside the native engine, then
in the fastest lane form specialized kernels and the limits of registers. The results are written after each stage, and are there when a later one
fails or hangs. Exits with 1 when something failed.
END
}

wrong() {
    echo "gpu.sh: $*" >&2
    exit 2
}

project=$(cd "$(dirname "$0")/.." && pwd)
root=$project/build-gpu/root # of the bundle's packages
device=gpu build='' bundle=${BUNDLE:-} variant='' forms='' minutes=7 cases=256 workloads=viterbi,bfs size=small most_batch=16384 seconds=0.5
registers=64,96,128,255
results=$project/bench/results/gpu.json
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage && exit ;;
    --device | --build | --bundle | --variant | --lane-form | --minutes | --cases | --workloads | --size | --most-batch | --registers | --seconds | -o)
        [ $# -ge 2 ] || wrong "$1 needs a value"
        ;;&
    --device) device=$2 ;;
    --build) build=$2 ;;
    --bundle) bundle=$2 ;;
    --variant) variant=$2 ;;
    --lane-form) forms=${2//,/ } ;;
    --minutes) minutes=$2 ;;
    --cases) cases=$2 ;;
    --workloads) workloads=${2//,/ } ;;
    --size) size=$2 ;;
    --most-batch) most_batch=$2 ;;
    --registers) registers=$2 ;;
    --seconds) seconds=$2 ;;
    -o) results=$2 ;;
    *) wrong "'$1' is no option; --help lists them" ;;
    esac
    shift 2
done
workloads=${workloads//,/ }
[[ $minutes =~ ^[1-9][0-9]?$ ]] || wrong "--minutes is '$minutes'; it is a whole number from 1 to 99"
[[ $cases =~ ^[1-9][0-9]{0,6}$ ]] || wrong "--cases is '$cases'; it is a whole number from 1"
[[ $most_batch =~ ^[1-9][0-9]{0,6}$ ]] || wrong "--most-batch is '$most_batch'; it is a whole number from 1"
[[ $registers =~ ^[1-9][0-9]{0,2}(,[1-9][0-9]{0,2}){0,7}$ ]] || wrong "--registers is '$registers'; it is at most 8 numbers between commas"
[[ $seconds =~ ^[0-9]{1,3}(\.[0-9]+)?$ ]] || wrong "--seconds is '$seconds'; it is a number of seconds"
[[ $size =~ ^(tiny|small|paper)$ ]] || wrong "--size is '$size'; there are tiny, small, paper"
for form in $forms; do
    [[ $form =~ ^(loop|ptx|subgroup|group)$ ]] || wrong "--lane-form: '$form' is none; there are loop, ptx, subgroup, group"
done
[ -z "$build" ] || [ -x "$build/bench/bench_selftest" ] || wrong "--build: $build/bench/bench_selftest is not there"
[ -z "$bundle" ] || [ -r "$bundle/SHA256SUMS" ] || wrong "--bundle: $bundle/SHA256SUMS is not there; tools/offline-bundle makes it"
{ mkdir -p "$(dirname "$results")" && : >>"$results.part"; } || wrong "-o: $results cannot be written"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
total=$((minutes * 60))
deadline=$((SECONDS + total))
failures=0
touch "$work"/{stages,found,selftests,rows}

# ---- Results ----

# Whole characters of UTF-8.
utf8() {
    iconv -c -f UTF-8 -t UTF-8 2>/dev/null || LC_ALL=C tr -d '\200-\377'
}

# A text as a string of JSON.
quote() {
    printf '"%s"' "$(printf '%s' "$1" | LC_ALL=C tr -d '\000-\010\013-\037\177' | utf8 | LC_ALL=C sed 's/[\\"]/\\&/g; s/\t/ /g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }')"
}

# Adds a row of objects KEY VALUE...: text is quoted, a number is not.
add_row() {
    local file=$1 row='' key
    shift
    while [ $# -gt 1 ]; do
        key=$1
        [[ $2 =~ ^(0|[1-9][0-9]*)$ ]] && row+="${row:+, }\"$key\": $2" || row+="${row:+, }\"$key\": $(quote "$2")"
        shift 2
    done
    [ ! -s "$file" ] || printf ',\n' >>"$file"
    printf '{%s}' "$row" >>"$file"
}

array() {
    printf ',\n"%s": [\n' "$1"
    cat "$work/$1"
    printf '\n]'
}

device_name='' platform='' driver='' units=0 memory=0 commit=unknown
write_results() {
    {
        printf '{"schema": 1, "benchmark": "gpu",\n"device": %s, "platform": %s, "driver": %s, "compute_units": %s, "memory_mb": %s,\n' \
            "$(quote "$device_name")" "$(quote "$platform")" "$(quote "$driver")" "$units" "$memory"
        printf '"commit": %s, "host": %s, "cores": %s, "seconds": %s' "$(quote "$commit")" \
            "$(quote "$(sed -n 's/^model name[^:]*: //p;T;q' /proc/cpuinfo)")" "$(nproc)" "$SECONDS"
        array stages
        array found
        array selftests
        array rows
        printf '}\n'
    } >"$results.part" && mv "$results.part" "$results"
}

# ended STAGE LANE_FORM STATUS SECONDS NOTE
ended() {
    case $3 in
    ok | skipped) ;;
    *) failures=$((failures + 1)) ;;
    esac
    printf '%-12s %-9s %-9s %4d s  %s\n' "$1" "$2" "$3" "$4" "$(printf '%s' "$5" | tail -n 1)"
    add_row "$work/stages" stage "$1" lane_form "$2" status "$3" seconds "$4" note "$5"
    write_results
}

# stage NAME LANE_FORM LIMIT COMMAND...: runs the command for at most so many seconds of what is left. Its output is in $work/log.
stage() {
    local name=$1 form=$2 limit=$3 start=$SECONDS status=0 left=$((deadline - SECONDS - 5))
    shift 3
    [ "$limit" -le "$left" ] || limit=$left
    if [ "$limit" -lt 1 ]; then
        ended "$name" "$form" skipped 0 'out of time'
        return 1
    fi
    timeout -k 3 "$limit" "$@" >"$work/all" 2>&1 </dev/null || status=$?
    grep -v '^[0-9]* warnings\? generated\.$' "$work/all" >"$work/log" # PoCL's
    case $status in
    0) ended "$name" "$form" ok $((SECONDS - start)) "$(tail -n 1 "$work/log")" ;;
    124 | 137) ended "$name" "$form" 'timed out' $((SECONDS - start)) "after $limit s: $(tail -n 5 "$work/log")" ;;
    *) ended "$name" "$form" failed $((SECONDS - start)) "$(tail -n 20 "$work/log")" ;;
    esac
    return $status
}

# ---- What is there ----

folders() {
    tr : '\n' <<<"${LD_LIBRARY_PATH:-}"
    printf '%s\n' "/usr/lib/$(uname -m)-linux-gnu" /usr/lib64 /usr/lib /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/wsl/lib \
        /usr/local/cuda/compat
}

# Files of a library, by the name it starts with; one a line.
libraries() {
    {
        PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | sed -n "s|.* => \(.*/$1[^/]*\)\$|\1|p"
        folders | while read -r folder; do
            [ -z "$folder" ] || find "$folder/" -maxdepth 1 -name "$1*" 2>/dev/null
        done
    } | sed 's|//*|/|g' | sort -u
}

# Files that name OpenCL drivers: of a folder, or of one file.
icd_files() {
    local vendors=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
    if [ -d "$vendors" ]; then
        find -L "$vendors" -name '*.icd' -type f
    elif [ -f "$vendors" ]; then
        echo "$vendors"
    fi
}

look() {
    local file
    libraries libcuda.so | while read -r file; do add_row "$work/found" what libcuda is "$file"; done
    libraries libnvidia-opencl.so | while read -r file; do add_row "$work/found" what libnvidia-opencl is "$file"; done
    icd_files | while read -r file; do add_row "$work/found" what 'ICD file' is "$file: $(head -n 1 "$file")"; done
    if command -v nvidia-smi >/dev/null; then
        add_row "$work/found" what nvidia-smi is "$(timeout 20 nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1)"
    fi
    [ ! -e /dev/nvidiactl ] || add_row "$work/found" what 'device file' is /dev/nvidiactl
}

print_found() {
    echo "found:"
    [ -s "$work/found" ] || echo "  no libcuda, no libnvidia-opencl, no ICD file, no nvidia-smi"
    sed 's/^{"what": "\([^"]*\)", "is": "\(.*\)"},*$/  \1: \2/' "$work/found"
    [ ! -s "$work/found" ] || echo
}

# The OpenCL loader finds NVIDIA's driver by an ICD file. Where none names it, write one into a folder of this run, with copies of the others.
register_nvidia() {
    local driver_file file name vendors=$work/vendors
    driver_file=$(libraries libnvidia-opencl.so | grep 'so\.1$' || libraries libnvidia-opencl.so)
    driver_file=$(head -n 1 <<<"$driver_file")
    [ -n "$driver_file" ] || return 0
    export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${driver_file%/*}
    while read -r file; do
        name=$(head -n 1 "$file")
        [[ $name != *nvidia-opencl* ]] || return 0
    done < <(icd_files)
    mkdir "$vendors"
    while read -r file; do
        cp "$file" "$vendors/"
    done < <(icd_files)
    echo "$driver_file" >"$vendors/warpsweep-nvidia.icd"
    export OCL_ICD_VENDORS=$vendors OPENCL_VENDOR_PATH=$vendors
    ended driver '' ok 0 "no ICD file named NVIDIA's driver: $driver_file is registered for this run"
}

# ---- The programs ----

# Into a folder that stays, since what is built remembers where libraries are.
unpack() {
    local package
    if cmp -s "$bundle/SHA256SUMS" "$root/SHA256SUMS"; then
        echo 'unpacked before' && return 0
    fi
    command -v dpkg >/dev/null || { echo 'dpkg is needed to unpack the bundle' && return 1; }
    (cd "$bundle" && sha256sum --quiet -c SHA256SUMS) || return 1
    rm -rf "$root" && mkdir -p "$root" || return 1
    for package in "$bundle"/packages/*.deb; do
        dpkg -x "$package" "$root" || return 1
    done
    echo "$(find "$root" -name '*.so*' | wc -l) libraries" && cp "$bundle/SHA256SUMS" "$root"
}

use_root() {
    local machine libraries
    machine=$(uname -m)-linux-gnu
    libraries=$root/usr/lib/$machine
    export LD_LIBRARY_PATH=$libraries:$root/lib/$machine${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LIBRARY_PATH=$libraries${LIBRARY_PATH:+:$LIBRARY_PATH} CPATH=$root/usr/include${CPATH:+:$CPATH}
    export CMAKE_PREFIX_PATH=$root/usr PKG_CONFIG_PATH=$libraries/pkgconfig:$root/usr/share/pkgconfig
    export PATH=$PATH:$root/usr/bin
}

make_programs() {
    cmake -S "$project" -B "$project/build-gpu" -DCMAKE_BUILD_TYPE=Release &&
        cmake --build "$project/build-gpu" -j "$(nproc)" --target bench_selftest bench_throughput test_differential_opencl
}

find_programs() {
    local carried=$bundle/build
    if [ -n "$build" ]; then
        build=$(cd "$build" && pwd)
        return 0
    elif [ -n "$bundle" ] && [ "$(cat "$carried/COMMIT" 2>/dev/null)" = "$commit" ] && [ "$commit" != unknown ]; then
        build=$carried
        ended build '' skipped 0 "the bundle's programs are of this commit"
    elif stage build '' $((total / 3)) bash -c make_programs; then
        build=$project/build-gpu
    elif [ -n "$bundle" ] && [ -x "$carried/bench/bench_selftest" ]; then
        build=$carried
        commit="$(cat "$carried/COMMIT") (programs of the bundle)"
    else
        return 1
    fi
}

# ---- Stages ----

describe_device() {
    stage device '' 60 "$build/bench/bench_selftest" --device "$device" --describe || return 1
    IFS=$'\t' read -r device_name platform driver units memory _ suiting < <(tail -n 1 "$work/log")
    forms=${forms:-$suiting}
    [ -n "$forms" ] || { ended device '' failed 0 'no lane form suits it' && return 1; }
}

# Forms that pass in some variants stay in use: the engine uses only programs that have passed.
prove_forms() {
    local form
    for form in $forms; do
        stage self-test "$form" $((total / 2 / $(wc -w <<<"$forms"))) "$build/bench/bench_selftest" --device "$device" --lane-form "$form" --rows "$work/selftests" --variant "$variant"
        ! grep -q "\"$form\".*\"passed\": true" "$work/selftests" || proven+="${proven:+ }$form"
    done
}

compare_forms() {
    local form
    for form in $forms; do
        if [[ " $proven " = *" $form "* ]]; then
            stage oracle "$form" $((total / 4 / $(wc -w <<<"$forms"))) env WS_DEVICE="$device" WS_LANE_FORM="$form" WS_CASES="$cases" \
                "$build/tests/differential/test_differential_opencl"
        else
            ended oracle "$form" skipped 0 'no self-test passed'
        fi
    done
}

# throughput STAGE LANE_FORM PERCENT OPTION...: measures for so many percent of the time left.
throughput() {
    local name=$1 form=$2 left=$(((deadline - SECONDS - 15) * $3 / 100))
    shift 3
    if [ -z "$proven" ]; then
        ended "$name" '' skipped 0 'no lane form passed its self-test'
    elif [ "$left" -lt 10 ]; then
        ended "$name" "$form" skipped 0 'out of time'
    else
        # shellcheck disable=SC2086 # workloads are words
        stage "$name" "$form" $((left + 8)) "$build/bench/bench_throughput" --device "$device" --variant "$variant" "$@" --size "$size" --commit "$commit" \
            --seconds "$seconds" --budget "$left" --rows "$work/rows" $workloads
    fi
}

measure() {
    local options=() form
    for form in $proven; do
        options+=(--lane-form "$form")
    done
    throughput benchmark '' 60 "${options[@]}" --longest 15 --most-batch "$most_batch"
}

measure_compiled() {
    local form
    form=$(fastest_form)
    throughput compiled "$form" 40 --engine opencl --lane-form "$form" --compiled --longest $((${seconds%.*} + 3)) --most-batch 0
}

measure_registers() {
    local form
    form=$(fastest_form)
    throughput registers "$form" 100 --engine opencl --lane-form "$form" --registers "$registers" --longest $((${seconds%.*} + 3)) --most-batch 0
}

# For awk: the value of a key in a row.
# shellcheck disable=SC2016
value='function value(key) {
    if (!match($0, "\"" key "\": (\"[^\"]*|[-0-9.e+]+)"))
        return ""
    key = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
    sub(/^"/, "", key)
    return key
}'

# The lane form that is the fastest in most variants and workloads; where nothing was measured, the first.
fastest_form() {
    awk -v winner="${proven%% *}" "$value"'
        value("engine") == "opencl" && value("seconds") != "" {
            what = value("variant") "\t" value("workload")
            rate = value("warp_instructions_per_second") + 0
            if (rate > most[what]) {
                most[what] = rate
                fastest[what] = value("lane_form")
            }
        }
        END {
            for (what in fastest)
                if (++wins[fastest[what]] > wins[winner])
                    winner = fastest[what]
            print winner
        }' "$work/rows"
}

table() {
    awk "$value"'
        BEGIN { printf "%-25s %4s %-30s %-14s %6s %11s %14s\n", "engine", "regs", "variant", "workload", "batch", "M wi/s", "simulations/s" }
        {
            limit = value("registers")
            simulations = value("simulations_per_second")
            printf "%-25s %4s %-30s ", value("label"), limit == "" ? "-" : limit, value("variant")
            printf "%-14s %6s ", value("workload"), value("batch")
            if (value("seconds") != "")
                printf "%11.2f %14s\n", value("warp_instructions_per_second") / 1e6, simulations == "" ? "cut" : sprintf("%.1f", simulations)
            else
                print value("skipped") == "" ? "failed: " value("failed") : "skipped, " value("skipped")
        }' "$work/rows"
}

finish() {
    write_results
    if [ -s "$work/rows" ]; then
        echo
        table
    fi
    echo
    echo "${device_name:-no device}${driver:+, driver $driver}, commit $commit: $failures stages failed; $results"
    [ "$failures" -eq 0 ] || exit 1
    exit 0
}

proven=''
commit=$(cd "$project" && git describe --always --dirty 2>/dev/null) || commit=unknown
export XDG_CACHE_HOME=$work/cache
look
print_found
if [ -n "$bundle" ]; then
    bundle=$(cd "$bundle" && pwd)
    [ "$commit" != unknown ] || commit=$(cat "$bundle/COMMIT" 2>/dev/null) || commit=unknown
    export -f unpack
    export bundle root
    stage unpack '' $((total / 6)) bash -c unpack && use_root
fi
export -f make_programs
export project
register_nvidia
if ! find_programs || ! describe_device; then
    grep -q '"libcuda"' "$work/found" && ! grep -q '"libnvidia-opencl"' "$work/found" &&
        echo "a CUDA driver is there, but not NVIDIA's OpenCL driver (libnvidia-opencl.so.1): it belongs to the same driver package"
    finish
fi
prove_forms
compare_forms
measure
measure_compiled
measure_registers
finish
