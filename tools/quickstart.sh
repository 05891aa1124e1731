#!/usr/bin/env bash
# From a fresh Debian 12 to the report: installs packages, builds, schedules a ratings file or graph,
# runs every strategy and shows where the time goes.
#     tools/quickstart.sh [FILE [READING OPTIONS…]]      default: generated ratings
# READING OPTIONS are lockstep-preprocess's, for example --header yes --rows-column who. EXECUTE_OPTIONS replaces the options given to every run of lockstep-execute. LOCKSTEP_BIN names a folder with
# programs to take instead of building any. Everything it makes is in build/, or beside that folder in quickstart/;
# run again, it builds only what changed. Exit code 3: every strategy diverged.
set -euo pipefail
case ${1:-} in -*) echo "usage: tools/quickstart.sh [FILE [READING OPTIONS…]]" >&2; exit 2 ;; esac
input=${1:+$(realpath -es -- "$1")}
reading=("${@:2}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${LOCKSTEP_BIN:-$PWD/build/bin}
out=$(dirname "$bin")/quickstart
export PATH=$bin:$PATH

step() { printf '\n== %s\n' "$*" >&2; }
# Column N of the table of SGD's strategies, each word once; there are some, or the script is out of date.
column() { lockstep-execute --strategies --app sgd | awk -v n="$1" 'NR > 1 && $n != "-" && !seen[$n]++ {print $n; found = 1} END {exit !found}'; }

if [ -z "${LOCKSTEP_BIN:-}" ]; then
    step "packages"
    tools/install-packages.sh

    step "build (a few minutes the first time)"
    cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKSTEP_BUILD_TESTS=OFF --log-level=WARNING >/dev/null
    quiet=--quiet
    [ -t 1 ] && quiet=
    cmake --build build -- $quiet
fi
mkdir -p "$out"

if [ -z "$input" ]; then
    input=$out/ratings.txt
    step "ratings: 20,000 users, 5,000 items, 1,000,000 ratings, the most rated item with 8,000"
    [ -s "$input" ] || lockstep-generate ratings --users 20000 --items 5000 --edges 1000000 --max-degree 8000 \
        --noise 0.5 --seed 1 --quiet -o "$input"
fi

step "schedules of $input"
# local is refused where the graph has no locality.
schedules=$(column 3 | grep -vx local | paste -sd,)
lockstep-preprocess "$input" "${reading[@]}" -o "$out/schedules.h5" --schedule "$schedules"
left_out=local
if lockstep-preprocess "$out/schedules.h5" -o "$out/local.h5" --schedule local --quiet 2>"$out/log"; then
    mv "$out/local.h5" "$out/schedules.h5"
    left_out=
else
    sed 's/^/left out: /' "$out/log"
fi

read -ra options <<<"${EXECUTE_OPTIONS:---rank 16 --test-fraction 0.1}"
step "every strategy: ${options[*]}"
rm -f "$out/runs.jsonl"
rm -f "$out/model.h5"
model=(--model "$out/model.h5")  # of the first strategy that does not diverge
exit_code=3
strategies=$(column 1 | grep -vx "${left_out:-none}")
for strategy in $strategies; do
    code=0
    lockstep-execute "$out/schedules.h5" --strategy "$strategy" "${options[@]}" "${model[@]}" \
        --record "$out/runs.jsonl" >"$out/line" 2>"$out/log" || code=$?
    cat "$out/line"
    if [ $code -eq 0 ]; then
        [ -z "${model[*]}" ] || cp "$out/line" "$out/model.txt"
        model=() exit_code=0
    else
        tail -n 1 "$out/log" >&2
        [ $code -eq 3 ] || exit $code  # 3: diverged, which the report shows
    fi
done

step "report"
lockstep-report "$out/runs.jsonl" --html "$out/report.html"
printf '\nThe same with pictures:      %s\n' "$out/report.html"
[ $exit_code -eq 0 ] || exit $exit_code
printf 'The model:                   %s\n' "$(sed 's/: .* \(RMSE .*\), factors .*/: \1/' "$out/model.txt")"
# The first user of the model; fields are apart by a tab where an id holds a blank.
line=$(lockstep-predict "$out/model.h5" --top 1 2>/dev/null | head -n 1 || true)
case $line in *$'\t'*) user=${line%%$'\t'*} ;; *) user=${line%% *} ;; esac
printf 'For one user, not rated yet: %s %q --users %q --top 5 --exclude %q\n' "$bin/lockstep-predict" "$out/model.h5" "$user" "$out/schedules.h5"
