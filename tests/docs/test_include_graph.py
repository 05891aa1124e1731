"""Tests the checker of includes on sources with planted faults:  test_include_graph.py INCLUDE_GRAPH_PY"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop())


class IncludeGraph(unittest.TestCase):
    def check(self, **planted):
        """Runs the checker on the correct tree below, with additional lines in some files. Returns (exit
        code, standard output, standard error)."""
        files = {"schedules/include/lockstep/schedules/graph.hpp": "", "schedules/src/secret.hpp": "",
                 "formats/src/reader.cpp": '#include "lockstep/schedules/graph.hpp"\n', "executor/insight/model.hpp": "",
                 "executor/include/lockstep/executor/edge/plan.hpp": "#include <vector>\n",
                 "executor/include/lockstep/executor/arc/plan.hpp": "", "tools/cli/cli.hpp": "",
                 "tools/report/main.cpp": '#include "cli.hpp"\n#include "insight/model.hpp"\n', "executor/apps/sgd/driver.hpp": ""}
        for name, text in planted.pop("files", {}).items():
            files[name] = files.get(name, "") + text
        said = planted.pop("said", "// What it is.\n")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(said + text)
            result = subprocess.run([sys.executable, SCRIPT, "--root", folder], capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr

    def test_a_sound_tree_is_listed_lowest_first(self):
        code, text, faults = self.check()
        self.assertEqual((code, faults), (0, ""))
        self.assertEqual(text, "schedules:\nformats: schedules\ntools/cli:\nexecutor/edge:\nexecutor/arc:\nexecutor/insight:\nexecutor/apps/sgd:\n"
                               "tools/report: tools/cli executor/insight\n")

    def test_arrows_that_are_not_allowed_are_found(self):
        for name, line, fault in (
                ("schedules/src/agm.cpp", '#include "cli.hpp"', "schedules must not include tools/cli"),
                ("executor/insight/model.hpp", '#include "apps/sgd/driver.hpp"', "executor/insight must not include executor/apps/sgd"),
                ("executor/include/lockstep/executor/edge/plan.hpp", '#  include "insight/model.hpp"', "executor/edge must not include executor/insight"),
                ("executor/include/lockstep/executor/frontier/plan.hpp", '#include "lockstep/executor/arc/plan.hpp"', "executor/frontier must not include executor/arc"),
                ("executor/apps/pagerank.cpp", '#include "apps/sgd/driver.hpp"', "executor/apps/pagerank must not include executor/apps/sgd"),
                ("tools/report/main.cpp", '#include "../../schedules/src/secret.hpp"', "private to schedules"),
                ("tools/report/main.cpp", '#include "nowhere.hpp"', "not a source file"),
                ("executor/new/walk.cpp", "", "has no line")):
            with self.subTest(fault=fault):
                code, _, faults = self.check(files={name: line + "\n"})
                self.assertEqual(code, 1)
                self.assertIn(fault, faults)
                self.assertIn(name, faults)

    def test_a_header_that_does_not_say_what_it_is_is_found(self):
        code, _, faults = self.check(said="")
        self.assertEqual(code, 1)
        self.assertEqual(faults.count("does not begin with a comment"), 7)


unittest.main()
