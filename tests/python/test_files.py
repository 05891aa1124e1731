"""Tests reading Lockstep's files: schedules, conflicts, models, results and run records."""
import support
import numpy as np

import lockstep

SAMPLES = support.ROOT / "samples"
PAPER, RATINGS = str(SAMPLES / "paper.txt"), str(SAMPLES / "ratings.txt")


class Schedules(support.InFolder):
    def test_the_paper_s_graph(self):
        lockstep.preprocess(PAPER, self.path("p.h5"), ["agm-e", "blkdiag", "shuffle", "degree"], block="2x1")
        file = lockstep.read_schedules(self.path("p.h5"))
        graph = file.graph
        self.assertEqual((graph.rows, graph.cols, graph.edges, graph.kind), (6, 4, 12, "bipartite"))
        lines = np.loadtxt(PAPER)
        edges = np.column_stack([graph.row_ids[graph.row_of()], graph.col_ids[graph.indices], graph.data])
        self.assertEqual(edges[graph.input_order].tolist() if graph.input_order is not None else edges.tolist(), lines.tolist())
        # The edges of figure 3 are a … l in the order of the lines. Its matchings are agi bfj chk dl e.
        letters = {pair: letter for pair, letter in zip(map(tuple, lines[:, :2].astype(int)), "abcdefghijkl")}
        named = ["".join(sorted(letters[graph.row_ids[u], graph.col_ids[v]] for u, v in zip(graph.row_of()[s], graph.indices[s])))
                 for s in file["agm-e"].supersteps()]
        self.assertEqual(named, "agi bfj chk dl e".split())
        self.assertEqual(list(file.schedules), ["agm-e", "blkdiag", "shuffle", "degree"])
        self.assertEqual((file["agm-e"].disjoint, file["agm-e"].maximal, file["agm-e"].statistics["rounds"]), ("both", True, 5))
        with self.assertRaisesRegex(ValueError, "shuffle is an order without supersteps"):
            file["shuffle"].supersteps()
        with self.assertRaisesRegex(KeyError, "there is no schedule sgm; there are agm-e"):
            file["sgm"]
        self.assertEqual(list(lockstep.read_schedules(self.path("p.h5"), ["degree"]).schedules), ["degree"])

    def check(self, path, what):
        """Checks every schedule with phases: it has each edge once, no conflict in a superstep, and keeps the
        order of the edges of each vertex."""
        file = lockstep.read_schedules(path)
        graph, seen = file.graph, 0
        for name, schedule in file.schedules.items():
            if "phase" not in schedule.offsets or schedule.disjoint == "none":
                continue
            seen += 1
            sets = schedule.supersteps()
            edges = np.concatenate(sets)
            self.assertEqual(sorted(edges.tolist() + schedule.order[:schedule.locked].tolist()), list(range(graph.edges)), name)
            self.assertEqual(len(lockstep.conflicts(graph, sets, schedule.disjoint)), 0, (what, name))
            # The edges of a vertex keep their order in the schedule, so that results are bitwise identical.
            sides = {"row": [graph.row_of()], "col": [graph.indices]}.get(schedule.disjoint, [graph.row_of(), graph.indices])
            if "tile" in schedule.offsets:
                continue  # concurrent tiles interleave; the check above excludes conflicts between them
            for ends in sides:
                for order in (edges, schedule.order[schedule.locked:]):
                    by_vertex = order[np.argsort(ends[order], kind="stable")]
                    self.assertEqual(by_vertex.tolist(), edges[np.argsort(ends[edges], kind="stable")].tolist(), name)
        return seen

    def test_supersteps_of_every_schedule_are_free_of_conflicts(self):
        lockstep.preprocess(RATINGS, self.path("r.h5"), "agm-e,agm-n,sgm,diag,blkdiag,tiled,el-sgm,blocked,edge-tiled",
                            workers=16, item_blocks=4, user_blocks=8)
        self.assertGreaterEqual(self.check(self.path("r.h5"), "ratings"), 8)
        lockstep.run("lockstep-generate", "road", vertices=2500, output=self.path("road.txt"))
        lockstep.preprocess(self.path("road.txt"), self.path("road.h5"), "local,agm-e", on_chip=8)
        self.assertEqual(self.check(self.path("road.h5"), "road"), 2)

    def test_planted_conflicts_are_found(self):
        lockstep.preprocess(RATINGS, self.path("r.h5"))
        file = lockstep.read_schedules(self.path("r.h5"))
        sets = file["agm-e"].supersteps()
        rows = file.graph.row_of()
        last = sets[-1][0]
        other = next(i for i, s in enumerate(sets) if (rows[s] == rows[last]).any())
        planted = [*sets[:other], np.append(sets[other], last), *sets[other + 1:-1], sets[-1][1:]]
        for sides, count in (("row", 1), ("both", None), ("col", None)):
            found = lockstep.conflicts(file.graph, planted, sides)
            self.assertTrue(all(step == other and last in (a, b) for step, a, b in found.tolist()))
            if count:
                self.assertEqual(len(found), count)
                _, a, b = found[0]
                self.assertEqual(rows[a], rows[b])
        twice = [np.append(sets[0], sets[0][0])]
        self.assertEqual(lockstep.conflicts(file.graph, twice).tolist(), [[0, sets[0][0], sets[0][0]]])

    def test_strings_integers_and_ranges_are_decoded(self):
        lockstep.preprocess((["ß", "a b", "a b"], [5, -3, 9], [1, 2, 3]), self.path("s.h5"))
        graph = lockstep.read_schedules(self.path("s.h5")).graph
        self.assertEqual((graph.row_ids.tolist(), graph.col_ids.tolist()), (["a b", "ß"], [-3, 5, 9]))
        self.assertEqual(graph.col_ids.dtype, np.int64)
        lockstep.preprocess((np.array([7, 8]), np.array([3, 4])), self.path("t.h5"))
        graph = lockstep.read_schedules(self.path("t.h5")).graph
        self.assertEqual((graph.row_ids.tolist(), graph.col_ids.tolist(), graph.data.tolist()), ([7, 8], [3, 4], [1, 1]))

    def test_the_way_back_to_ones_own_order(self):
        rng = np.random.RandomState(5)
        rows, cols, weights = rng.randint(0, 30, 200), rng.randint(0, 20, 200), rng.rand(200).astype(np.float32)
        names = np.array([f"u{row}" for row in rows], object)
        order = np.argsort(names, kind="stable")  # sorted as in AnnData
        for graph in ((rows, cols, weights), (names[order], cols[order], weights[order])):
            lockstep.preprocess(graph, self.path("g.h5"), "agm-e", force=True)
            file = lockstep.read_schedules(self.path("g.h5"))
            g, places = file.graph, file.graph.places()
            for batch in file["agm-e"].supersteps():
                mine = places[batch]
                self.assertEqual(graph[2][mine].tolist(), g.data[batch].tolist())
                self.assertEqual(graph[0][mine].tolist(), g.row_ids[g.row_of()[batch]].tolist())
                self.assertEqual(graph[1][mine].tolist(), g.col_ids[g.indices[batch]].tolist())

    def test_the_two_sides_of_a_square_graph_are_apart(self):
        lockstep.preprocess(([1, 2, 3], [2, 3, 1]), self.path("g.h5"), "agm-e", shape="square")
        file = lockstep.read_schedules(self.path("g.h5"))
        sets = file["agm-e"].supersteps()
        self.assertEqual((len(sets), len(lockstep.conflicts(file.graph, sets))), (1, 0))

    @support.needs("scipy")
    def test_a_matrix_comes_back_from_the_file(self):
        import scipy.sparse as sp

        matrix = sp.random(30, 20, 0.2, "csr", np.float32, np.random.RandomState(1))
        lockstep.preprocess(matrix, self.path("m.h5"))
        self.assertEqual(abs(lockstep.read_schedules(self.path("m.h5")).graph.to_scipy() - matrix).nnz, 0)

    def test_files_of_another_kind_are_refused(self):
        lockstep.preprocess(PAPER, self.path("p.h5"))
        for read in (lockstep.read_model, lockstep.read_result):
            with self.assertRaisesRegex(ValueError, "a file of lockstep-schedules; expected"):
                read(self.path("p.h5"))
        import h5py

        with h5py.File(self.path("x.h5"), "w") as file:
            file.attrs["format"], file.attrs["version"] = "lockstep-schedules", "2.0"
        with self.assertRaisesRegex(ValueError, "version 2.0"):
            lockstep.read_schedules(self.path("x.h5"))
        with h5py.File(self.path("y.h5"), "w"):
            pass
        with self.assertRaisesRegex(ValueError, "not a file of Lockstep"):
            lockstep.read_schedules(self.path("y.h5"))


