"""Tests the library from Python: wrong inputs are refused by name; results are those of the programs, bitwise."""
import os
import tempfile
import unittest

import support
from memory_inputs import RING, SPRING, BIPARTITE, random_edges, ratings, conflicts_of
import numpy as np

import lockstep
from lockstep import native


class Inputs(unittest.TestCase):
    """Inputs of batches(): each case is accepted, or refused by an exception that names the error."""

    def right(self, first, second, expected=None, **how):
        found = lockstep.batches(first, second, **how)
        if expected is not None:
            a, b = expected
            self.assertEqual(sorted(found.order.tolist()), list(range(len(a))))
            self.assertFalse(conflicts_of(found, np.asarray(a), np.asarray(b)))
        return found

    def test_number_types_layouts_and_containers_are_one_graph(self):
        i, j = random_edges()
        expected = lockstep.batches(i, j)
        cases = {np.dtype(kind).name: (i.astype(kind), j.astype(kind))
                 for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)}
        cases["byte order"] = (i.astype(">i4"), j.astype(">i8"))
        cases["strided"] = (np.repeat(i, 2)[::2], np.column_stack([j, j])[:, 0])
        cases["reversed twice"] = (i[::-1].copy()[::-1], j[::-1].copy()[::-1])
        cases["lists"] = (i.tolist(), j.tolist())
        cases["mixed types"] = (i.astype(np.int16), j.astype(np.uint64))
        cases["read-only"] = (i.copy(), j.copy())
        for array in cases["read-only"]:
            array.flags.writeable = False
        cases["objects"] = (i.astype(object), j.astype(object))
        cases["masked, none masked"] = (np.ma.array(i), np.ma.array(j))
        cases["bytes of a buffer"] = (np.frombuffer(i.tobytes(), i.dtype), np.frombuffer(j.tobytes(), j.dtype))
        cases["shifted"] = (i + 2**40, j + 2**40)
        cases["negative"] = (i - 1000, j - 1000)
        cases["spread"] = (i * 2**50, j * 2**50)
        cases["names"] = ([f"v{v:03}" for v in i], [f"v{v:03}" for v in j])
        cases["array of names"] = (np.array([f"v{v:03}" for v in i]), np.array([f"v{v:03}" for v in j]))
        for name, (first, second) in cases.items():
            with self.subTest(name):
                found = self.right(first, second)
                self.assertTrue(np.array_equal(found.order, expected.order))
                self.assertTrue(np.array_equal(found.offsets, expected.offsets))
        self.assertGreater(len(cases), 20)

    def test_shapes_of_the_argument_are_one_graph(self):
        i, j = random_edges()
        expected = lockstep.batches(i, j)
        for name, edges in (("pair", (i, j)), ("pair of lists", (i.tolist(), j.tolist())), ("edges", list(zip(i.tolist(), j.tolist()))),
                            ("weighted", (i, j, np.ones(len(i)))), ("graph", lockstep.graph(i, j, ends="vertices", ids="given"))):
            with self.subTest(name):
                self.assertTrue(np.array_equal(lockstep.batches(edges).order, expected.order))

    @support.needs("pandas")
    def test_a_frame_goes_by_its_names(self):
        import pandas as pd

        i, j = random_edges()
        expected = lockstep.batches(i, j)
        for frame in (pd.DataFrame({"to": j, "from": i}), pd.DataFrame({"w": 1.5, "target": j, "source": i})):
            self.assertTrue(np.array_equal(lockstep.batches(frame).order, expected.order))
        with self.assertRaisesRegex(ValueError, "columns=\\["):
            lockstep.batches(pd.DataFrame({"p": i, "q": j}))
        with self.assertRaisesRegex(ValueError, "4 columns without names"):
            lockstep.batches(pd.DataFrame(np.column_stack([i, j, i, j])))
        self.assertEqual(len(lockstep.batches(pd.DataFrame({"p": i, "q": j}).rename(columns={"p": "from", "q": "to"})).order), len(i))

    def test_tables_and_tensors_of_others_go_by_their_protocols(self):
        """Uses replacements of tables and tensors that have only the protocol."""

        class Tensor:
            def __init__(self, values):
                self.values = values

            def __dlpack__(self, **how):
                return self.values.__dlpack__(**how)

            def __dlpack_device__(self):
                return self.values.__dlpack_device__()

        class OnGpu:
            def __dlpack_device__(self):
                return 2, 0

            def __dlpack__(self, **_):
                raise AssertionError("it must not be asked for")

        class Stream:
            def __arrow_c_stream__(self, requested_schema=None):
                raise AssertionError("it must not be asked for")

        i, j = random_edges()
        expected = lockstep.batches(i, j)
        self.assertTrue(np.array_equal(lockstep.batches(Tensor(i), Tensor(j)).order, expected.order))
        with self.assertRaisesRegex(TypeError, "memory of a GPU"):
            lockstep.batches(OnGpu(), OnGpu())
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(TypeError, "pyarrow"):
                lockstep.batches(Stream())
        try:
            from pandas import DataFrame
        except ImportError:
            return

        class Table:
            def __init__(self, frame):
                self.frame = frame

            def __dataframe__(self, nan_as_null=False, allow_copy=True):
                return self.frame.__dataframe__(nan_as_null, allow_copy)

        self.assertTrue(np.array_equal(lockstep.batches(Table(DataFrame({"to": j, "from": i}))).order, expected.order))

    @support.needs("scipy")
    def test_a_matrix_has_its_entries_by_row(self):
        import scipy.sparse as sparse

        i, j = random_edges()
        matrix = sparse.coo_matrix((np.ones(len(i)), (i, j)), (90, 90))
        matrix.sum_duplicates()
        csr = matrix.tocsr()
        rows = np.repeat(np.arange(90), np.diff(csr.indptr))
        for form in ("csr", "csc", "coo", "lil", "dok"):
            found = lockstep.batches(matrix.asformat(form), ends="vertices")
            self.assertEqual(sorted(found.order.tolist()), list(range(csr.nnz)))
            self.assertFalse(conflicts_of(found, rows, csr.indices))
        self.assertTrue(np.array_equal(lockstep.batches(csr.toarray()).order, lockstep.batches(csr, ends="vertices").order))

    @support.needs("scipy")
    def test_a_repeated_entry_of_a_matrix_is_an_edge_each_as_in_a_file(self):
        import scipy.sparse as sparse

        matrix = sparse.coo_matrix((np.array([3., 1, 2, 4]), ([1, 0, 0, 0], [0, 1, 1, 0])), shape=(2, 2))
        made = lockstep.graph(matrix)
        self.assertEqual(made.edges, 4)
        self.assertEqual(lockstep.graph(matrix, repeats="sum").edges, 3)
        with tempfile.TemporaryDirectory() as folder:
            for save in (lambda path: made.save(path), lambda path: lockstep.preprocess(matrix, path, "degree")):
                path = os.path.join(folder, "g.h5")
                save(path)
                graph = lockstep.read_schedules(path).graph
                self.assertEqual(sorted(zip(graph.row_of().tolist(), graph.indices.tolist(), graph.data.tolist())),
                                 [(0, 0, 4), (0, 1, 1), (0, 1, 2), (1, 0, 3)])
                os.remove(path)
        self.assertEqual(len(lockstep.batches(matrix, schedule="agm-e").order), 4)

    def test_one_mistaken_number_does_not_make_millions_of_vertices(self):
        for build in (lambda: lockstep.graph([2**31 - 1], [0]), lambda: lockstep.graph([0], [2**24], ends="vertices")):
            with self.assertRaisesRegex(lockstep.BadInput, "vertices for 1 edges; ids=given"):
                build()
        self.assertEqual(lockstep.graph([2**31 - 1], [0], ids="given").row_ids.tolist(), [2**31 - 1])
        self.assertEqual(lockstep.graph([2**24], [0], rows=2**24 + 1).rows, 2**24 + 1)
        self.assertEqual(lockstep.graph([2**20], [0]).rows, 2**20 + 1)

    def test_wrong_input_is_refused_by_name(self):
        i, j = random_edges()
        nan = i.astype(float)
        nan[3] = np.nan
        empty = np.empty(0, np.int64)
        cases = (
            ("reals", lambda: lockstep.batches(i + 0.5, j), TypeError, "rows are of type float64"),
            ("whole reals", lambda: lockstep.batches(i.astype(float), j), TypeError, r"astype\('int64'\)"),
            ("NaN", lambda: lockstep.batches(nan, j), TypeError, "float64"),
            ("truth", lambda: lockstep.batches(i > 3, j), TypeError, "bool"),
            ("complex", lambda: lockstep.batches(i.astype(complex), j), TypeError, "complex"),
            ("dates", lambda: lockstep.batches(i.astype("M8[s]"), j), TypeError, "datetime64"),
            ("missing", lambda: lockstep.batches([1, None], [2, 3]), TypeError, "None"),
            ("pieces", lambda: lockstep.batches([1, 2.5], [2, 3]), TypeError, "float"),
            ("masked", lambda: lockstep.batches(np.ma.array(i, mask=i == 3), j), ValueError, "masked"),
            ("two dimensions", lambda: lockstep.batches((np.zeros((3, 3), int), j)), (TypeError, ValueError), "entries|dimension"),
            ("options of rows", lambda: lockstep.batches(i, j, even=True), TypeError, "are for rows"),
            ("a negative column", lambda: lockstep.batches(np.array([[0, -1]])), lockstep.BadInput, "columns: entry 1 is -1"),
            ("too few columns", lambda: lockstep.batches(np.array([[0, 7]]), cols=7), lockstep.BadInput, "entry 1 has column 7"),
            ("no such order", lambda: lockstep.batches(np.array([[0, 7]]), order="first"), lockstep.UsageError, "order"),
            ("real rows fixed", lambda: lockstep.batches(np.array([[0, 7]]), fixed=[0.5]), TypeError, "fixed"),
            ("fixed beyond", lambda: lockstep.batches(np.array([[0, 7]]), fixed=[9], cols=8), lockstep.BadInput, "fixed: entry 0 is 9"),
            ("distance 3", lambda: lockstep.color(np.array([[0, 1]]), distance=3), lockstep.UsageError, "distance"),
            ("no edges", lambda: lockstep.color(np.array([[0, 1, 2]])), lockstep.BadInput, "3 columns"),
            ("no graph", lambda: lockstep.color("roads.txt"), TypeError, "not a graph to colour"),
            ("no dimension", lambda: lockstep.batches((3, 4)), TypeError, "len|dimension"),
            ("different lengths", lambda: lockstep.batches(i, j[:-1]), ValueError, "399 entries"),
            ("one array", lambda: lockstep.batches(i), TypeError, "not a graph"),
            ("four arrays", lambda: lockstep.batches((i, j, i, j)), TypeError, "4 arrays"),
            ("text", lambda: lockstep.batches("nowhere.txt"), lockstep.BadInput, "nowhere.txt"),
            ("nothing", lambda: lockstep.batches(None), TypeError, "not a graph"),
            ("a dictionary", lambda: lockstep.batches({1: 2}), TypeError, "not a graph"),
            ("ends", lambda: lockstep.batches(i, j, ends="both"), ValueError, "'both'"),
            ("schedule", lambda: lockstep.batches(i, j, schedule="agm"), lockstep.UsageError, "agm"),
            ("an order", lambda: lockstep.batches(i, j, schedule="shuffle"), lockstep.BadInput, "without sets"),
            ("of two sides", lambda: lockstep.batches(i, j, schedule="sgm"), lockstep.BadInput, "sgm"),
            ("option", lambda: lockstep.batches(i, j, matchings="exact"), lockstep.UsageError, "matching"),
            ("value", lambda: lockstep.batches(i, j, matching="perfect"), lockstep.UsageError, "perfect"),
            ("threads", lambda: lockstep.batches(i, j, threads=-1), lockstep.UsageError, "threads"),
            ("NaN as weight", lambda: lockstep.graph(i, j, nan), ValueError, "weight 3"),
            ("infinite weight", lambda: lockstep.graph(i, j, np.where(i == i[5], np.inf, 1)), ValueError, "weight"),
            ("too large a weight", lambda: lockstep.graph(i, j, np.full(len(i), 1e300)), ValueError, "weight 0"),
            ("weights of text", lambda: lockstep.graph(i, j, ["a"] * len(i)), TypeError, "weights"),
            ("too few weights", lambda: lockstep.graph(i, j, np.ones(3)), ValueError, "3 entries"),
            ("negative number", lambda: lockstep.graph(i - 1, j), lockstep.BadInput, "has the endpoint -1"),
            ("huge number", lambda: lockstep.graph([0, 2**40], [1, 2]), lockstep.BadInput, str(2**40)),
            ("beyond the rows", lambda: lockstep.graph(i, j, rows=3), lockstep.BadInput, "from 0 to 2"),
            ("ids", lambda: lockstep.graph(i, j, ids="names"), ValueError, "'names'"),
            ("repeats", lambda: lockstep.graph([1, 1], [2, 2], repeats="refuse"), lockstep.BadInput, "more than once"),
            ("one set, two sides", lambda: lockstep.graph(i, j, ends="vertices", undirected="x"), lockstep.UsageError, "undirected"),
            ("no such column", lambda: lockstep.graph((i, j), columns=["a", "b"]), TypeError, "DataFrame"),
            ("no source", lambda: lockstep.bfs((i, j), 10**6), lockstep.LockstepError, "1000000"),
            ("strategy", lambda: lockstep.bfs((i, j), 0, strategy="agm-e"), lockstep.UsageError, "agm-e"),
            ("an option of others", lambda: lockstep.bfs((i, j), 0, damping=0.5), lockstep.UsageError, "damping"),
            ("an output", lambda: lockstep.bfs((i, j), 0, output="x"), lockstep.UsageError, "output"),
            ("an application", lambda: lockstep.apply((i, j), "dfs"), lockstep.UsageError, "dfs"),
            ("a mesh", lambda: lockstep.apply((i, j), "dmr"), lockstep.UsageError, "mesh files"),
            ("not square", lambda: lockstep.apply(lockstep.graph(i, j), "bfs", source=0), lockstep.UsageError, "square"),
            ("no GPU", lambda: lockstep.bfs((i, j), 0, device="cuda"), lockstep.NoDevice, "GPU"),
            ("no ratings", lambda: lockstep.MF().fit((empty, empty, empty.astype(float))), lockstep.BadInput, "no ratings"),
            ("equal ratings", lambda: lockstep.MF().fit((i, j, np.ones(len(i)))), lockstep.BadInput, "implicit"),
            ("rank", lambda: lockstep.MF(rank=0).fit(ratings()), lockstep.UsageError, "rank"),
            ("diverges", lambda: lockstep.MF(learning_rate=1e6, sweeps=5).fit(ratings()), lockstep.Diverged, "rate"),
            ("not fitted", lambda: lockstep.MF().predict(1, 2), RuntimeError, "fit first"),
            ("no update", lambda: lockstep.update((i, j), "nowhere.hpp", vertices=np.zeros((80, 2), "f4")), lockstep.BadInput, "nowhere"),
            ("no states", lambda: lockstep.update((i, j), "nowhere.hpp"), TypeError, "no states"),
            ("both kinds", lambda: lockstep.update((i, j), "x.hpp", vertices=i, rows=i), TypeError, "either the former or the latter"),
            ("pickled", lambda: __import__("pickle").dumps(lockstep.graph(i, j)), TypeError, "pickled"),
        )
        if not native.library().lockstep_has_cuda():
            class OnGpu:
                __cuda_array_interface__ = {"data": (4096, False), "shape": (400,), "typestr": "<i8", "version": 3}
            cases += (("memory of a GPU", lambda: lockstep.batches(OnGpu(), j), TypeError, "memory of a GPU"),)
        else:
            cases = tuple(case for case in cases if case[0] != "no GPU")
        for name, use, error, words in cases:
            with self.subTest(name), self.assertRaisesRegex(error, words):
                use()
        self.assertGreater(len(cases), 45)

    def test_small_and_empty_graphs(self):
        empty = np.empty(0, np.int64)
        order, offsets = lockstep.batches(empty, empty)
        self.assertEqual((order.tolist(), offsets.tolist()), ([], [0]))
        self.assertEqual(len(lockstep.batches([], []).sets()), 0)
        self.assertEqual(lockstep.batches([3], [3]).order.tolist(), [0])  # a self-loop
        self.assertEqual(len(lockstep.batches([1, 1, 1], [2, 2, 2]).sets()), 3)  # parallel edges
        self.assertEqual([s.tolist() for s in lockstep.batches(*RING).sets()], [[0, 2, 4], [1, 3, 5]])
        self.assertEqual([s.tolist() for s in lockstep.batches(*RING, ends="sides").sets()], [list(range(6))])
        beyond = lockstep.graph(np.array([2**63 + 1, 5], np.uint64), [0, 0])
        self.assertEqual(beyond.row_ids.tolist(), ["5", str(2**63 + 1)])

    def test_a_graph_of_one_set_is_undirected_to_applications(self):
        i, j = random_edges(300, 60)
        one = lockstep.graph(i, j, ends="vertices")
        arcs = lockstep.graph(np.r_[i, j[i != j]], np.r_[j, i[i != j]], shape="square")
        for application, options in (("bfs", {"source": int(i[0])}), ("cc", {}), ("triangles", {}), ("pagerank", {})):
            with self.subTest(application):
                found, expected = (lockstep.apply(graph, application, device="cpu", **options).columns for graph in (one, arcs))
                for name, values in expected.items():
                    np.testing.assert_array_equal(found[name], values)
        np.testing.assert_array_equal(lockstep.cc(one, device="cpu", order="degree"), lockstep.cc(arcs, device="cpu"))
        with self.assertRaisesRegex(lockstep.LockstepError, "of arcs"):
            lockstep.bfs(one, int(i[0]), device="cpu", strategy="hubs")
        self.assertGreater(len(lockstep.batches(one)), 0)  # the endpoints are still of one set

    def test_every_schedule_has_sets_without_conflicts(self):
        i, j = random_edges(3000, 300)
        for schedule in ("agm-e", "stars", "blkdiag", "tiled", "diag"):
            self.right(i, j, (i, j), schedule=schedule)
        degree = np.bincount(np.concatenate([i, j[i != j]])).max()
        pairs = np.minimum(i, j) * 300 + np.maximum(i, j)
        parallel = np.bincount(pairs[i != j]).max()
        self.assertLessEqual(len(lockstep.batches(i, j, matching="exact").offsets) - 1, degree + parallel)

    def test_a_cut_schedule_file_is_proved_before_use(self):
        made = lockstep.graph(*RING, ends="vertices").schedule("agm-e")
        made.verify("agm-e")
        with self.assertRaisesRegex(lockstep.UsageError, "has no schedule stars; it has agm-e"):
            made.verify("stars")


