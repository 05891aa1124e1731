#!/usr/bin/env bash
# Tries what the world does to files, programs and memory, and counts what became of it: docs/reliability.md.
#     tools/torture.sh [MINUTES]      default: 10
# Every class of tests/torture (damage, faults, kill, …) has its share of the time. LOCKSTEP_BIN names the folder of the
# programs (default: build/bin), TORTURE_SEED what is random (default: 1), TORTURE_CLASSES the classes (default: all).
# Failures are kept, each with what repeats it, in torture/ beside that folder. Exit code 7: there are some.
set -euo pipefail
minutes=${1:-10}
[[ $minutes =~ ^[0-9]+(\.[0-9]+)?$ ]] || { echo "usage: tools/torture.sh [MINUTES]" >&2; exit 2; }
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
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
for class in "${classes[@]}"; do
    echo "== $(basename "$class"), $seconds s" >&2
    code=0
    "$class" --seconds "$seconds" --seed "${TORTURE_SEED:-1}" --bin "$bin" >> "$lines" || code=$?
    # 7 says no more than its lines, 2 that this build lacks a program; any other end is a failure of its own.
    if [ $code -eq 2 ]; then
        echo "{\"class\": \"$(basename "$class")\", \"note\": \"not in this build\"}" >> "$lines"
    elif [ $code -ne 0 ] && [ $code -ne 7 ]; then
        echo "{\"class\": \"$(basename "$class"): ended with $code\", \"tried\": 1, \"refused\": 0, \"identical\": 0, \"failures\": 1}" >> "$lines"
    fi
done

code=0
python3 - "$lines" <<'PYTHON' || code=$?
import json, sys
columns = ("tried", "refused", "identical", "other", "library", "failures")
rows = [json.loads(line) for line in open(sys.argv[1])]
rows.append({"class": "all", **{c: sum(row.get(c, 0) for row in rows) for c in columns}})
width = max(len(row["class"]) for row in rows)
print("class".ljust(width), *(c.rjust(9) for c in columns))
for row in rows:
    print(row["class"].ljust(width), *(f"{row.get(c, 0):9,}" for c in columns), " " + row["note"] if "note" in row else "")
sys.exit(7 if rows[-1]["failures"] else 0)
PYTHON
if [ $code -eq 7 ]; then echo "Failures, each with what repeats it: $(dirname "$bin")/torture" >&2; fi
exit $code
