
# ---- What follows is the same for every sweep ----

parts_folder=$results.parts
task=${SLURM_ARRAY_TASK_ID:-none}
cd "$folder" || exit 2

# Whether the jobs that were submitted last are still to end.
is_queued() {
    [ -s "$parts_folder/jobs" ] && [ "$(squeue --noheader --jobs "$(cat "$parts_folder/jobs")" 2>/dev/null)" ]
}

# submit PARTS: submits these (0-3,7), if any, as an array, and what merges the files of all parts once the tasks have ended, however
# they have ended.
submit() {
    command -v sbatch >/dev/null || { echo 'warpsweep: sbatch is not found: is Slurm installed?' >&2; exit 2; }
    if is_queued; then
        echo "jobs $(cat "$parts_folder/jobs") are still in the queue; nothing is submitted"
        exit
    fi
    if [ "$1" ]; then
        array=$(log=$parts_folder/%a-of-$parts.log && queue --array "$1" "$script" part) || exit 2
        array=${array%%;*} # a cluster's name may follow
        echo "$array" >"$parts_folder/jobs"
        echo "parts $1 of $parts: job $array"
    fi
    merge=$(log=$parts_folder/merge.log && queue ${array:+--dependency "afterany:$array"} "$script" merge) || exit 2
    merge=${merge%%;*}
    echo "${array:+$array,}$merge" >"$parts_folder/jobs"
    echo "merge into $results: job $merge"
}

# Fails while jobs are left: of a lost part, or such as have failed in a way that may not recur.
merge() {
    "$program" merge --output "$results" "$parts_folder"/*-of-*.db || exit
    left=$(sweep --output "$results" --dry-run) || exit
    echo "$left"
    case $left in *variants:*) echo 'not all is done; the command that submitted the sweep submits what is left'; exit 1 ;; esac
}

case ${1-} in
submit) submit "$2" ;;
part) sweep --output "$parts_folder/$task-of-$parts.db" --part "$task/$parts" ;;
merge) merge ;;
*) echo "usage: $0 submit PARTS | part | merge" >&2; exit 2 ;;
esac
