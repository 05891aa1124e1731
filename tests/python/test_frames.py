"""Tests that a DataFrame is read by the names of its columns, like a file with this header."""
import re

import support
import numpy as np

import lockstep
from lockstep import frames

READER = support.ROOT / "formats/src/readers/columns.cpp"


class Frames(support.InFolder):
    def edges(self, graph, **how):
        lockstep.preprocess(graph, self.path("g.h5"), "degree", force=True, **how)
        g = lockstep.read_schedules(self.path("g.h5")).graph
        return sorted(zip(g.row_ids[g.row_of()].tolist(), g.col_ids[g.indices].tolist(), g.data.tolist()))

    def test_the_words_are_those_of_the_readers_of_text(self):
        table = READER.read_text().split("meanings[] = {")[1].split("};")[0]
        theirs = re.findall(r"\{Role::(\w+),\s*\{(.*?)\},\s*\{(.*?)\}\}", table, re.DOTALL)
        quoted = lambda words: set(re.findall(r'"(\w+)"', words))
        roles = {"time": "time", "value": "weight", "row": "row", "col": "column"}
        self.assertEqual([(roles[role], quoted(whole), quoted(part)) for role, whole, part in theirs],
                         [(role, set(whole.split()), set(part.split())) for role, (whole, part) in frames.MEANINGS.items()])

    @support.needs("pandas")
    def test_a_frame_is_read_as_its_file(self):
        import pandas as pd

        for names, expected in (
                ("book_id,user_id,rating", [(2, 1, 3)]),
                ("t,user,book,rating", [(2, 3, 4)]),
                ("user,item,timestamp,rating", [(1, 2, 4)]),
                ("user,item,timestamp", [(1, 2, 1)]),
                (",userId,movieId,rating", [(2, 3, 4)]),
                ("User_ID,Item-Id,Overall", [(1, 2, 3)]),
                ("user_name,user_id,item,rating", [(2, 3, 4)]),
                ("source,target,capacity", [(1, 2, 3)]),
                ("from,to", [(1, 2, 1)]),
                ("rating,uid,iid", [(2, 3, 1)]),
                ("user,customer,item", None),
                ("user,item,rating,score", None),
                ("user,thing,rating", None),
                ("user,item,x,y", None),
                ("user,movie,item", None)):
            frame = pd.DataFrame([[1, 2, 3, 4][:names.count(",") + 1]], columns=names.split(","))
            frame.to_csv(self.path("f.csv"), index=False)
            if expected:
                self.assertEqual(self.edges(frame), expected, names)
                self.assertEqual(self.edges(self.path("f.csv"), header="yes"), expected, names)
            else:
                with self.assertRaisesRegex(ValueError, r"columns=\[rows, columns", msg=names):
                    self.edges(frame)
                with self.assertRaises(lockstep.BadInput, msg=names):
                    self.edges(self.path("f.csv"), header="yes")

    @support.needs("pandas")
    def test_names_that_say_nothing_and_no_names(self):
        import pandas as pd

        three = pd.DataFrame([[1, 2, 3]])
        self.assertEqual(self.edges(three), [(1, 2, 3)])
        self.assertEqual(self.edges(three, columns=[1, 0]), [(2, 1, 1)])
        for frame, words in ((pd.DataFrame([[1, 2, 3, 4]]), r"4 columns without names.*columns=\[0, 1, 2\]"),
                             (pd.DataFrame([[1, 2, 3]], columns=["a", "b", "c"]), r"names .*\(a, b, c\).*columns=\["),
                             (pd.DataFrame([[1, 2, 3]], columns=[7, 9, 11]), r"\(7, 9, 11\)"),
                             (pd.DataFrame([[5, 3]], pd.Index([1], name="user"), ["item", "rating"]), "do not identify the rows")):
            with self.assertRaisesRegex(ValueError, words):
                self.edges(frame)
        for columns, words in ((["a", "x"], r"no column 'x'; it has a, b, b"), (["a", "b"], "2 columns 'b'")):
            with self.assertRaisesRegex(ValueError, words):
                self.edges(pd.DataFrame([[1, 2, 3]], columns=["a", "b", "b"]), columns=columns)
        with self.assertRaisesRegex(TypeError, "for a file give rows_column="):
            self.edges(self.path("g.csv"), columns=["a", "b"])

    @support.needs("pandas")
    def test_the_frame_that_was_trained_on_is_excluded(self):
        import pandas as pd

        # User u has rated the items i for which u + i is not divisible by 3. Lists must not contain them.
        frame = pd.DataFrame([(u % 5 + 1.0, f"i{i}", f"u{u}") for u in range(9) for i in range(8) if (u + i) % 3],
                             columns=["rating", "book_id", "user_id"])
        other = frame.rename(columns={"book_id": "b", "user_id": "a", "rating": "c"})
        for graph, columns in ((frame, None), (other, ["a", "b", "c"])):
            model = self.path("m.h5")
            lockstep.train(graph, model, columns=columns, device="cpu", rank=2, strategy="agm-e", force=True)
            self.assertEqual(lockstep.read_model(model).row_ids.tolist(), [f"u{u}" for u in range(9)])
            best = lockstep.top(model, 2, exclude=graph, columns=columns)
            rated = set(zip(frame.user_id, frame.book_id))
            self.assertEqual(len(best["user"]), 18)
            self.assertFalse(rated & set(zip(best["user"], best["item"])))
            told = lockstep.evaluate(model, graph, exclude=graph, columns=columns)
            self.assertEqual((told.pairs, told.unknown), (len(frame), 0))
        triples = (frame.user_id, frame.book_id, frame.rating)
        self.assertEqual(lockstep.evaluate(model, triples, exclude=other, columns=["a", "b", "c"]).pairs, len(frame))
        with self.assertRaisesRegex(TypeError, "DataFrame"):
            lockstep.evaluate(model, triples, columns=["a", "b", "c"])

    @support.needs("pandas")
    def test_pairs_and_new_users_in_memory_are_those_of_files(self):
        import pandas as pd

        frame = pd.DataFrame([(f"u{u}", f"i,{i}", u % 5 + 1.0) for u in range(9) for i in range(8) if (u + i) % 3],
                             columns=["user_id", "book_id", "rating"])
        model = self.path("m.h5")
        lockstep.train(frame, model, device="cpu", rank=2, strategy="agm-e")
        pairs = frame.sample(frac=1, random_state=1)[["book_id", "user_id"]]
        known = lockstep.read_model(model).predict(pairs.user_id, pairs.book_id)
        for given in (pairs, (pairs.user_id, pairs.book_id), list(zip(pairs.user_id, pairs.book_id))):
            found = lockstep.predict(model, given)
            # The predictions are in the order of the pairs.
            self.assertEqual(list(zip(found["row"], found["col"])), list(zip(pairs.user_id, pairs.book_id)))
            self.assertEqual(found["prediction"].tolist(), known.tolist())
        named = lockstep.predict(model, pairs.rename(columns={"user_id": "a", "book_id": "b"}), columns=["a", "b"])
        self.assertEqual(named["prediction"].tolist(), known.tolist())
        new = pd.DataFrame({"user_id": ["n1", "n1", "n2"], "book_id": ["i,1", "i,2", "i,3"], "rating": [5., 1, 3]})
        new.to_csv(self.path("new.csv"), index=False)
        right = lockstep.top(model, 3, fold_in=self.path("new.csv"))
        self.assertEqual(sorted(set(right["user"])), ["n1", "n2"])
        for more in ({}, {"exclude": new}, {"exclude": self.path("new.csv")}):
            found = lockstep.top(model, 3, fold_in=new, **more)
            if not more:
                self.assertEqual({name: found[name].tolist() for name in found}, {name: right[name].tolist() for name in right})
            else:
                self.assertFalse(set(zip(found["user"], found["item"])) & set(zip(new.user_id, new.book_id)))
        both = lockstep.predict(model, (["n1", "u1"], ["i,3", "i,3"]), fold_in=new)
        self.assertEqual((both["row"].tolist(), np.isfinite(both["prediction"]).all()), (["n1", "u1"], True))

    @support.needs("pandas")
    def test_a_frame_where_a_file_is_expected_is_refused(self):
        import pandas as pd

        frame = pd.DataFrame({"user": [1], "item": [2]})
        for use in (lambda: lockstep.execute(frame), lambda: lockstep.execute("g.h5", positions=frame),
                    lambda: lockstep.inspect("g.h5", levels={1: 2}), lambda: lockstep.verify(frame)):
            with self.assertRaisesRegex(TypeError, "expected a string, a path, a number"):
                use()