def first_fit(rows):
    """Returns the phase of every row by the serial greedy algorithm."""
    taken, phases = {}, []
    for row in rows:
        busy = set().union(*(taken.get(column, ()) for column in row))
        phases.append(next(phase for phase in range(len(busy) + 1) if phase not in busy))
        for column in row:
            taken.setdefault(column, set()).add(phases[-1])
    return phases


class Rows(unittest.TestCase):
    """Batches of rows, and colours of vertices."""

    def setUp(self):
        random = np.random.default_rng(3)
        self.rows = random.integers(0, 900, (2000, 4))

    def test_rows_of_an_array_equal_the_serial_loop(self):
        expected = first_fit(self.rows.tolist())
        for name, rows in (("int64", self.rows), ("int32", self.rows.astype(np.int32)), ("uint32", self.rows.astype(np.uint32)),
                           ("int16", self.rows.astype(np.int16)), ("columns first", np.asfortranarray(self.rows))):
            with self.subTest(name):
                found = lockstep.batches(rows)
                self.assertEqual(found.colors().tolist(), expected)
                self.assertEqual(found.order.tolist(), np.argsort(expected, kind="stable").tolist())
        for order in ("largest", "smallest"):
            self.assertLessEqual(len(lockstep.batches(self.rows, order=order).offsets), max(expected) + 3)
        sizes = np.diff(lockstep.batches(self.rows, even=True, threads=1).offsets)
        self.assertLessEqual(sizes.max() - sizes.min(), 1)
        self.assertEqual(len(lockstep.batches(np.empty((0, 3), int)).order), 0)

    def test_fixed_columns_cause_no_conflict(self):
        rows = np.column_stack([np.zeros(100, int), np.arange(1, 101)])
        self.assertEqual(len(lockstep.batches(rows).offsets) - 1, 100)
        self.assertEqual(len(lockstep.batches(rows, fixed=[0]).offsets) - 1, 1)
        self.assertEqual(len(lockstep.batches(rows, fixed=np.arange(101) == 0, verify=False).offsets) - 1, 1)

    @support.needs("scipy")
    def test_rows_of_a_matrix_and_colours_of_a_graph(self):
        import scipy.sparse as sparse

        matrix = sparse.random(400, 300, 0.01, format="csr", random_state=1)
        expected = first_fit(row.indices.tolist() for row in matrix)
        for form in ("csr", "csc", "coo", "lil"):
            self.assertEqual(lockstep.batches(matrix.asformat(form)).colors().tolist(), expected)
        square = sparse.random(300, 300, 0.01, format="csr", random_state=1)
        either = (square + square.T).tocsr()
        for distance, reach in ((1, either), (2, (either @ either + either).tocsr())):
            for graph in (square, either, square.nonzero(), np.column_stack(square.nonzero())):
                how = {} if sparse.issparse(graph) else {"vertices": 300}
                for order in ("given", "largest", "smallest"):
                    colors = lockstep.color(graph, distance=distance, order=order, even=order == "given", **how).colors()
                    u, v = reach.nonzero()
                    self.assertEqual(len(colors), 300)
                    self.assertFalse(np.any(colors[u] == colors[v], where=u != v))
        with self.assertRaisesRegex(ValueError, "400 rows and 300 columns"):
            lockstep.color(matrix)

    def test_the_triangles_of_a_mesh_have_three_colours(self):
        at = np.arange(900).reshape(30, 30)
        corners = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
        a, b, c, d = (corner.ravel() for corner in corners)
        triangles = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
        colors = lockstep.color(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), even=True).colors()
        first, second, third = colors[triangles].T
        self.assertFalse(np.any((first == second) | (second == third) | (first == third)))

    def test_balancing_ends(self):
        edges = np.array([[0, 5], [1, 5], [2, 5], [4, 5], [0, 6], [1, 6], [2, 6], [4, 6], [5, 6]])
        self.assertEqual(sorted(np.diff(lockstep.color(edges, even=True).offsets)), [1, 2, 4])


