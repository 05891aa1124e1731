"""Tests batches of one set of vertices, and updates from arrays in memory, against serial updates, bitwise."""
import os
import unittest.mock

import support
import numpy as np

import lockstep

SPRING = """
#include <cmath>
struct Spring {
    struct Vertex { float x, y, inverse_mass; };
    struct Edge { float rest; };
    struct Parameters { float compliance; };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e, const Parameters& p) {
        const float dx = a.x - b.x, dy = a.y - b.y, length = std::sqrt(dx * dx + dy * dy);
        const float weight = a.inverse_mass + b.inverse_mass + p.compliance;
        const float s = (length - e.rest) / (length * weight);
        a.x -= s * a.inverse_mass * dx, a.y -= s * a.inverse_mass * dy;
        b.x += s * b.inverse_mass * dx, b.y += s * b.inverse_mass * dy;
    }
};
"""


def relax(states, first, second, rest, compliance):
    """Applies SPRING to edges that share no vertex, in single precision."""
    a, b = states[first], states[second]
    d = a[:, :2] - b[:, :2]
    length = np.sqrt(d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1])
    s = (length - rest) / (length * (a[:, 2] + b[:, 2] + compliance))
    states[first, :2] -= (s * a[:, 2])[:, None] * d
    states[second, :2] += (s * b[:, 2])[:, None] * d