class Unknown(support.InFolder):
    """Tests that ids that are not in the model are reported, with their count."""

    def setUp(self):
        super().setUp()
        rows, cols = np.divmod(np.arange(60), 6)
        lockstep.train((rows, cols, rows % 4 + 1.0), self.path("m.h5"), device="cpu", rank=2, strategy="agm-e")

    def test_a_test_set_most_of_whose_ids_are_unknown(self):
        ids = np.array([0, 100, 200])
        with self.assertWarnsRegex(UserWarning, "2 of 3 pairs have an id that is not in the model"):
            self.assertEqual(lockstep.evaluate(self.path("m.h5"), (ids, ids % 2, ids)).unknown, 2)
        with open(self.path("test.txt"), "w") as file:
            file.write("0 0 1\n100 0 1\n200 0 1\n")
        rows, cols = np.divmod(np.arange(60), 6)
        with self.assertWarnsRegex(UserWarning, "2 of 3 edges of .*test.txt"):
            lockstep.train((rows, cols, rows % 4 + 1.0), self.path("n.h5"), device="cpu", rank=2, strategy="agm-e",
                           test=self.path("test.txt"))

    def test_users_that_are_unknown_are_left_out(self):
        with self.assertWarnsRegex(UserWarning, '2 of 4 users are not in the model.*"77"'):
            self.assertEqual(lockstep.top(self.path("m.h5"), 1, users=[3, 77, 78, 1], include_taken=True)["user"].tolist(), [3, 1])
        for how in ({"users": [3, 77], "unknown": "error"}, {"users": ["nobody"]}):
            with self.assertRaisesRegex(lockstep.BadInput, 'unknown row "(77|nobody)"'):
                lockstep.top(self.path("m.h5"), 1, **how)


if __name__ == "__main__":
    support.main()
