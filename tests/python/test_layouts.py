"""Tests layouts from arrays in memory: positions by vertex, reproducible results, given start positions."""
import support
import numpy as np

import lockstep


class Layouts(support.InFolder):
    def test_a_ring_is_round_and_its_positions_are_a_start(self):
        ring = np.arange(30), (np.arange(30) + 1) % 30
        at = lockstep.layout(ring, device="cpu", verify=True)
        self.assertEqual((at.shape, at.dtype), ((30, 2), np.float32))
        radius = np.linalg.norm(at - at.mean(axis=0), axis=1)
        self.assertLess(radius.max(), 1.1 * radius.min())
        self.assertTrue((lockstep.layout(ring, device="cpu") == at).all())
        self.assertFalse((lockstep.layout(ring, device="cpu", seed=2) == at).all())
        kept = lockstep.layout(ring, device="cpu", start=at, sweeps=0)
        np.testing.assert_allclose(kept - kept.min(axis=0), at - at.min(axis=0), atol=1e-5)

    @support.needs("scipy")
    def test_a_matrix_has_a_row_a_vertex_and_lengths(self):
        import scipy.sparse

        lengths = scipy.sparse.coo_matrix(([1.0, 3.0], ([0, 1], [1, 3])), shape=(4, 4))
        at = lockstep.layout(lengths, device="cpu", dimensions=3)
        self.assertEqual(at.shape, (4, 3))
        self.assertLess(abs(np.linalg.norm(at[1] - at[3]) - 3), 0.2)
        with self.assertRaisesRegex(lockstep.BadInput, "above 0"):
            lockstep.layout(([0, 1], [1, 2], [1.0, 0.0]), device="cpu")


if __name__ == "__main__":
    support.main()
