#!/usr/bin/env bash
# Installs the packages for building Lockstep on Debian 12; does nothing if all are installed.
#    tools/install-packages.sh [--test|--fuzz]      --test: also packages for the tests; --fuzz: for fuzzers
set -euo pipefail

packages=(
    g++                            # C++20 compiler with OpenMP
    cmake
    ninja-build
    libhdf5-dev                    # schedule and model files
    libboost-program-options-dev   # command lines
    libmetis-dev                   # the METIS vertex order
    libarchive-dev                 # compressed and archived input
    zlib1g-dev                     # gzip input, with checksums
    nlohmann-json3-dev             # run records, --json
    libfmt-dev                     # text formatting
    libxxhash-dev                  # content hashes
    librandom123-dev               # the same random numbers on host and device
    libjemalloc-dev                # the programs' allocator
    libcairo2-dev                  # pictures of layouts
    node-d3-axis                   # D3, which draws the pictures of the report; does not need Node.js
    node-d3-scale
    node-d3-selection
    help2man                       # man pages
    git                            # the revision that run records name
)
test_packages=(
    catch2                         # the test programs
    libopenmpi-dev                 # runs of several processes
    openmpi-bin
    librapidcheck-dev              # the model-based tests
    python3                        # tests and checks of documents
    python3-h5py                   # reads schedule files like a user's script
    python3-numpy                  # tools/python, and its tests:
    python3-scipy
    python3-pandas
    python3-venv
    python3-yaml                   # tests/docs/test_repository.py
    python3-wheel
    mkdocs                         # the site
    clang-format-14                # tools/check-style.sh
    clang-tidy-14
    libomp-14-dev                  # omp.h for clang-tidy
)
fuzz_packages=(
    clang-14
    libclang-rt-14-dev             # libFuzzer and the sanitizers
    libomp-14-dev                  # clang's OpenMP
)

case ${1:-} in
    '') ;;
    --test) packages+=("${test_packages[@]}") ;;
    --fuzz) packages+=("${fuzz_packages[@]}") ;;
    *) echo "usage: tools/install-packages.sh [--test|--fuzz]" >&2; exit 2 ;;
esac

if ! command -v apt-get >/dev/null; then
    echo "install-packages: this is not Debian; what is needed, by Debian's names: ${packages[*]}" >&2
    exit 1
fi
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "install-packages: run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing ${missing[*]}"
{
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get install -qq --no-install-recommends "${missing[@]}"
} </dev/null >/dev/null
