"""Tests in-place updates of states in the memory of a GPU. The results are bitwise identical to the CPU's.

Requires a GPU and libcudart.
"""
import ctypes
import ctypes.util
import glob
import sys

import support
import numpy as np

import lockstep
from lockstep import native
from test_updates import SPRING


def runtime():
    """Returns libcudart; None if it or a GPU is missing."""
    for name in filter(None, [ctypes.util.find_library("cudart"), *sorted(glob.glob("/usr/local/cuda*/lib64/libcudart.so"))]):
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        count = ctypes.c_int(0)
        if library.cudaGetDeviceCount(ctypes.byref(count)) == 0 and count.value > 0:
            return library
    return None


class OnGpu:
    """An array in the memory of the GPU, with the interface of the arrays of CuPy, Numba and Warp."""

    def __init__(self, cuda, values):
        self.cuda, self.like, self.pointer = cuda, np.ascontiguousarray(values), ctypes.c_void_p()
        assert cuda.cudaMalloc(ctypes.byref(self.pointer), ctypes.c_size_t(self.like.nbytes)) == 0
        self._copy(self.pointer, self.like.ctypes.data_as(ctypes.c_void_p), 1)
        self.__cuda_array_interface__ = {"data": (self.pointer.value, False), "shape": self.like.shape, "typestr": self.like.dtype.str, "version": 3}

    def _copy(self, to, source, kind):
        assert self.cuda.cudaMemcpy(to, source, ctypes.c_size_t(self.like.nbytes), kind) == 0

    def get(self):
        values = np.empty_like(self.like)
        self._copy(values.ctypes.data_as(ctypes.c_void_p), self.pointer, 2)
        return values


class DeviceArrays(support.InFolder):
    def setUp(self):
        super().setUp()
        self.cuda = runtime()
        side = 40
        at = np.arange(side * side).reshape(side, side)
        self.first = np.concatenate([at[:, :-1].ravel(), at[1:, :].ravel(), at[:-1, :-1].ravel()])
        self.second = np.concatenate([at[:, 1:].ravel(), at[:-1, :].ravel(), at[1:, 1:].ravel()])
        random = np.random.default_rng(1)
        self.rest = random.uniform(0.8, 1.6, len(self.first)).astype(np.float32)
        self.states = np.column_stack([*np.divmod(np.arange(side * side), side), np.ones(side * side)]).astype(np.float32)
        self.states[:, :2] += random.normal(0, 0.1, (side * side, 2)).astype(np.float32)

    def relaxed(self, states, edges, **options):
        return lockstep.update((self.first, self.second), self.path("spring.hpp"), vertices=states, edges=edges, sweeps=5,
                               parameters={"compliance": 0.1}, verify=True, **options)

    def test_states_change_in_place_to_the_bits_of_the_cpu(self):
        with open(self.path("spring.hpp"), "w") as file:
            file.write(SPRING)
        for strategy in ("agm-e", "stars", "local"):
            expected = self.relaxed(self.states, self.rest, strategy=strategy, device="cpu").vertices
            there, payload = OnGpu(self.cuda, self.states), OnGpu(self.cuda, self.rest)
            self.relaxed(there, payload, strategy=strategy, device="cuda")
            self.assertTrue(np.array_equal(there.get(), expected), strategy)
            self.assertTrue(np.array_equal(payload.get(), self.rest), strategy)
            self.assertFalse(np.array_equal(expected, self.states))

    def test_a_graph_is_made_of_arrays_of_the_host(self):
        with self.assertRaisesRegex(TypeError, "memory of a GPU"):
            lockstep.batches(OnGpu(self.cuda, self.first), self.second)


if __name__ == "__main__":
    if runtime() is None or not native.library().lockstep_has_cuda():
        print("skipped: arrays of a GPU need one, libcudart and the CUDA library")
        sys.exit(77)
    support.main()
