"""Tests meshes from arrays in memory: they are refined until no angle is too small, or refused by name."""
import support
import numpy as np

import lockstep


def least_angle(points, triangles):
    corners = points[triangles]
    sides = [np.roll(corners, -k, axis=1)[:, 0] - np.roll(corners, -k - 1, axis=1)[:, 0] for k in range(3)]
    lengths = [np.linalg.norm(side, axis=1) for side in sides]
    turns = [np.arccos(-(sides[k] * sides[k - 1]).sum(1) / (lengths[k] * lengths[k - 1])) for k in range(3)]
    return np.degrees(np.min(turns))


class Meshes(support.InFolder):
    @support.needs("scipy")
    def test_small_angles_go(self):
        from scipy.spatial import Delaunay

        points = np.random.default_rng(1).random((200, 2))
        given = Delaunay(points).simplices
        self.assertLess(least_angle(points, given), 5)
        mesh = lockstep.refine(points, given, min_angle=25, verify=True, device="cpu")
        self.assertGreaterEqual(least_angle(mesh.points, mesh.triangles), 25)
        self.assertTrue(np.array_equal(mesh.points[:200], points))
        again = lockstep.refine(points, given, min_angle=25, device="cpu", threads=1)
        self.assertEqual(again.result.result_hash, mesh.result.result_hash)

    def test_what_is_no_mesh_is_refused(self):
        square, triangle = [[0, 0], [1, 0], [1, 1]], [[0, 1, 2]]
        with self.assertRaisesRegex(ValueError, r"expected \(points, 2\)"):
            lockstep.refine(np.zeros((3, 3)), triangle)
        with self.assertRaisesRegex(ValueError, "whole numbers"):
            lockstep.refine(square, [[0.0, 1.0, 2.0]])
        with self.assertRaises(lockstep.BadInput):
            lockstep.refine(square, [[0, 1, 3]])


if __name__ == "__main__":
    support.main()
