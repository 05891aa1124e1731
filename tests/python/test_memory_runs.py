"""Tests models and processes in memory: column names, unknown ids, threads, forks, callbacks and Ctrl-C."""
import os
import signal
import subprocess
import sys
import threading
import unittest.mock
import warnings

import support
from memory_inputs import RING, random_edges, ratings
import numpy as np

import lockstep


class Models(support.InFolder):
    @support.needs("pandas")
    def test_frames_go_by_their_names(self):
        """Frames are read by the names of their columns. Frames with unclear columns are refused with a
        message."""
        import pandas as pd

        u, i, r = ratings()
        right = lockstep.MF(rank=4, device="cpu").fit((u, i, r))
        goodbooks = pd.DataFrame({"book_id": i, "user_id": u, "rating": r})
        timed = pd.DataFrame({"t": np.arange(len(u)), "user": u, "book": i, "rating": r})
        for frame in (goodbooks, timed):
            self.assertEqual(lockstep.MF(rank=4, device="cpu").fit(frame).result.result_hash, right.result.result_hash)
        with self.assertRaisesRegex(ValueError, "4 columns without names"):
            lockstep.MF().fit(pd.DataFrame(timed.to_numpy()))
        with self.assertRaisesRegex(ValueError, r"give columns=\["):
            lockstep.MF().fit(pd.DataFrame({"who": u, "what": i, "much": r}))
        named = lockstep.MF(rank=4, device="cpu").fit(pd.DataFrame({"much": r, "what": i, "who": u}), columns=["who", "what", "much"])
        self.assertEqual(named.result.result_hash, right.result.result_hash)

    def test_unknown_users_and_items_are_told(self):
        u, i, r = ratings()
        model = lockstep.MF(rank=4, device="cpu").fit((u, i, r))
        with self.assertWarnsRegex(UserWarning, "1 of 3 users are not in the model"):
            self.assertEqual(model.recommend([1, 2, 999], 3)[0].shape, (2, 3))
        with self.assertRaisesRegex(KeyError, "999"):
            model.recommend(999)
        with self.assertRaisesRegex(KeyError, "none of the 2"):
            model.recommend([998, 999])
        with self.assertRaisesRegex(KeyError, "item 'x'"):
            model.similar("x")
        with self.assertRaisesRegex(ValueError, "N is 0"):
            model.recommend(1, 0)
        self.assertTrue(np.isnan(model.predict(1, 10**6)))
        self.assertEqual(model.predict([1, 2], [3, 4]).shape, (2,))
        with self.assertRaisesRegex(ValueError, "expected equal numbers"):
            model.predict([1, 2], [3])
        with self.assertWarnsRegex(UserWarning, r"\d+ of \d+ pairs have an id that is not in the model"):
            self.assertGreater(model.evaluate((u + 40, i, r)).unknown, len(u) // 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.evaluate((u, i, r))
        ids, scores = model.recommend(int(u[0]), 30, filter_already_liked_items=False)
        self.assertEqual((len(ids), len(set(ids.tolist()))), (25, 25))
        self.assertTrue((np.diff(scores) <= 0).all())
        self.assertFalse(set(model.recommend(int(u[0]), 5, exclude=(u, i, r))[0].tolist()) & set(i[u == u[0]].tolist()))
        with self.assertRaises(lockstep.OutputFailed):
            model.save(self.path("m.h5")), model.save(self.path("m.h5"))

    def test_lists_leave_out_what_was_taken(self):
        """Tests lists of a fitted model and of one read from its file, like those of the package implicit;
        and exclude=."""
        u, i, r = ratings()
        for options in ({"rank": 4}, {"feedback": "implicit", "rank": 4}, {"feedback": "implicit", "solver": "sgd", "negatives": 2, "rank": 4}):
            model = lockstep.MF(device="cpu", **options).fit((u, i, r))
            model.save(self.path("m.h5"), force=True)
            for known in (model, lockstep.MF.load(self.path("m.h5"))):
                items, scores = known.recommend(N=25)
                for user, list_of_user, its_scores in zip(known.user_ids.tolist(), items.tolist(), scores):
                    taken, listed = set(i[u == user].tolist()), [item for item in list_of_user if item >= 0]
                    self.assertEqual(set(listed), set(known.item_ids.tolist()) - taken)
                    self.assertTrue((np.isnan(its_scores) == (np.array(list_of_user) < 0)).all())
                whole = known.recommend(N=25, filter_already_liked_items=False)[0]
                self.assertTrue((np.sort(whole, axis=1) == known.item_ids).all())
                more = known.recommend(int(u[0]), 25, exclude=([u[0]], [items[known.user_ids == u[0]][0, 0]]))[0]
                self.assertEqual(more.tolist(), [*items[known.user_ids == u[0]][0, 1:].tolist(), -1])
        best = lockstep.top(self.path("m.h5"), 25)
        self.assertFalse(set(zip(best["user"].tolist(), best["item"].tolist())) & set(zip(u.tolist(), i.tolist())))
        self.assertEqual(len(lockstep.top(self.path("m.h5"), 25, include_taken=True)["item"]), 25 * len(model.user_ids))

    def test_a_search_takes_what_it_found(self):
        heard = []
        model = lockstep.MF(rank=4, device="cpu", search=1, folds=2).fit(ratings(), progress=lambda note, *_: heard.append(note))
        best = model.result.search.best
        self.assertEqual(model.user_factors.shape[1], model.rank)  # also if the rank is 1
        self.assertEqual((model.rank, best["folds"]), (best["rank"], 2))
        self.assertTrue(any(note and note.startswith("search: ") for note in heard))
        with self.assertRaisesRegex(lockstep.UsageError, "folds"):
            lockstep.MF(search=1, folds=1).fit(ratings())

    def test_clicks(self):
        """Implicit feedback is fitted by als, with results identical to the program's, unless pairs are to be
        drawn."""
        u, i, r = ratings()
        model = lockstep.MF(device="cpu", feedback="implicit", positive_from=3).fit((u, i, r))
        done = lockstep.train((u, i, r), self.path("m.h5"), feedback="implicit", positive_from=3, device="cpu")
        self.assertEqual((model.parameters["solver"], model.rank), ("als", 64))
        self.assertEqual(model.result.result_hash, done.result_hash)
        self.assertTrue(np.array_equal(model.user_factors, lockstep.MF.load(self.path("m.h5")).user_factors))
        drawn = lockstep.MF(rank=4, device="cpu", feedback="implicit", solver="sgd", negatives=2).fit((u, i))
        self.assertEqual((drawn.parameters["feedback"], drawn.result.strategy != "cholesky"), ("implicit", True))
        with self.assertRaisesRegex(ValueError, "solver='sgd'"):
            lockstep.MF(feedback="implicit", negatives=2).fit((u, i))
        with self.assertRaisesRegex(lockstep.UsageError, "strategy"):
            lockstep.MF(feedback="implicit", strategy="tiled").fit((u, i))

    def test_options_are_checked_by_the_constructor(self):
        for options, error, words in (({"learning_rte": 0.1}, lockstep.UsageError, "learning.rte"),
                                      ({"rank": 0}, lockstep.UsageError, "rank"),
                                      ({"sweeps": "many"}, lockstep.UsageError, "sweeps"),
                                      ({"strategy": "agm"}, lockstep.UsageError, "agm"),
                                      ({"strategy": "all"}, lockstep.UsageError, "programs only"),
                                      ({"solver": "cholesky"}, lockstep.UsageError, "cholesky"),
                                      ({"feedback": "clicks"}, lockstep.UsageError, "clicks"),
                                      ({"positive_from": 3}, lockstep.UsageError, "feedback implicit"),
                                      ({"feedback": "implicit", "strategy": "tiled"}, lockstep.UsageError, "solver=sgd"),
                                      ({"feedback": "implicit", "negatives": 2}, ValueError, "solver='sgd'"),
                                      ({"search": 1, "folds": 1}, lockstep.UsageError, "folds"),
                                      ({"model": "x"}, lockstep.UsageError, "programs only"),
                                      ({"sweeps": {3}}, TypeError, "sweeps is a set")):
            with self.subTest(options), self.assertRaisesRegex(error, words):
                lockstep.MF(**options)
        lockstep.MF(rank=8, sweeps=3, device="cuda", test_latest=0.1, threads=2, early_stop=0)

    def test_similar_of_several_items_is_a_row_each(self):
        u, i, r = ratings()
        names = np.array([f"n{v:02}" for v in i])
        model = lockstep.MF(rank=4, device="cpu").fit((u, names, r))
        ids, alike = model.similar(["n01", "n07"], 3)
        self.assertEqual((ids.shape, alike.shape), ((2, 3), (2, 3)))
        for row, name in enumerate(("n01", "n07")):
            single = model.similar(name, 3)
            self.assertEqual((ids[row].tolist(), alike[row].tolist()), (single[0].tolist(), single[1].tolist()))
        with self.assertWarnsRegex(UserWarning, "1 of 3 items are not in the model"):
            self.assertEqual(model.similar(["n01", "x", "n07"], 3)[0].tolist(), ids.tolist())
        with self.assertRaisesRegex(KeyError, "none of the 2 items"):
            model.similar(["x", "y"])
        if os.environ.get("LOCKSTEP_BIN"):
            model.save(self.path("m.h5"))
            found = lockstep.similar(self.path("m.h5"), ["n01", "n07"], 3)
            self.assertEqual((found["item"].tolist(), found["other"].tolist()), (["n01"] * 3 + ["n07"] * 3, ids.ravel().tolist()))

    @support.needs("pandas")
    def test_a_frame_splits_by_its_times_as_its_file(self):
        import pandas as pd

        u, i, r = ratings()
        when = np.random.default_rng(5).permutation(len(u)) + 1_000_000_000
        frame = pd.DataFrame({"user": u, "item": i, "rating": r, "timestamp": when})
        frame.to_csv(self.path("r.csv"), index=False)
        how = {"rank": 4, "device": "cpu", "test_latest": 0.2, "strategy": "agm-e"}
        right = lockstep.MF(**how).fit(self.path("r.csv")).result
        self.assertEqual(right.test_edges, round(0.2 * len(u)))
        dated = frame.assign(timestamp=pd.to_datetime(frame.timestamp, unit="s", utc=True)).rename(columns={"timestamp": "moment"})
        arrays = lockstep.graph(u, i, r, times=when, ids="given", shape="bipartite")
        for found in (lockstep.MF(**how).fit(frame), lockstep.MF(**how).fit(dated, time_column="moment"),
                      lockstep.MF(**how).fit(frame, columns=["user", "item", "rating"]), lockstep.MF(**how).fit(arrays)):
            self.assertEqual((found.result.result_hash, found.result.rmse_test), (right.result_hash, right.rmse_test))
        with self.assertRaisesRegex(ValueError, r"none may be the times; give time_column="):
            lockstep.MF(**how).fit(frame.rename(columns={"timestamp": "moment"}), columns=["user", "item", "rating"])
        with self.assertRaisesRegex(TypeError, "pandas.to_datetime"):
            lockstep.MF(**how).fit(frame.assign(timestamp="2015-03-01"))
        with self.assertRaisesRegex(lockstep.BadInput, "needs times"):
            lockstep.MF(**how).fit((u, i, r))
        if os.environ.get("LOCKSTEP_BIN"):
            for graph, more in ((self.path("r.csv"), {}), (frame, {}), (dated, {"time_column": "moment"}),
                                (frame.assign(user=[f'u"{v}' for v in u], item=[f"i,{v}" for v in i]), {})):
                told = lockstep.train(graph, self.path("m.h5"), force=True, **how, **more)
                self.assertEqual((told.rmse_test, told.test_edges), (right.rmse_test, right.test_edges))

    @support.needs("pandas")
    def test_ratings_in_memory_to_test_by(self):
        import pandas as pd

        u, i, r = ratings()
        later = np.arange(len(u)) % 5 == 0
        frame = pd.DataFrame({"user": u, "item": i, "rating": r})
        frame[later].to_csv(self.path("t.csv"), index=False)
        how = {"rank": 4, "device": "cpu", "strategy": "agm-e"}
        right = lockstep.MF(test=self.path("t.csv"), **how).fit(frame[~later]).result
        for test in (frame[later], (u[later], i[later], r[later])):
            self.assertEqual(lockstep.MF(test=test, **how).fit(frame[~later]).result.rmse_test, right.rmse_test)
            if os.environ.get("LOCKSTEP_BIN"):
                told = lockstep.train(frame[~later], self.path("m.h5"), test=test, force=True, **how)
                self.assertEqual(told.rmse_test, right.rmse_test)


def in_a_process(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(support.ROOT / "tools/python")})