class Updates(support.InFolder):
    def cloth(self, side=12):
        at = np.arange(side * side).reshape(side, side)
        first = np.concatenate([at[:, :-1].ravel(), at[1:, :].ravel(), at[:-1, :-1].ravel()])
        second = np.concatenate([at[:, 1:].ravel(), at[:-1, :].ravel(), at[1:, 1:].ravel()])
        random = np.random.default_rng(1)
        order = random.permutation(len(first))
        states = np.column_stack([np.divmod(np.arange(side * side), side)[0], np.divmod(np.arange(side * side), side)[1],
                                  np.ones(side * side)]).astype(np.float32)
        states[:, :2] += random.normal(0, 0.1, (side * side, 2)).astype(np.float32)
        rest = np.where(abs(first - second) == side + 1, 1.5, 1).astype(np.float32)[order]
        return first[order], second[order], rest, states

    def test_batches_share_no_vertex_and_hold_each_edge_once(self):
        first, second, rest, states = self.cloth()
        for schedule in ("agm-e", "stars", "blkdiag", "tiled", "local", "diag"):
            found = lockstep.batches(first, second, schedule=schedule).sets()
            self.assertEqual(sorted(np.concatenate(found).tolist()), list(range(len(first))))
            for batch in found:
                ends = np.concatenate([first[batch], second[batch]])
                self.assertEqual(len(np.unique(ends)), len(ends), schedule)
            whole, single = states.copy(), states.copy()
            for batch in found:
                relax(whole, first[batch], second[batch], rest[batch], np.float32(0))
                for e in batch:
                    relax(single, first[[e]], second[[e]], rest[[e]], np.float32(0))
            self.assertTrue(np.array_equal(whole, single), schedule)

    def test_two_sides_of_the_same_ring_are_one_batch(self):
        ring = (np.arange(6), (np.arange(6) + 1) % 6)
        self.assertEqual(len(lockstep.batches(ring).sets()), 2)
        self.assertEqual(len(lockstep.batches(ring, ends="sides").sets()), 1)
        with self.assertRaises(ValueError):
            lockstep.batches(ring, ends="both")
        names = ([f"v{i}" for i in ring[0]], [f"v{i}" for i in ring[1]])
        self.assertEqual([len(b) for b in lockstep.batches(names).sets()], [3, 3])

    def test_conflicts_of_one_set_are_at_vertices(self):
        path = self.path("g.h5")
        ring = (np.arange(6), (np.arange(6) + 1) % 6)
        lockstep.preprocess(ring, path, "agm-e", ends="vertices")
        file = lockstep.read_schedules(path)
        self.assertEqual(file.graph.ends, "vertices")
        self.assertEqual(len(lockstep.conflicts(file.graph, file["agm-e"].supersteps())), 0)
        self.assertEqual(len(lockstep.conflicts(file.graph, [np.arange(6)])), 6)

    def test_an_update_under_every_strategy(self):
        source = self.path("spring.hpp")
        self.enterContext(unittest.mock.patch.dict(os.environ, {"LOCKSTEP_CACHE": self.path("cache")}))
        with open(source, "w", encoding="utf-8") as file:
            file.write(SPRING)
        first, second, rest, states = self.cloth()
        before = states.copy()
        serial = {}
        for strategy in ("agm-e", "stars", "blkdiag", "tiled", "local", "nl", "auto"):
            done = lockstep.update((first, second), source, vertices=states, edges=rest, strategy=strategy, sweeps=5,
                                   parameters={"compliance": 1e-4}, verify=True)
            serial[strategy] = done.vertices
            self.assertEqual(done.vertices.shape, states.shape)
            self.assertTrue(np.isfinite(done.vertices).all())
            self.assertTrue(np.array_equal(done.edges, rest))
        self.assertTrue(np.array_equal(states, before))
        length = np.hypot(*(serial["stars"][first, :2] - serial["stars"][second, :2]).T)
        start = np.hypot(*(states[first, :2] - states[second, :2]).T)
        self.assertLess(abs(length - rest).mean(), abs(start - rest).mean() / 2)

    def test_states_in_place_are_changed_or_refused_untouched(self):
        source = self.path("mean.hpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write("struct Mean { struct Vertex { float x, y; }; LOCKSTEP_HD static void update(Vertex& a, Vertex& b) "
                       "{ const float m = (a.x + b.x) / 2; a.x = m + 1, b.x = m; } };\n")
        ring = (np.array([0, 1, 2, 3]), np.array([1, 2, 3, 0]))
        start = np.arange(8, dtype=np.float32).reshape(4, 2)

        def run(states, **options):
            return lockstep.update(ring, source, vertices=states, strategy="agm-e", sweeps=2, device="cpu", **options).vertices

        right = run(start)
        self.assertFalse(np.array_equal(right, start))
        big = start.astype(">f4")
        structs = np.zeros(4, [("x", ">f4"), ("y", ">f4")])
        structs["x"], structs["y"] = start.T
        self.assertTrue(np.array_equal(run(big), right))
        self.assertTrue(np.array_equal(run(structs)["x"], right[:, 0]))
        for states in (start.copy(), big.copy(), np.asfortranarray(start), start.copy().view(np.matrix), np.ma.array(start.copy())):
            self.assertIs(run(states, in_place=True), states)
            self.assertTrue(np.array_equal(np.asarray(states), right))
        run(structs, in_place=True)
        self.assertTrue(np.array_equal(structs["x"], right[:, 0]))
        with self.assertRaisesRegex(TypeError, "vertices are a list, which cannot be changed in place"):
            run(list(start.copy()), in_place=True)
        for kind in (np.ndarray, np.matrix):
            frozen = start.copy()
            frozen.flags.writeable = False
            with self.assertRaisesRegex(ValueError, "vertices are read-only"):
                run(frozen.view(kind), in_place=True)
            self.assertTrue(np.array_equal(frozen, start))
            self.assertTrue(np.array_equal(run(frozen.view(kind)), right))
        np.save(self.path("x.npy"), start)
        with self.assertRaisesRegex(ValueError, "vertices are read-only"):
            run(np.load(self.path("x.npy"), mmap_mode="r"), in_place=True)
        writable = np.load(self.path("x.npy"), mmap_mode="r+")
        run(writable, in_place=True)
        self.assertTrue(np.array_equal(writable, right))

    def test_states_have_the_types_of_the_struct(self):
        source = self.path("mixed.hpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <cstdint>\nstruct Mixed { struct Vertex { float x; std::int32_t n; }; struct Parameters { std::int64_t more; "
                       "}; LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Parameters& p) { a.x += 1, b.x += 1, a.n += "
                       "static_cast<std::int32_t>(p.more - 9007199254740992), b.n += 1; } };\n")
        how = {"strategy": "agm-e", "sweeps": 1, "device": "cpu", "parameters": {"more": 2**53 + 1}}
        # The fields are in another order, with a gap.
        states = np.zeros(2, [("n", "<i4"), ("gap", "V4"), ("x", "<f4")])[["n", "x"]]
        for given in (states, states.astype([("x", ">f4"), ("n", ">i4")])):
            found = lockstep.update(([0], [1]), source, vertices=given, **how).vertices
            self.assertEqual((found["x"].tolist(), found["n"].tolist()), ([1, 1], [1, 1]))
        raw = np.zeros((2, 8), np.uint8)
        lockstep.update(([0], [1]), source, vertices=raw, in_place=True, **how)
        self.assertEqual(raw.view(np.int32)[:, 1].tolist(), [1, 1])
        for wrong in (np.zeros((2, 1)), np.zeros((2, 2), np.float32), np.zeros(2, [("x", "<f4"), ("m", "<i4")])):
            with self.subTest(wrong.dtype), self.assertRaises(lockstep.BadInput):
                lockstep.update(([0], [1]), source, vertices=wrong, **how)

    def test_states_that_share_memory_are_not_changed_twice(self):
        source = self.path("sides.hpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write("struct Sides { struct Row { float x; }; struct Col { float y; }; struct Edge { float w; }; LOCKSTEP_HD static "
                       "void update(Row& a, Col& b, Edge& e) { a.x += e.w, b.y += e.w, e.w = 0; } };\n")
        edges = (np.arange(4), np.arange(4))
        table = np.ones((4, 2), np.float32)
        how = {"strategy": "agm-e", "sweeps": 1, "device": "cpu", "edges": np.ones(4, np.float32)}
        # The states of rows and columns are columns of one table.
        lockstep.update(edges, source, rows=table[:, :1], cols=table[:, 1:], in_place=True, **how)
        self.assertEqual(table.tolist(), [[2, 2]] * 4)
        for rows, cols, payloads, words in ((table[:, 0], table[:, 0], np.ones(4, np.float32), "rows and cols share memory"),
                                            (table[:, 0], np.ones(4, np.float32), table[::-1, 0], "rows and edges share memory")):
            before = table.copy()
            with self.assertRaisesRegex(ValueError, words):
                lockstep.update(edges, source, rows=rows, cols=cols, in_place=True, **{**how, "edges": payloads})
            self.assertTrue(np.array_equal(table, before))
            # This succeeds on copies.
            lockstep.update(edges, source, rows=rows, cols=cols, **{**how, "edges": payloads})


if __name__ == "__main__":
    support.main()
