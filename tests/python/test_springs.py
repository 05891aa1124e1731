"""Springs from arrays in memory: frames of positions, pinned and single particles, lengths of one's own."""
import support
import numpy as np

import lockstep


class Springs(support.InFolder):
    def test_a_chain_falls_from_its_pin_and_a_particle_without_a_spring_stays(self):
        x = np.column_stack([np.arange(6), np.zeros(6)])
        moved = lockstep.springs((np.arange(4), np.arange(1, 5)), x, pinned=[0], frames=30, iterations=5, verify=True, device="cpu")
        self.assertEqual(moved.positions.shape, (31, 6, 3))
        self.assertTrue(np.array_equal(moved.positions[0, :, :2], x))
        self.assertTrue(np.array_equal(moved.positions[-1, [0, 5], :2], x[[0, 5]]))
        self.assertTrue((moved.positions[-1, 1:5, 1] < -0.1).all())
        self.assertEqual(moved.result["check"]["serial"], "equal")

    def test_lengths_of_ones_own_and_every_strategy(self):
        x, ends = np.column_stack([np.arange(40), np.zeros((40, 2))]), (np.arange(39), np.arange(1, 40))
        for strategy in ("agm-e", "local", "strips", "jacobi-gather"):
            moved = lockstep.springs(ends, x, rest=np.full(39, 1.5), strategy=strategy, frames=40, gravity="0,0,0", device="cpu")
            length = np.linalg.norm(np.diff(moved.positions[-1], axis=0), axis=1)
            self.assertGreater(length.mean(), 1.2, strategy)

    def test_what_cannot_be_is_refused(self):
        x = np.zeros((2, 3))
        with self.assertRaises(lockstep.BadInput):
            lockstep.springs(([0], [1]), x)  # at one place: no length
        with self.assertRaises(ValueError):
            lockstep.springs(([0], [2]), x)
        with self.assertRaises(ValueError):
            lockstep.springs(([0], [1]), np.zeros(2))


if __name__ == "__main__":
    support.main()