class Processes(support.InFolder):
    def test_threads_models_at_once_and_what_they_raise(self):
        u, i, r = ratings()
        alone = [lockstep.MF(rank=rank, device="cpu").fit((u, i, r)).user_factors for rank in (4, 8)]
        levels = lockstep.bfs(random_edges(), 0, device="cpu")
        found, raised = {}, []

        def work(n):
            try:
                found[n] = [lockstep.MF(rank=4 * (1 + n % 2), device="cpu").fit((u, i, r)).user_factors,
                            lockstep.batches(*random_edges()).order, lockstep.bfs(random_edges(), 0, device="cpu")]
                with self.assertRaisesRegex(lockstep.UsageError, f"no schedule n{n};"):
                    lockstep.graph(*RING).verify(f"n{n}")
            except BaseException as error:
                raised.append(error)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        [thread.start() for thread in threads], [thread.join() for thread in threads]
        self.assertFalse(raised)
        for n, (factors, order, reached) in found.items():
            self.assertTrue(np.array_equal(factors, alone[n % 2]))
            self.assertTrue(np.array_equal(order, found[0][1]) and np.array_equal(reached, levels))

    def test_a_graph_of_several_threads(self):
        made = lockstep.graph(*random_edges(2000, 100), ends="vertices")
        threads = [threading.Thread(target=made.schedule, args=(name,)) for name in ("agm-e", "stars", "diag", "agm-e")]
        [thread.start() for thread in threads], [thread.join() for thread in threads]
        self.assertEqual(sorted(s["name"] for s in made.info.schedules), ["agm-e", "diag", "stars"])

    def test_a_fork_goes_on(self):
        u, i, r = ratings()
        expected = lockstep.MF(rank=4, device="cpu").fit((u, i, r)).result.result_hash
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            found = lockstep.MF(rank=4, device="cpu").fit((u, i, r)).result.result_hash
            try:
                lockstep.batches(*RING, schedule="nothing")
            except lockstep.UsageError as error:
                found += " nothing" if "nothing" in str(error) else " ?"
            os.write(writing, found.encode())
            os._exit(0)
        os.close(writing)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(os.read(reading, 200).decode(), expected + " nothing")
        os.close(reading)

    def test_what_a_callback_raises_comes_back(self):
        u, i, r = ratings()
        heard = []

        def stop(note, done, total):
            heard.append((note, done, total))
            if note is None and done == 2:
                raise ZeroDivisionError("enough")

        model = lockstep.MF(rank=4, device="cpu", sweeps=50)
        with self.assertRaisesRegex(ZeroDivisionError, "enough"):
            model.fit((u, i, r), progress=stop)
        self.assertEqual(heard[-1], (None, 2, 50))
        with self.assertRaisesRegex(RuntimeError, "fit first"):
            model.user_factors
        with self.assertRaisesRegex(lockstep.UsageError, "callback must not run"):
            model.fit((u, i, r), progress=lambda *_: lockstep.bfs(RING, 0, device="cpu"))
        self.assertEqual(lockstep.bfs(RING, 0, device="cpu").tolist(), [0, 1, 2, 3, 4, 5])

    def test_ctrl_c_stops_between_sweeps(self):
        script = ("import lockstep, numpy as np, os, signal, sys\n"
                  "u, i = np.divmod(np.arange(20000), 100)\n"
                  "def stop(note, done, total):\n"
                  "    if note is None and done == 3: os.kill(os.getpid(), signal.SIGINT)\n"
                  "try:\n"
                  "    lockstep.MF(rank=8, device='cpu', sweeps=10**6, test_fraction=0).fit((u, i, u % 5 + i % 3), progress=stop)\n"
                  "except KeyboardInterrupt:\n"
                  "    print('stopped', lockstep.bfs(([0], [1]), 0, device='cpu').tolist())\n")
        done = in_a_process(script)
        self.assertEqual((done.stdout, done.returncode), ("stopped [0, 1]\n", 0), done.stderr)

    def test_no_ctrl_c_is_lost(self):
        """An interrupt at any line of a callback stops the call, and so does a signal handler of the caller
        that raises."""
        script = ("import lockstep, numpy as np, signal, sys, threading\n"
                  "def own(number, frame): raise OSError('by a handler')\n"
                  "signal.signal(signal.SIGINT, signal.default_int_handler); signal.signal(signal.SIGTERM, own)\n"
                  "g = lockstep.graph(np.arange(200) % 50, (np.arange(200) * 7 + 1) % 49, shape='square')\n"
                  "u, i = np.divmod(np.arange(600), 20)\n"
                  "calls = (lambda: lockstep.pagerank(g, iterations=10**9, device='cpu', threads=1),\n"
                  "         lambda: lockstep.MF(feedback='implicit', rank=4, sweeps=10**6, test_fraction=0, device='cpu', threads=1)\n"
                  "                         .fit((u, i, u % 5 + 1)))\n"
                  "stopped = 0\n"
                  "for n in range(60):\n"
                  "    number = (signal.SIGINT, signal.SIGTERM)[n % 4 == 3]\n"
                  "    timer = threading.Timer(0.02 + n / 1e4, signal.raise_signal, [number])\n"
                  "    try: timer.start(), calls[n % 2]()\n"
                  "    except KeyboardInterrupt: stopped += number == signal.SIGINT\n"
                  "    except OSError: stopped += number == signal.SIGTERM\n"
                  "    timer.join()\n"
                  "print(stopped, signal.getsignal(signal.SIGINT) is signal.default_int_handler, signal.getsignal(signal.SIGTERM) is own)\n")
        done = in_a_process(script)
        self.assertEqual((done.stdout, done.stderr), ("60 True True\n", ""))

    def test_threads_of_the_library_wait_briefly(self):
        """libgomp prints its settings. Settings of the user are kept, and the environment is unchanged."""
        script = "import os, lockstep; lockstep.native.library(); print('GOMP_SPINCOUNT' in os.environ)"
        for chosen, spins, there in (({}, "1000", False), ({"GOMP_SPINCOUNT": "7"}, "7", True), ({"OMP_WAIT_POLICY": "passive"}, "0", False)):
            environment = {name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                                  env={**environment, "PYTHONPATH": str(support.ROOT / "tools/python"), "OMP_DISPLAY_ENV": "VERBOSE",
                                       **chosen})
            self.assertIn(f"GOMP_SPINCOUNT = '{spins}'", done.stderr)
            self.assertEqual(done.stdout, f"{there}\n")

    def test_few_edges_start_no_threads(self):
        script = ("import os, lockstep, numpy as np\n"
                  "before = len(os.listdir('/proc/self/task'))\n"
                  "lockstep.batches(np.arange(100), np.arange(1, 101)); g = lockstep.graph(np.arange(100), np.arange(1, 101)); g.info\n"
                  "few = len(os.listdir('/proc/self/task')) - before\n"
                  "lockstep.batches(np.arange(200000), np.arange(1, 200001))\n"
                  "print(few, len(os.listdir('/proc/self/task')) - before)\n")
        with unittest.mock.patch.dict(os.environ, OMP_NUM_THREADS="3"):
            self.assertEqual(in_a_process(script).stdout, "0 2\n")

    def test_nothing_is_printed(self):
        script = ("import lockstep, numpy as np\n"
                  "u, i = np.divmod(np.arange(2000), 50)\n"
                  "lockstep.MF(rank=4, device='cpu').fit((u, i, u * i % 5 + i % 3)); lockstep.pagerank((u, i), device='cpu')\n"
                  "try: lockstep.batches(u, i, schedule='x')\n"
                  "except lockstep.UsageError: pass\n")
        done = in_a_process(script)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_a_library_that_is_missing_is_told(self):
        script = "import lockstep; lockstep.batches([0], [1])"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(support.ROOT / "tools/python"), "LOCKSTEP_LIBRARY": "/nowhere.so"})
        self.assertRegex(done.stderr, "FileNotFoundError: there is no liblockstep.so .*LOCKSTEP_LIBRARY")


if __name__ == "__main__":
    support.main()
