"""Tests springs from arrays in memory: frames of positions, pinned and single particles, given lengths."""
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

    def test_damping_and_the_order_of_sweeps_are_options(self):
        x, ends = np.column_stack([np.arange(6), np.zeros((6, 2))]), (np.arange(5), np.arange(1, 6))
        runs = [lockstep.springs(ends, x, frames=30, verify=True, device="cpu", **options)
                for options in ({}, {"velocity_damping": 10}, {"sweep_order": "forward"})]
        heights = [run.positions[-1, :, 1].mean() for run in runs]
        self.assertLess(heights[0], 2 * heights[1])  # damping slows the fall
        self.assertEqual([run.result["sweeps"] // run.result["iterations"] for run in runs], [2, 2, 1])
        self.assertNotIn("warning", runs[0].result)
        with self.assertRaises(lockstep.LockstepError):
            lockstep.springs(ends, x, sweep_order="backward", device="cpu")

    def test_what_cannot_be_is_refused(self):
        x = np.zeros((2, 3))
        with self.assertRaises(lockstep.BadInput):
            lockstep.springs(([0], [1]), x)  # at one position: the length is 0
        with self.assertRaises(ValueError):
            lockstep.springs(([0], [2]), x)
        with self.assertRaises(ValueError):
            lockstep.springs(([0], [1]), np.zeros(2))

    def test_particles_and_pins_are_whole_numbers_of_positions(self):
        x = np.array([[0, 0], [1, 0], [2, 0]], np.float32)
        ends = (np.array([0, 1]), np.array([1, 2]))
        masked = np.ma.array([0, 1], mask=[0, 1])
        for edges, options, error, words in (
                (ends, {"pinned": [-3]}, ValueError, "pinned: entry 0 is -3; expected numbers from 0 to 2"),
                (ends, {"pinned": [0, 99]}, ValueError, "pinned: entry 1 is 99"),
                (ends, {"pinned": ["0"]}, TypeError, "pinned contain '0'; expected whole numbers"),
                (ends, {"pinned": [0.5]}, TypeError, "pinned are of type float64"),
                (ends, {"pinned": [True, False, False]}, TypeError, "pinned are of type bool"),
                (ends, {"pinned": masked}, ValueError, "pinned contain 1 masked"),
                (([0.9, 1.9], [1.2, 2.7]), {}, TypeError, "particles of edges are of type float64"),
                ((masked, [1, 2]), {}, ValueError, "particles of edges contain 1 masked"),
                (([0, -1], [1, 2]), {}, ValueError, "entry 1 is -1"),
                (ends, {"rest": np.ma.array([1., 1], mask=[0, 1])}, ValueError, "rest contain 1 masked")):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                lockstep.springs(edges, x, frames=1, device="cpu", **options)
        with self.assertRaisesRegex(ValueError, "positions contain"):
            lockstep.springs(ends, np.ma.array(x, mask=x > 1), frames=1, device="cpu")

    def test_many_pins(self):
        """Pins more particles than fit on a command line."""
        n = 40000
        x = np.column_stack([np.arange(n), np.zeros(n)])
        moved = lockstep.springs((np.arange(n - 1), np.arange(1, n)), x, pinned=np.arange(n - 1), frames=1, iterations=1,
                                 strategy="agm-e", device="cpu")
        self.assertTrue((moved.positions[-1, :-1, 1] == 0).all())
        self.assertLess(moved.positions[-1, -1, 1], 0)


if __name__ == "__main__":
    support.main()
