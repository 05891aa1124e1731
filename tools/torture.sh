#!/usr/bin/env bash
# Tries what the world does to files, programs and memory, and counts what became of it: docs/development/reliability.md.
#     tools/torture.sh [MINUTES]      default: 10
# Every class of tests/torture (damage, faults, kill, …) has its share of the time. LOCKSTEP_BIN names the folder of the
# programs (default: build/bin), TORTURE_SEED what is random (default: 1), TORTURE_CLASSES the classes (default: all),
# TORTURE_JOBS how many of each run side by side (default: 1), TORTURE_JSON a file of docs/data to which the counts are added.
# Failures are kept, each with what repeats it, in torture/ beside that folder. Exit code 7: there are some.
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

# part CLASS I: the tries of the Ith of those that run side by side.
part() {
    local code=0 name=${1##*/}
    "$1" --seconds "$seconds" --seed "${TORTURE_SEED:-1}" --bin "$bin" --part "$2/$jobs" > "$lines/$name-$2" || code=$?
    # 7 says no more than its lines, 2 that this build lacks a program; any other end is a failure of its own.
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
