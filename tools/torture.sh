#!/usr/bin/env bash
# Injects faults into files, programs and memory, and counts the outcomes: docs/development/reliability.md.
#    tools/torture.sh [MINUTES]      default: 10
# Every class of tests/torture (damage, faults, kill, …) gets an equal share of the time. Environment:
# LOCKSTEP_BIN is the folder of the programs (default: build/bin), TORTURE_SEED the seed of everything random
# (default: 1), TORTURE_CLASSES the classes (default: all), TORTURE_JOBS the number of concurrent processes
# per class (default: 1), TORTURE_JSON a file of docs/data to which the counts are added. Failures are kept in
# torture/ next to that folder, each with the command that repeats it. Exit code 7: there are failures.
set -euo pipefail
minutes=${1:-10} jobs=${TORTURE_JOBS:-1}
[[ $minutes =~ ^[0-9]+(\.[0-9]+)?$ && $jobs =~ ^[1-9][0-9]*$ ]] || { echo "usage: tools/torture.sh [MINUTES]" >&2; exit 2; }
root=$(realpath -- "$(dirname "${BASH_SOURCE[0]}")/..")
bin=$(realpath -- "${LOCKSTEP_BIN:-$root/build/bin}")
[ -x "$bin/lockstep_torture_reader" ] || { echo "torture: $bin has no lockstep_torture_reader: build with tests" >&2; exit 2; }

classes=()
for class in "$root"/tests/torture/*; do
    name=$(basename "$class")
    if [ -f "$class" ] && [ -x "$class" ] && [[ " ${TORTURE_CLASSES:-$name} " == *" $name "* ]]; then classes+=("$class"); fi
done
[ ${#classes[@]} -gt 0 ] || { echo "torture: no such class: ${TORTURE_CLASSES:-}" >&2; exit 2; }
seconds=$(awk "BEGIN { print $minutes * 60 / ${#classes[@]} }")
lines=$(mktemp -d)
trap 'rm -rf "$lines"' EXIT

# part CLASS I: runs the trials of the I-th of the concurrent processes of a class.
part() {
    local code=0 name=${1##*/}
    "$1" --seconds "$seconds" --seed "${TORTURE_SEED:-1}" --bin "$bin" --part "$2/$jobs" > "$lines/$name-$2" || code=$?
    # Code 7 means only that some lines are failures, 2 that this build lacks a program; any other code is a
    # failure of its own.
    if [ $code -eq 2 ]; then
        echo "{\"class\": \"$name\", \"note\": \"not in this build\"}" >> "$lines/$name-$2"
    elif [ $code -ne 0 ] && [ $code -ne 7 ]; then
        echo "{\"class\": \"$name: ended with $code\", \"tried\": 1, \"refused\": 0, \"identical\": 0, \"failures\": 1}" >> "$lines/$name-$2"
    fi
}
hours=()
for class in "${classes[@]}"; do
    echo "== $(basename "$class"), $seconds s" >&2
    begin=$EPOCHREALTIME
    for ((i = 0; i < jobs; ++i)); do part "$class" $i & done
    wait
    hours+=("$(basename "$class")=$(awk "BEGIN { print ($EPOCHREALTIME - $begin) * $jobs / 3600 }")")
done

code=0
table=("$root/tests/torture/table.py" "$lines"/*)
if [ -n "${TORTURE_JSON:-}" ]; then
    revision=$(git -C "$root" rev-parse --short=12 HEAD)
    processor=$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)
    table+=(--json "$TORTURE_JSON" --device "$jobs cores of $processor" --revision "$revision" --date "$(LC_ALL=C date '+%-d %B %Y')" --hours "${hours[@]}")
fi
python3 "${table[@]}" || code=$?
if [ $code -eq 7 ]; then echo "Failures, each with what repeats it: $(dirname "$bin")/torture" >&2; fi
exit $code
