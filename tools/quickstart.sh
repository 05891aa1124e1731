#!/usr/bin/env bash
# From a fresh Debian 12 to the report: installs packages, builds, schedules a file, runs what it is for and shows where the time goes:
# of ratings every strategy of factorization; of a graph (square, or without weights) PageRank by every strategy, traversals and structures.
#     tools/quickstart.sh [FILE [READING OPTIONS…]]      default: generated ratings
# READING OPTIONS are lockstep-preprocess's, for example --header yes --rows-column who. EXECUTE_OPTIONS replaces the options given to every run of
# lockstep-execute (but those of the serial reference). LOCKSTEP_BIN names a folder with programs to take instead of building any. Everything it makes
# is in build/, or beside that folder in quickstart/; run again, it builds only what changed. Exit code 3: every strategy diverged.
set -euo pipefail
case ${1:-} in -*) echo "usage: tools/quickstart.sh [FILE [READING OPTIONS…]]" >&2; exit 2 ;; esac
input=${1:+$(realpath -es -- "$1")}
reading=("${@:2}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${LOCKSTEP_BIN:-$PWD/build/bin}
out=$(dirname "$bin")/quickstart
export PATH=$bin:$PATH
file=$out/schedules.h5 model=$out/model.h5

step() { printf '\n== %s\n' "$*" >&2; }
# Column N of an application's table of strategies, each word once; there are some, or the script is out of date.
column() { lockstep-execute --strategies --app "$1" | awk -v n="$2" 'NR > 1 && $n != "-" && !seen[$n]++ {print $n; found = 1} END {exit !found}'; }
read_input() { lockstep-preprocess "$input" "${reading[@]}" "$@" -o "$file" --schedule shuffle; }
add_schedules() { lockstep-preprocess "$file" -o "$file" --schedule "$@"; }
degree() { lockstep-inspect "$file" --json | sed -n "s/.*\"max_$1_degree\": \([0-9]*\),/\1/p"; }
is() { lockstep-inspect "$file" --json | grep -q "\"$1\": $2,"; }
first_id() { lockstep-inspect "$1" --row-ids | head -n 1 || true; }  # the pipe ends early
# RUN OF_ALL NAME OPTIONS…: one run; its result goes to $out/line, what it said to $out/log.
execute() {
    printf '(%d of %d) %s: ' "$1" "$2" "$3"
    local code=0
    lockstep-execute "$file" "${@:4}" --record "$out/runs.jsonl" >"$out/line" 2>"$out/log" || code=$?
    sed '1s/^[^:]*: //; 1q' "$out/line"
    [ $code -eq 0 ] || tail -n 1 "$out/log" >&2
    return $code
}

if [ -z "${LOCKSTEP_BIN:-}" ]; then
    step "packages"
    tools/install-packages.sh

    cores=$(nproc)
    step "build (the first time some 9 minutes of one core, so about $(((9 + cores - 1) / cores)) on the $cores here)"
    cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKSTEP_BUILD_TESTS=OFF --log-level=WARNING >/dev/null
    cmake --build build
fi
mkdir -p "$out"
rm -f "$out/runs.jsonl" "$model"

if [ -z "$input" ]; then
    input=$out/ratings.txt
    step "ratings: 20,000 users, 5,000 items, 1,000,000 ratings, the most rated item with 8,000"
    [ -s "$input" ] || lockstep-generate ratings --users 20000 --items 5000 --edges 1000000 --max-degree 8000 \
        --noise 0.5 --seed 1 --quiet -o "$input"
fi

factorize() {
    step "schedules"
    add_schedules "$(column sgd 3 | grep -vx local | paste -sd,)"
    local left_out=
    # local is refused where the graph has no locality.
    add_schedules local --quiet 2>"$out/log" || { left_out=local; sed 's/^/left out: /' "$out/log"; }

    read -ra options <<<"${EXECUTE_OPTIONS:---rank 16 --test-fraction 0.1}"
    mapfile -t strategies < <(column sgd 1 | grep -vx "${left_out:-none}")
    step "every strategy: ${options[*]}"
    local i code keep=(--model "$model")  # of the first strategy that does not diverge
    exit_code=3
    for i in "${!strategies[@]}"; do
        code=0
        execute $((i + 1)) ${#strategies[@]} "${strategies[i]}" --strategy "${strategies[i]}" "${options[@]}" "${keep[@]}" || code=$?
        if [ $code -eq 0 ]; then
            [ -z "${keep[*]}" ] || cp "$out/line" "$out/model.txt"
            keep=() exit_code=0
        else
            [ $code -eq 3 ] || exit $code  # 3: diverged, which the report shows
        fi
    done
}

traverse() {
    step "schedules"
    add_schedules "$(column pagerank 3 | paste -sd,)"
    local apps=(bfs cc kcore triangles mst) runs=() i app strategy
    ! is weighted true || apps+=(sssp)
    for strategy in $(column pagerank 1); do runs+=("$strategy --app pagerank --strategy $strategy ${EXECUTE_OPTIONS:-}"); done
    for app in "${apps[@]}"; do
        runs+=("$app --app $app --strategy best ${EXECUTE_OPTIONS:-}" "$app,serial --app $app --strategy best --device reference")
    done
    step "PageRank by every strategy; ${apps[*]}, each by the best one and by the serial reference"
    for i in "${!runs[@]}"; do
        # shellcheck disable=SC2086
        execute $((i + 1)) ${#runs[@]} ${runs[i]}
    done
    exit_code=0
}

step "reading $input"
read_input
work=factorize
if is shape '"square"'; then
    work=traverse
elif is weighted false && [[ " ${reading[*]} " != *" --shape"* ]]; then
    work=traverse
    step "no weights, so a graph: --shape square (what users took is read with --feedback implicit)"
    read_input --shape square
elif [ "$(degree row)" -le 64 ] && [ "$(degree col)" -le 64 ]; then
    echo "small degrees on both sides: a road network or mesh is read with --shape square"
fi
$work

step "report"
lockstep-report "$out/runs.jsonl" --html "$out/report.html"
printf '\nThe same with pictures:      %s\n' "$out/report.html"
[ "$exit_code" -eq 0 ] || exit "$exit_code"
if [ $work = traverse ]; then
    ! is directed true || printf 'Where edges go both ways:    tools/quickstart.sh %q %s--undirected\n' "$input" "${reading[*]:+${reading[*]} }"
    printf 'From one vertex:             %s %q --app bfs --strategy best --source %q --top 5\n' "$bin/lockstep-execute" "$file" "$(first_id "$file")"
else
    printf 'The model:                   %s\n' "$(sed 's/: .* \(RMSE .*\), factors .*/: \1/' "$out/model.txt")"
    printf 'For one user, not rated yet: %s %q --users %q --top 5 --exclude %q\n' "$bin/lockstep-predict" "$model" "$(first_id "$model")" "$file"
fi
