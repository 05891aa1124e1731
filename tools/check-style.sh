#!/usr/bin/env bash
# Checks layout, faults and wording, by .clang-format and .clang-tidy with version 14 of both (other versions disagree),
# and by tools/wording.py:
#     tools/check-style.sh [--all] [BUILD_FOLDER]    default: build
# clang-format reads every tracked source; tools/wording.py reads the comments on changed lines. clang-tidy takes 5 s per
# file, so it reads at most 7 of the changed files, spread evenly: the sources of libraries and programs that differ from
# origin/main (on main itself: from the commit before), and one source that includes each changed header. --all: all of
# them.
set -euo pipefail
all=
[ "${1:-}" = --all ] && { all=1; shift; }
case ${1:-} in -*) sed -n 's/^# \{0,1\}//p' "$0"; exit 2 ;; esac
build=$(realpath -m -- "${1:-"$(dirname "${BASH_SOURCE[0]}")/../build"}")/style
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sources=('*.cpp' '*.hpp' '*.cu' '*.cuh')

tools/install-packages.sh --test
code=0
git ls-files -z "${sources[@]}" | xargs -0 clang-format-14 --dry-run -Werror || code=1
[ $code -eq 0 ] || echo "check-style: clang-format-14 -i FILE puts these right" >&2

base=$(git merge-base HEAD origin/main 2>/dev/null || true)
[ -n "$base" ] && [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse -q --verify HEAD~1 || git hash-object -t tree /dev/null)
tools/wording.py --since "$base" || code=1

checked=(':!tests' ':!samples')
changed() { git diff --name-only --diff-filter=d "$base" -- "$1" "${checked[@]}"; }
if [ $all ]; then
    mapfile -t files < <(git ls-files '*.cpp' "${checked[@]}")
else
    mapfile -t files < <({
        changed '*.cpp'
        for header in $(changed '*.hpp'); do
            git grep -lF "${header##*/}\"" -- '*.cpp' "${checked[@]}" | head -1 || true
        done
    } | sort -u)
fi
count=${#files[@]} step=$((${#files[@]} / 7 + 1))
[ $all ] && step=1
if [ $count -gt 0 ]; then
    # A compilation database of single files for clang: without unity builds and without CUDA.
    cmake -S . -B "$build" -G Ninja -DLOCKSTEP_CUDA=OFF -DLOCKSTEP_UNITY=OFF -DLOCKSTEP_BUILD_TESTS=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
    cmake --build "$build" --target lockstep_revision >/dev/null
    printf '%s\n' "${files[@]}" | awk "NR % $step == 0" |
        xargs -P "$(nproc)" -n 1 clang-tidy-14 -p "$build" --quiet --warnings-as-errors='*' 2>/dev/null || code=1
fi
[ $code -eq 0 ] && echo "style: all sources laid out, $((count / step)) of $count changed ones without findings"
exit $code
