#!/usr/bin/python3
"""Simulates the cloth of cloth.py in a CUDA loop: one launch per batch, bitwise identical results in every run.

    nvcc -shared -Xcompiler -fPIC -arch=native -o cloth.so samples/python/cloth.cu
    samples/python/cloth_gpu.py ./cloth.so [SIDE]
"""
import ctypes
import sys

import numpy as np
from cloth import cloth

import lockstep


def main(library, side="300"):
    at, i, j = cloth(int(side))
    order, offsets = lockstep.batches(i, j)
    i, j, offsets = (np.ascontiguousarray(x, np.int64) for x in (i[order], j[order], offsets))
    rest = np.linalg.norm(at[i] - at[j], axis=1).astype(np.float32)
    start = (at + np.random.default_rng(1).normal(0, 0.1, at.shape)).astype(np.float32)
    weight = np.ones(len(at), np.float32)
    weight[[0, int(side) - 1]] = 0  # two corners are pinned

    def address(array):
        return array.ctypes.data_as(ctypes.c_void_p)

    def relaxed():
        moved, ms = start.copy(), ctypes.c_float()
        error = ctypes.CDLL(library).passes(50, address(moved), address(weight), ctypes.c_int64(len(at)), address(i), address(j), address(rest), address(offsets),
                                            ctypes.c_int64(len(offsets) - 1), ctypes.byref(ms))
        assert error == 0, f"CUDA error {error}"
        return moved, ms.value

    def stretch(positions):
        return np.abs(np.linalg.norm(positions[i] - positions[j], axis=1) / rest - 1).mean()

    moved, ms = min((relaxed() for _ in range(3)), key=lambda run: run[1])
    same = all(np.array_equal(moved, relaxed()[0]) for _ in range(5))
    print(f"{len(at)} particles, {len(i)} springs in {len(offsets) - 1} batches: 50 passes in {ms:.2f} ms on the GPU")
    print(f"stretched by {100 * stretch(start):.1f} % before, {100 * stretch(moved):.2f} % after; {'bitwise identical in every run' if same else 'RUNS DIFFER'}")
    return 0 if same and stretch(moved) < stretch(start) / 4 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