class Programs(support.InFolder):
    """Tests that results through memory and through files are bitwise identical."""

    def setUp(self):
        super().setUp()
        if not os.environ.get("LOCKSTEP_BIN"):
            self.skipTest("needs the programs: LOCKSTEP_BIN")

    def test_batches(self):
        i, j = random_edges(2000, 150)
        for ends in ("vertices", "sides"):
            for schedule in ("agm-e", "stars"):
                lockstep.preprocess((i, j), self.path("g.h5"), schedule, ends=ends, force=True)
                file = lockstep.read_schedules(self.path("g.h5"))
                places = file.graph.places()
                theirs = [places[s].tolist() for s in file[schedule].supersteps()]
                self.assertEqual([s.tolist() for s in lockstep.batches(i, j, ends=ends, schedule=schedule).sets()], theirs)

    def test_applications(self):
        i, j = random_edges(1200, 150)
        weights = np.random.default_rng(3).integers(1, 9, len(i)).astype(np.float32)
        lockstep.preprocess((i, j, weights), self.path("g.h5"), "hubs", shape="square")
        made = lockstep.graph(i, j, weights, shape="square", ids="given")
        self.assertEqual(made.info.graph_hash, lockstep.read_schedules(self.path("g.h5")).graph.hash)
        for app, options in (("bfs", {"source": int(i[0])}), ("sssp", {"source": int(i[0])}), ("pagerank", {}), ("bp", {}), ("cc", {}),
                             ("kcore", {}), ("mis", {}), ("mst", {}), ("triangles", {})):
            options = {**options, **({"parents": True} if app == "bfs" else {"per_vertex": True} if app == "triangles" else {})}
            theirs = lockstep.execute(self.path("g.h5"), "auto", app=app, device="cpu", output=self.path("r.h5"), force=True, **options)
            ours = lockstep.apply(made, app, device="cpu", verify=True, **options)
            self.assertEqual(ours.result.result_hash, theirs.result_hash, app)
            self.assertEqual({len(column) for column in ours.columns.values()}, {made.rows}, app)
        self.assertTrue(np.array_equal(lockstep.bfs(made, int(i[0]), strategy="hubs", device="cpu"),
                                       lockstep.bfs(made, int(i[0]), device="cpu")))

    def test_factorization(self):
        u, i, r = ratings()
        for kind in (np.asarray, lambda ids: np.array([f"n{v:02}" for v in ids])):
            theirs = lockstep.train((kind(u), kind(i), r), self.path("m.h5"), rank=8, device="cpu", force=True)
            model = lockstep.MF(rank=8, device="cpu").fit((kind(u), kind(i), r))
            self.assertEqual(model.result.result_hash, theirs.result_hash)
            model.save(self.path("ours.h5"), force=True)
            known = lockstep.read_model(self.path("ours.h5"))
            self.assertTrue(np.array_equal(known.row_factors, lockstep.read_model(self.path("m.h5")).row_factors))
            pairs = kind(u[:50]), kind(i[::-1][:50])
            self.assertTrue(np.array_equal(model.predict(*pairs), known.predict(*pairs)))
            best = lockstep.top(self.path("m.h5"), 3, exclude=(kind(u), kind(i), r))
            ids, scores = model.recommend(N=3, exclude=(kind(u), kind(i), r))
            filled = [x for x in ids.ravel().tolist() if x is not None and x != -1]
            self.assertEqual(filled, best["item"].tolist())
            self.assertEqual(scores.ravel()[np.isfinite(scores.ravel())].tolist(), best["score"].tolist())
            alike = lockstep.similar(self.path("m.h5"), kind(i)[0], 4)
            self.assertEqual(model.similar(kind(i)[0], 4)[0].tolist(), alike["other"].tolist())
            told = lockstep.evaluate(self.path("m.h5"), (kind(u), kind(i), r), exclude=(kind(u), kind(i), r))
            ours = model.evaluate((kind(u), kind(i), r), exclude=(kind(u), kind(i), r))
            self.assertEqual([ours[key] for key in told], list(told.values()) if told.get("file") == "memory" else [ours[k] for k in told])
            self.assertEqual((ours.rmse, ours.pairs), (told.rmse, told.pairs))
            again = lockstep.MF.load(self.path("m.h5"))
            self.assertTrue(np.array_equal(again.user_factors, model.user_factors))

    def test_updates(self):
        i, j = random_edges(600, 90)
        keep = i != j
        i, j = i[keep], j[keep]
        source = self.path("spring.hpp")
        with open(source, "w") as file:
            file.write(SPRING)
        states = np.random.default_rng(2).normal(size=(90, 2)).astype(np.float32)
        rest = np.full(len(i), 0.5, np.float32)
        lockstep.preprocess((i, j), self.path("g.h5"), "agm-e", ends="vertices")
        np.save(self.path("x.npy"), states), np.save(self.path("e.npy"), rest)
        theirs = lockstep.execute(self.path("g.h5"), "agm-e", update=source, vertices=self.path("x.npy"), edges=self.path("e.npy"),
                                  sweeps=3, output=self.path("y.npy"), device="cpu")
        before = states.copy()
        done = lockstep.update((i, j), source, vertices=states, edges=rest, sweeps=3, strategy="agm-e", device="cpu", verify=True)
        self.assertTrue(np.array_equal(done.vertices, np.load(self.path("y.npy"))))
        self.assertEqual(done.result.result_hash, theirs.result_hash)
        self.assertTrue(np.array_equal(states, before))
        wide = np.zeros((90, 4), np.float32)
        wide[:, :2] = states
        self.assertTrue(np.array_equal(lockstep.update((i, j), source, vertices=wide[:, :2], edges=rest, sweeps=3, strategy="agm-e",
                                                       in_place=True, device="cpu").vertices, done.vertices))
        self.assertTrue(np.array_equal(wide[:, :2], done.vertices))
        structs = states.view([("x", "f4"), ("y", "f4")]).ravel()
        self.assertTrue(np.array_equal(lockstep.update((i, j), source, vertices=structs, edges=rest, sweeps=3, strategy="agm-e",
                                                       device="cpu").vertices.view("f4").reshape(90, 2), done.vertices))
        for wrong, words in ((states[:, :1], "1 × float32"), (states[:5], "from 0 to 4"), (states.astype("f8"), "2 × float64"),
                             (np.ma.array(states, mask=states > 1), "masked"), (states.astype(object), "object")):
            with self.assertRaisesRegex((lockstep.LockstepError, TypeError, ValueError), words):
                lockstep.update((i, j), source, vertices=wrong, edges=rest, strategy="agm-e")
        frozen = states.copy()
        frozen.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            lockstep.update((i, j), source, vertices=frozen, edges=rest, strategy="agm-e", in_place=True)
        other = self.path("rank1.hpp")  # another update in the same process, with two sides
        with open(other, "w") as file:
            file.write(BIPARTITE)
        u, v, r = ratings()
        two = lockstep.update((u, v), other, rows=np.ones((60, 1), "f4"), cols=np.ones((25, 1), "f4"), edges=r, strategy="sgm",
                              parameters={"rate": 0.01}, verify=True, device="cpu")
        self.assertEqual((two.rows.shape, two.cols.shape), ((60, 1), (25, 1)))
        self.assertTrue((two.rows != 1).all())


if __name__ == "__main__":
    support.main()
