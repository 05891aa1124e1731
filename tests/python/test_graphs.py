"""Tests that lockstep-preprocess reads the files of write_graph: edges, weights, all kinds of ids, all formats."""
import os
import tracemalloc

import support
import numpy as np

import lockstep


class Graphs(support.InFolder):
    def read(self, graph, **how):
        """Preprocesses a graph. Returns its edges as a sorted list of (row id, column id, weight), and the
        graph."""
        path = self.path("g.h5")
        lockstep.preprocess(graph, path, "degree", force=True, **how)
        g = lockstep.read_schedules(path).graph
        return sorted(zip(g.row_ids[g.row_of()].tolist(), g.col_ids[g.indices].tolist(), g.data.tolist())), g

    def test_small_numbers_go_as_records(self):
        rows, cols, weights = np.array([7, 0, 7, 2**31 - 1]), np.array([3, 3, 3, 0]), np.array([1.5, -2, 1.5, 4])
        written = lockstep.write_graph(self.path("g"), (rows, cols, weights))
        self.assertEqual((written.format, written.shape), ("cumf-binary", "bipartite"))
        edges, graph = self.read(written)
        self.assertEqual(edges, [(0, 3, -2), (7, 3, 1.5), (7, 3, 1.5), (2**31 - 1, 0, 4)])
        self.assertEqual(graph.row_ids.tolist(), [0, 7, 2**31 - 1])
        # The graph sorts the edges by row; input_order restores the order of the input.
        self.assertEqual(graph.row_ids[graph.row_of()[graph.input_order]].tolist(), rows.tolist())

    def test_other_ids_go_by_name(self):
        names = ["Ann Lee", "007", "7", "ß", 'say "x"', "#1", "a,b", "Ann Lee"]
        for ids in (names, [-5, 2**62, 0, 1, 2**31, 3, 4, -5], np.array(names)):
            weights = np.arange(8) / 4
            written = lockstep.write_graph(self.path("g"), (ids, ids[::-1], weights), force=True)
            self.assertEqual(written.format, "anndata")
            known = [x if isinstance(x, int) else str(x) for x in ids]
            self.assertEqual(self.read(written)[0], sorted(zip(known, known[::-1], weights.tolist())))

    def test_numbers_beyond_64_bits_are_names(self):
        edges, graph = self.read((np.array([2**64 - 1, 1], np.uint64), np.array([1, 2])))
        self.assertEqual(edges, [("1", 2, 1), (str(2**64 - 1), 1, 1)])

    def test_a_format_that_needs_no_option(self):
        for graph in ((np.array([1, 2]), np.array([3, 3])), np.ones((2, 2))):
            written = lockstep.write_graph(self.path("g"), graph, format="anndata", force=True)
            self.assertEqual(self.read(str(written.path))[0], self.read(written)[0])

    def test_square_edges_share_their_ids(self):
        edges, graph = self.read((["b", "c"], ["a", "b"]), shape="square")
        self.assertEqual((graph.kind, graph.row_ids.tolist()), ("square", ["a", "b", "c"]))
        self.assertEqual(edges, [("b", "a", 1), ("c", "b", 1)])
        edges, graph = self.read((np.array([5, 9]), np.array([9, 1])), shape="square", undirected=True)
        self.assertEqual((graph.kind, edges), ("square", [(1, 9, 1), (5, 9, 1), (9, 1, 1), (9, 5, 1)]))

    def test_a_dense_matrix(self):
        edges, graph = self.read(np.array([[0, 2.5, 0], [1, 0, 0]]))
        self.assertEqual((edges, graph.rows, graph.cols), ([(0, 1, 2.5), (1, 0, 1)], 2, 3))
        self.assertEqual(self.read(np.matrix([[1, 2], [0, 4]]))[0], [(0, 0, 1), (0, 1, 2), (1, 1, 4)])

    def test_masked_entries_are_no_edges_of_a_matrix_and_refused_in_arrays(self):
        masked = lambda values, *where: np.ma.masked_array(values, [i in where for i in range(len(values))])
        matrix = np.ma.masked_array([[1.0, 999.0], [np.nan, 4.0]], [[False, True], [True, False]])
        self.assertEqual(self.read(matrix)[0], [(0, 0, 1), (1, 1, 4)])
        a, names = np.array([1, 2, 3]), np.array(["x", "y", "z"], object)
        for graph, words in (((masked(a, 1), a), "rows contain 1 masked"), ((a, masked(a, 0, 1)), "columns contain 2 masked"),
                             ((a, a, masked([5.0, 999, 4], 1)), "weights contain 1 masked"),
                             ((names, masked(names, 1)), "columns contain 1 masked")):
            with self.assertRaisesRegex(ValueError, words):
                self.read(graph)
        with self.assertRaisesRegex(ValueError, "row_ids contain 1 masked"):
            self.read(np.eye(3), row_ids=masked(names, 1))
        self.assertEqual(self.read((masked(a), a))[0], [(1, 1, 1), (2, 2, 1), (3, 3, 1)])

    def test_a_list_of_edges(self):
        self.assertEqual(self.read([(1, 2), (3, 4)])[0], [(1, 2, 1), (3, 4, 1)])
        self.assertEqual(self.read([("b", 1, 2.5), ("a", 3, 1), ("b", 2, 4)])[0], [("a", 3, 1), ("b", 1, 2.5), ("b", 2, 4)])
        for graph in ([[1, 2], [3, 4]], [(1, 2), (3, 4, 5)], [np.array([1, 2]), np.array([3, 4])], [1, 2], []):
            with self.assertRaisesRegex(TypeError, "a list must contain edges"):
                self.read(graph)

    def test_one_long_id_costs_its_own_bytes(self):
        ids = [f"user{i}" for i in range(20000)] + ["x" * 4000]
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        for given in (ids, np.array(ids, object)):
            written = lockstep.write_graph(self.path("g"), (given, given), force=True)
            self.assertLess(os.path.getsize(written.path), 10_000_000)
        known, factors = np.array(sorted(ids), object), np.ones((len(ids), 1), np.float32)
        model = lockstep.Model(factors, factors, known, known, {}, "")
        self.assertEqual(model.predict(["user5", "x" * 4000], ["nobody", "user7"])[1:].tolist(), [1])
        # Padded to equal length they need 80 MB as bytes, 320 MB as text.
        self.assertLess(tracemalloc.get_traced_memory()[1], 60_000_000)
        self.assertEqual(self.read(written)[1].row_ids.tolist(), known.tolist())

    def test_no_edges(self):
        empty = np.empty(0, np.int64)
        self.assertEqual(self.read((empty, empty))[0], [])
        self.assertEqual(self.read(np.zeros((2, 3)))[1].cols, 3)

    @support.needs("scipy")
    def test_matrices_of_scipy(self):
        import scipy.sparse as sp

        # The matrix has a repeated entry and a stored 0.
        coo = sp.coo_matrix(([1, 2.5, 2.5, 0], ([0, 2, 2, 1], [3, 1, 1, 0])), (4, 5))
        positions = [(0, 3, 1), (1, 0, 0), (2, 1, 2.5), (2, 1, 2.5)]
        names = (["n" + str(i) for i in range(4)], [10, 11, 12, 5, 99])
        named = sorted((names[0][i], names[1][j], w) for i, j, w in positions)
        compressed = sp.csr_matrix(([1, 0, 2.5, 2.5], [3, 0, 1, 1], [0, 1, 2, 4, 4]), (4, 5))
        for matrix in (coo, compressed):
            written = lockstep.write_graph(self.path("g"), matrix, force=True)
            self.assertEqual((written.format, written.shape), ("scipy-npz", "bipartite"))
            edges, graph = self.read(written)
            self.assertEqual((edges, graph.rows, graph.cols), (positions, 4, 5), matrix.format)
            edges, graph = self.read(matrix, row_ids=names[0], col_ids=names[1])
            self.assertEqual((edges, graph.rows, graph.cols), (named, 4, 5), matrix.format)
        for layout in ("csc", "bsr", "lil", "dok", "dia"):
            once = sp.csr_matrix(([1, 2.5], ([0, 2], [3, 1])), (4, 6)).asformat(layout)
            self.assertEqual(self.read(once)[0][-2:], [(0, 3, 1), (2, 1, 2.5)], layout)
            if layout == "csc":
                self.assertEqual(self.read(once, col_ids=list("abcdef"))[0], [(0, "d", 1), (2, "b", 2.5)])

    @support.needs("scipy")
    def test_square_matrices(self):
        import scipy.sparse as sp

        ring = sp.csr_matrix(([1, 2, 3], ([0, 1, 2], [1, 2, 0])), (4, 4))
        self.assertEqual(self.read(ring)[1].kind, "square")
        self.assertEqual(self.read(ring, shape="bipartite")[1].kind, "bipartite")
        edges, graph = self.read(ring, row_ids=list("dcba"))
        self.assertEqual((graph.kind, edges), ("square", [("b", "d", 3), ("c", "b", 2), ("d", "c", 1)]))
        self.assertEqual(graph.col_ids.tolist(), list("abcd"))
        self.assertEqual(self.read(ring, row_ids=list("dcba"), col_ids=list("wxyz"))[1].kind, "bipartite")
        for ids in ({"row_ids": list("dcba")}, {"col_ids": list("dcba")}, {"row_ids": list("dcba"), "col_ids": list("dcba")}):
            self.assertEqual(self.read(ring, shape="square", **ids)[0], edges)
        with self.assertRaisesRegex(ValueError, "row_ids and col_ids differ; .*shape='bipartite'"):
            self.read(ring, row_ids=list("dcba"), col_ids=list("wxyz"), shape="square")

    @support.needs("pandas")
    def test_frames_of_pandas(self):
        import pandas as pd

        frame = pd.DataFrame({"time": [9, 9, 9], "who": ["b", "a", "b"], "what": [3, 3, 1], "stars": [4, 5.5, 1]})
        expected = [("a", 3, 5.5), ("b", 1, 1), ("b", 3, 4)]
        self.assertEqual(self.read(frame, columns=["who", "what", "stars"])[0], expected)
        frame["who"] = frame["who"].astype("category")
        self.assertEqual(self.read(frame.rename(columns={"who": "user", "what": "item"}))[0], expected)
        self.assertEqual(self.read(frame, columns=["what", "who"])[0], [(1, "b", 1), (3, "a", 1), (3, "b", 1)])
        frame.loc[0, "who"] = None
        with self.assertRaisesRegex(TypeError, "missing"):
            lockstep.write_graph(self.path("x"), frame, columns=["who", "what"])

    def test_what_is_refused(self):
        a = np.array([1, 2])
        for graph, how, error, words in (
                ((a, a, [1, np.nan]), {}, ValueError, "weight 1 is nan"),
                ((a, a, [1, 1e300]), {}, ValueError, "weight 1 is 1e"),
                ((a, a, ["x", "y"]), {}, TypeError, "weights are of type"),
                ((["a\0b", "a"], a), {}, ValueError, "NUL"),
                ((["a" * 4097, "a"], a), {}, ValueError, "4097 bytes"),
                ((a, a / 2), {}, TypeError, "columns are of type float64"),
                ((a, [None, "x"]), {}, TypeError, "columns contain None"),
                ((a, a[:1]), {}, ValueError, "2, 1 entries"),
                ((a,), {}, TypeError, "1 arrays"),
                ("abc".encode(), {}, TypeError, "bytes is not a graph"),
                ((a, a), {"row_ids": a}, TypeError, "of a matrix"),
                ((a, a), {"columns": ["x", "y"]}, TypeError, "DataFrame"),
                ((a, a), {"shape": "round"}, ValueError, "'round'"),
                ((a, a), {"format": "csv"}, ValueError, "'csv'"),
                (np.ones((2, 3)), {"shape": "square"}, ValueError, "2 x 3"),
                (np.ones((2, 3)), {"row_ids": [1]}, ValueError, "row_ids has 1 entries; the matrix has 2")):
            with self.assertRaisesRegex(error, words):
                lockstep.write_graph(self.path("x"), graph, **how)
        lockstep.write_graph(self.path("x"), (a, a))
        with self.assertRaisesRegex(FileExistsError, "force=True"):
            lockstep.write_graph(self.path("x"), (a, a))
        lockstep.write_graph(self.path("x"), (a, a), force=True)
        self.assertEqual(os.listdir(self.folder), ["x"])  # no half-written file is left


if __name__ == "__main__":
    support.main()
