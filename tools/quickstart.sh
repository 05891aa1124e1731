#!/usr/bin/env bash
# From a fresh Debian 12 to a report: installs packages, builds Lockstep, schedules a file, runs applications
# that suit it, and shows how the time is spent.
#    tools/quickstart.sh [--all] [FILE [READING OPTIONS…]]      default: generated ratings
# For ratings it runs five strategies of factorization; for a graph (square, without weights, or with small
# degrees) PageRank, BFS, components and more. --all: every strategy. READING OPTIONS are options of
# lockstep-preprocess, for example --header yes --rows-column who. EXECUTE_OPTIONS replaces the options of
# every run of lockstep-execute (except for the serial reference). LOCKSTEP_BIN is a folder with programs to
# use instead of building any. All output is in build/, or in quickstart/ next to that folder; a second run
# rebuilds changed files only. Exit code 3: every strategy diverged.
set -euo pipefail
usage() { echo "usage: tools/quickstart.sh [--all] [FILE [READING OPTIONS…]]" >&2; exit 2; }
all=
[ "${1:-}" != --all ] || { all=1; shift; }
case ${1:-} in -*) usage ;; esac
input=${1:+$(realpath -es -- "$1")}
reading=("${@:2}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${LOCKSTEP_BIN:-$PWD/build/bin}
out=$(dirname "$bin")/quickstart
export PATH=$bin:$PATH
file=$out/schedules.h5 model=$out/model.h5
cores=$(nproc)

step() { printf '\n== %s\n' "$*" >&2; }
# Prints column N of an application's table of strategies, each word once; fails if there are none, since the
# script is then out of date.
column() { lockstep-execute --strategies --app "$1" | awk -v n="$2" 'NR > 1 && $n != "-" && !seen[$n]++ {print $n; found = 1} END {exit !found}'; }
read_input() { lockstep-preprocess "$input" "${reading[@]}" "$@" -o "$file" --schedule shuffle; }
add_schedules() { lockstep-preprocess "$file" -o "$file" --schedule "$@"; }
about() { lockstep-inspect "$file" --json | sed -n "s/^ *\"$1\": \(.*[^,]\),\{0,1\}\$/\1/p" | head -n 1; }
first_id() { lockstep-inspect "$1" --row-ids | head -n 1 || true; }  # head closes the pipe early
# RUN OF_ALL NAME OPTIONS…: executes one run; its result goes to $out/line, its messages to $out/log.
execute() {
    printf '(%d of %d) %s: ' "$1" "$2" "$3"
    local code=0
    lockstep-execute "$file" "${@:4}" --record "$out/runs.jsonl" >"$out/line" 2>"$out/log" || code=$?
    sed '1s/^[^:]*: //; 1s/, factors [0-9a-f]*$//; 1s/ (biases alone[^)]*)//; 1q' "$out/line"
    [ $code -eq 0 ] || tail -n 1 "$out/log" >&2
    return $code
}

echo "What it does: packages, build (some $(((18 + cores - 1) / cores)) minutes the first time), read and schedule ${input:-a million generated ratings}, run, report."
if [ -z "${LOCKSTEP_BIN:-}" ]; then
    step "packages"
    tools/install-packages.sh

    step "build"
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
    local strategies=(agm-e tiled el nl hogwild) schedules=agm-e,tiled,shuffle left_out=
    if [ -n "$all" ]; then
        schedules=$(column sgd 3 | grep -vx local | paste -sd,)
        mapfile -t strategies < <(column sgd 1)
    fi
    step "schedules: $schedules"
    add_schedules "$schedules"
    # The schedule local is refused if the graph has no locality.
    [ -z "$all" ] || add_schedules local 2>"$out/log" || { left_out=local; sed 's/^/left out: /' "$out/log"; }
    [ -z "$left_out" ] || mapfile -t strategies < <(printf '%s\n' "${strategies[@]}" | grep -vx "$left_out")

    read -ra options <<<"${EXECUTE_OPTIONS:---rank 16 --sweeps 10 --test-fraction 0.1}"
    # A core makes about ten million updates per second; evaluating and loading a strategy takes additional
    # time.
    step "${#strategies[@]} strategies: ${options[*]}; some $((1 + ${#strategies[@]} * (1 + $(about edges) / 1000000 * 2 / cores) / 2)) s"
    local i code keep=(--model "$model")  # for the first strategy that does not diverge
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
    local apps=(bfs cc) ranks=(push pull edge-tiled) schedules=edge-tiled runs=() i app strategy
    [ "$(about weighted)" != true ] || apps+=(sssp)
    if [ -n "$all" ]; then
        apps+=(kcore triangles mst)
        schedules=$(column pagerank 3 | paste -sd,)
        mapfile -t ranks < <(column pagerank 1)
    fi
    step "schedules: $schedules"
    add_schedules "$schedules"
    for strategy in "${ranks[@]}"; do runs+=("$strategy --app pagerank --strategy $strategy ${EXECUTE_OPTIONS:-}"); done
    for app in "${apps[@]}"; do
        runs+=("$app --app $app --strategy best ${EXECUTE_OPTIONS:-}" "$app,serial --app $app --strategy best --device reference")
    done
    step "PageRank by ${#ranks[@]} strategies; ${apps[*]}, each by the best one and by the serial reference; some $((${#runs[@]} * (1 + $(about edges) / 10000000))) s"
    for i in "${!runs[@]}"; do
        # shellcheck disable=SC2086
        execute $((i + 1)) ${#runs[@]} ${runs[i]}
    done
    exit_code=0
}

step "reading $input"
read_input
work=factorize
if [ "$(about shape)" = '"square"' ]; then
    work=traverse
elif [[ " ${reading[*]} " != *" --shape"* ]]; then
    why='' graph=(--shape square)
    if [ "$(about edges)" -ge 10000 ] && [ "$(about max_row_degree)" -le 16 ] && [ "$(about max_col_degree)" -le 16 ]; then
        why="no vertex of more than 16 edges, so a road network or mesh (ratings all the same: --shape bipartite)"
        graph+=(--undirected)
    elif [ "$(about weighted)" = false ]; then
        why="no weights, so a graph (what users took: lockstep-train --feedback implicit)"
    fi
    [ -z "$why" ] || { work=traverse; echo "$why: ${graph[*]}"; read_input "${graph[@]}"; }
fi
$work

step "report"
lockstep-report "$out/runs.jsonl" --html "$out/report.html"
printf '\nThe same with pictures:      %s\n' "$out/report.html"
[ "$exit_code" -eq 0 ] || exit "$exit_code"
if [ $work = traverse ]; then
    [ "$(about directed)" != true ] || printf 'Where edges go both ways:    tools/quickstart.sh %q %s--undirected\n' "$input" "${reading[*]:+${reading[*]} }"
    printf 'From one vertex:             %s %q --app bfs --strategy best --source %q --top 5\n' "$bin/lockstep-execute" "$file" "$(first_id "$file")"
else
    printf 'The model:                   %s\n' "$(sed 's/: .* \(RMSE .*\), factors .*/: \1/' "$out/model.txt")"
    printf 'For one user, not rated yet: %s %q --users %q --top 5 --exclude %q\n' "$bin/lockstep-predict" "$model" "$(first_id "$model")" "$file"
fi
