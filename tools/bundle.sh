#!/usr/bin/env bash
# Copies the programs and tests of a build, with the shared libraries that they need, into a folder that runs
# on a machine without those packages, such as a GPU machine:   tools/bundle.sh BUILD_FOLDER TARGET
set -euo pipefail
build=${1:?usage: tools/bundle.sh BUILD_FOLDER TARGET}
target=${2:?usage: tools/bundle.sh BUILD_FOLDER TARGET}
rm -rf "$target"
mkdir -p "$target/lib" "$target/bin"
for program in "$build"/bin/*; do
    strip -o "$target/bin/$(basename "$program")" "$program"
done
# The C and C++ runtimes are those of the machine itself.
ldd "$build"/bin/lockstep-* | awk '/=> \//{print $3}' | sort -u |
    grep -vE '/(libc|libm|libpthread|libdl|librt|libresolv|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' |
    xargs -I{} cp -L {} "$target/lib/"
du -sh "$target" | cut -f1
