#!/usr/bin/env bash
# Packs Lockstep for machines without a compiler: a wheel for every Python 3, a Debian package and a Containerfile.
#
#     tools/wheel.sh [--build FOLDER] [--cuda FOLDER] [--deb] [-o FOLDER]
#
# The wheel has the package, the programs, liblockstep.so and the libraries that these need, with their licences.
# --build  a build without CUDA and MPI (default: build-wheel, which is made); --cuda  packs liblockstep_cuda.so of
# that build as a second wheel, which the first one finds; --deb  also a Debian package of the build, and a Containerfile
# that installs it. Wants Debian, whose copyright files are the licences, python3, ninja and patchelf.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build= cuda= deb= output=$root/dist
while [ $# -gt 0 ]; do
    case $1 in
        --build) build=$2; shift 2 ;;
        --cuda) cuda=$2; shift 2 ;;
        --deb) deb=1; shift ;;
        -o) output=$2; shift 2 ;;
        *) sed -n '4,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
mkdir -p "$output"

if [ -z "$build" ]; then
    build=$root/build-wheel
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLOCKSTEP_CUDA=OFF -DLOCKSTEP_MPI=OFF -DLOCKSTEP_BUILD_TESTS=OFF
    cmake --build "$build"
fi

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cmake --install "$build" --prefix "$stage/prefix" --strip > "$stage/install.log"
python3 "$root/tools/python/pack_wheel.py" --prefix "$stage/prefix" --output "$output"
[ -z "$cuda" ] || python3 "$root/tools/python/pack_wheel.py" --cuda "$cuda/lib/liblockstep_cuda.so" --output "$output"
if [ -n "$deb" ]; then
    (cd "$build" && cpack -G DEB -B "$output" > "$stage/cpack.log")
    rm -rf "$output/_CPack_Packages"
    package=$(cd "$output" && ls -t lockstep_*.deb | head -1)
    cat > "$output/Containerfile" <<END
FROM debian:bookworm-slim
COPY $package /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/$package && rm -rf /tmp/$package /var/lib/apt/lists/*
END
fi
ls -l "$output"