class Commands(support.InFolder):
    def test_verify_inspect_and_recommend(self):
        made = lockstep.preprocess(RATINGS, self.path("r.h5"), ["agm-e", "sgm"])
        self.assertEqual((made.rows, made.cols, made.edges, [s["name"] for s in made.schedules]), (200, 80, 2000, ["agm-e", "sgm"]))
        self.assertTrue(lockstep.verify(self.path("r.h5"), input=RATINGS).ok)
        with self.assertRaises(lockstep.VerificationFailed) as caught:
            lockstep.verify(self.path("r.h5"), input=PAPER)
        self.assertFalse(caught.exception.result["ok"])
        self.assertIn("another graph", caught.exception.message)
        self.assertEqual(lockstep.inspect(self.path("r.h5"))["graph"]["edges"], 2000)
        ranked = lockstep.recommend(self.path("r.h5"), device="h200", rank=16, sweeps=20)
        self.assertIn(ranked.best, [s["strategy"] for s in ranked.strategies])
        rows, cols, _ = np.loadtxt(RATINGS).T
        given = lockstep.recommend((rows.astype(int), cols.astype(int)), device="h200", rank=16, sweeps=20)
        self.assertEqual(given["best"], lockstep.recommend(RATINGS, device="h200", rank=16, sweeps=20)["best"])

    def test_a_model_predicts_as_the_program_does(self):
        names = np.array(["user %d" % u for u in range(12)], object)
        rows, cols = np.divmod(np.arange(120) * 7 % 144, 12)
        ratings = (names[rows], cols + 3, (rows * cols % 5) + 1.0)
        lockstep.preprocess(ratings, self.path("r.h5"))
        done = lockstep.execute(self.path("r.h5"), "agm-e", device="cpu", rank=8, sweeps=3, model=self.path("m.h5"),
                                record=self.path("r.jsonl"), test_fraction=0.2)
        model = lockstep.read_model(self.path("m.h5"))
        self.assertEqual((model.rank, model.row_ids.tolist(), model.col_ids.tolist()), (8, sorted(names), list(range(3, 15))))
        with open(self.path("pairs.txt"), "w") as file:
            file.writelines(f"{u}\t{i}\n" for u, i in zip(*ratings[:2]))
        told = lockstep.predict(self.path("m.h5"), self.path("pairs.txt"), delimiter="tab", header="no")
        self.assertEqual((told["row"].tolist(), told["col"].tolist()), (list(ratings[0]), list(ratings[1])))
        self.assertEqual(told["prediction"].tolist(), model.predict(*ratings[:2]).tolist())
        self.assertTrue(np.isnan(model.predict(["user 1", "nobody"], [99, 5])).all())
        with self.assertRaisesRegex(ValueError, "3 rows and 1 columns are given"):
            model.predict(["user 1", "user 2", "user 3"], [3])
        with self.assertRaisesRegex(ValueError, "columns contain 1 masked"):
            model.predict(["user 1"], np.ma.masked_array([3], [True]))

        best = lockstep.top(self.path("m.h5"), 2, users=["user 3", "user 11"], exclude=ratings)
        self.assertEqual(best["user"].tolist(), ["user 3"] * 2 + ["user 11"] * 2)
        self.assertEqual(best["rank"].tolist(), [1, 2] * 2)
        rated = set(zip(ratings[0], ratings[1].tolist()))
        self.assertFalse(rated & set(zip(best["user"], best["item"].tolist())))
        self.assertEqual(best["score"].tolist(), model.predict(best["user"], best["item"]).tolist())
        scores = {i: model.predict(["user 3"], [i])[0] for i in model.col_ids.tolist() if ("user 3", i) not in rated}
        self.assertEqual(best["item"][:2].tolist(), sorted(scores, key=lambda i: (-scores[i], i))[:2])
        self.assertEqual(len(lockstep.top(self.path("m.h5"), 2, include_taken=True)["user"]), 24)
        self.assertEqual(lockstep.similar(self.path("m.h5"), 5, 4)["item"].tolist(), [5] * 4)

        run, = lockstep.read_record(self.path("r.jsonl"))
        self.assertEqual((run.header["strategy"], run.header["rank"], run.end["status"]), ("agm-e", 8, "ok"))
        self.assertEqual(run.end["result_hash"], done.result_hash)
        self.assertEqual(run.sweeps["sweep"].tolist(), [1, 2, 3])
        self.assertEqual(run.sweeps["rmse_test"][-1], done.rmse_test)

    def test_training_in_one_command(self):
        rows, cols, ratings = np.loadtxt(RATINGS).T
        done = lockstep.train((rows.astype(int), cols.astype(int), ratings), self.path("m.h5"), device="cpu", rank=4,
                              strategy="agm-e", keep=self.path("kept.h5"))
        self.assertEqual((done.strategy, done.rank, done.input.edges), ("agm-e", 4, 2000))
        model = lockstep.read_model(self.path("m.h5"))
        self.assertEqual((model.rank, len(model.row_ids)), (4, 200))
        # Training with the kept schedule file gives a bitwise identical result.
        again = lockstep.train(self.path("kept.h5"), self.path("n.h5"), device="cpu", rank=4, strategy="agm-e")
        self.assertEqual(again.result_hash, done.result_hash)

    def test_records_with_a_fault_and_of_a_run_that_died(self):
        with open(self.path("r.jsonl"), "w") as file:
            file.write('{"record":"run","app":"sgd"}\n{"record":"sweep","sweep":1,"rmse_train":null}\n')
        run, = lockstep.read_record(self.path("r.jsonl"))
        self.assertIsNone(run.end)
        self.assertTrue(np.isnan(run.sweeps["rmse_train"][0]))
        with open(self.path("a.jsonl"), "w") as file:  # the record of a traversal from two sources
            file.write('{"record":"run","app":"bfs"}\n{"record":"sweep","sweep":1,"round_active":[1,7]}\n{"record":"sweep","sweep":2}\n')
        run, = lockstep.read_record(self.path("a.jsonl"))
        self.assertEqual(run.sweeps["round_active"][0], [1, 7])
        self.assertEqual(len(run.sweeps["round_active"]), 2)
        for text, line in (("[1]", 1), ('{"record":"end"}', 1), ('{"record":"run"}\n{"rec', 2)):
            with open(self.path("x.jsonl"), "w") as file:
                file.write(text + "\n")
            with self.assertRaisesRegex(ValueError, f"x.jsonl:{line}: "):
                lockstep.read_record(self.path("x.jsonl"))

    def test_records_of_runs_that_were_mixed(self):
        with open(self.path("m.jsonl"), "w") as file:
            file.writelines('{"record":"%s","run":"%s"%s}\n' % line for line in (
                ("run", "a", ""), ("run", "b", ""), ("sweep", "b", ',"sweep":1,"rmse_train":2'), ("sweep", "a", ',"sweep":1,"rmse_train":1'),
                ("end", "a", ',"status":"ok"'), ("sweep", "b", ',"sweep":2,"rmse_train":3')))
        a, b = lockstep.read_record(self.path("m.jsonl"))
        self.assertEqual((a.sweeps["rmse_train"].tolist(), a.end["status"]), ([1], "ok"))
        self.assertEqual((b.sweeps["rmse_train"].tolist(), b.end), ([2, 3], None))
        self.assertEqual(set(b.sweeps), {"sweep", "rmse_train"})

    def test_levels_parents_distances_and_ranks(self):
        arcs = (["a", "a", "b", "x"], ["b", "c", "d", "a"], [1, 5, 2, 1])
        lockstep.preprocess(arcs, self.path("g.h5"), "degree", shape="square")
        out = self.path("out.h5")
        lockstep.execute(self.path("g.h5"), app="bfs", source="a", device="cpu", parents=True, output=out)
        bfs = lockstep.read_result(out)
        self.assertEqual(bfs.ids.tolist(), ["a", "b", "c", "d", "x"])
        self.assertEqual(bfs.reached("levels").tolist(), [True] * 4 + [False])
        self.assertEqual(bfs["levels"][:4].tolist(), [0, 1, 1, 2])
        self.assertEqual(bfs.ids_of("parents").tolist()[1:], ["a", "a", "b", None])
        lockstep.execute(self.path("g.h5"), app="sssp", source="a", device="cpu", output=out)
        sssp = lockstep.read_result(out)
        self.assertEqual((sssp["distances"][:4].tolist(), sssp.reached("distances")[4]), ([0, 1, 5, 3], False))
        lockstep.execute(self.path("g.h5"), app="pagerank", device="cpu", output=out, force=True)
        ranks = lockstep.read_result(out)
        self.assertAlmostEqual(ranks["ranks"].sum(), 1, 5)
        self.assertEqual(ranks.parameters["damping"], "0.85")


if __name__ == "__main__":
    support.main()
