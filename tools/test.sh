#!/usr/bin/env bash
# From a fresh Debian 12 to tested programs: installs packages, builds everything, runs all tests.
#    tools/test.sh [BUILD_FOLDER]    default: build
# The CUDA backend is compiled if nvcc is found; if there is no GPU to run it, SGD is compiled for only one
# range of ranks. Tests that need a GPU, or data that is not present, are skipped with a message. The last
# line counts test cases.
set -euo pipefail
build=$(realpath -m -- "${1:-"$(dirname "${BASH_SOURCE[0]}")/../build"}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
results=$build/tests.xml

tools/install-packages.sh --test
ranks=()
if ! nvidia-smi -L >/dev/null 2>&1; then
    ranks=(-DLOCKSTEP_CUDA_RANKS=16)
    # Kernels that are not run need not be fast; nvcc 12.9 and later compiles them in half the time.
    if PATH=$PATH:/usr/local/cuda/bin nvcc --help 2>/dev/null | grep >/dev/null -e --Ofast-compile; then ranks+=(-DCMAKE_CUDA_FLAGS=--Ofast-compile=max); fi
fi
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKSTEP_BUILD_TESTS=ON "${ranks[@]}" --log-level=STATUS
cmake --build "$build"

rm -f "$results"
code=0
export GOMP_SPINCOUNT=0  # tests run concurrently: a thread that spins would delay another test
# Both allocators overwrite new and freed memory, so that a use of either becomes visible: jemalloc in most
# programs, and glibc's in lockstep-execute, the test programs, the library and Python.
export MALLOC_CONF=junk:true MALLOC_PERTURB_=165
ctest --test-dir "$build" --parallel "$(nproc)" --output-on-failure --no-tests=error --output-junit "$results" || code=$?

[ -s "$results" ] || { echo "test: the tests were stopped before their end" >&2; exit $((code ? code : 1)); }

count() { grep -om1 "$1=\"[0-9]*\"" "$results" | tr -dc 0-9; }  # an attribute of the test suite
tests=$(count tests) failed=$(count failures) skipped=$(($(count skipped) + $(count disabled)))
if [ $skipped -gt 0 ]; then
    echo
    echo "Skipped:"
    sed -n 's/.*\(skipped: .*\)/  \1/p' "$results" | sort | uniq -c
    [ -e "$build/executor/sgd_cuda_16.cu" ] && [ ${#ranks[@]} -gt 0 ] &&
        echo "          not compiled: CUDA kernels of SGD at ranks other than 9 to 16: there is no GPU"
    echo
fi
echo "$((tests - failed - skipped)) passed, $failed failed, $skipped skipped"
exit $code
