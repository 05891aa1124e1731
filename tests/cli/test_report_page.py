#!/usr/bin/env python3
"""Opens pages of lockstep-report in a browser, narrow and wide.

    test_report_page.py BINARIES REPOSITORY       exit code 77: there is no browser (chromium)
"""
import html
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

WIDTHS = (390, 1280)
HOSTILE = "</script><script>document.title=1</script><img src=x onerror='document.title=1'>&amp;"
NAMES = ("agm-e", "agm-n", "sgm", "diag", "blkdiag", "el-sgm", "el", "el-shuffled", "nl", "nl-el",
         "hogwild")
IDS = itertools.count()
STAGES = {"read": 0.5, "load": 0.25, "transfer": 0.125, "evaluate": 0.0625, "prove": 0, "fit": 0.03,
          "result": 0.25, "other": 0.5}

# A page with a frame for every page and width. It writes what its frames contain, as JSON.
WRAPPER = """<!DOCTYPE html><pre></pre>FRAMES<script>
const texts = (parent, what) => [...parent.querySelectorAll(what)].map(one => one.textContent);
function figure_of(figure) {
  const picture = figure.querySelector("svg[role=img]");
  const all = what => [...picture?.querySelectorAll(what) ?? []];
  return {
    title: figure.querySelector("h3").textContent,
    name: picture?.getAttribute("aria-label") ?? null,
    about: picture?.querySelector("desc").textContent ?? null,
    shapes: all("rect, path, circle").length,
    rings: all("circle[r='4']").length,
    legend: all(".entry text").map(one => one.textContent),
    colours: all(".entry path").map(one => one.style.stroke),
    text: all("text").map(one => one.textContent),
    is_finite: !/NaN|Infinity|undefined/.test(figure.outerHTML),
    links: [...figure.querySelectorAll("a[download]")].map(link => link.href.slice(0, 40)),
    rows: [...figure.querySelectorAll("tr")].map(row => texts(row, "th, td")),
  };
}
onload = () => {
  const frames = [...document.querySelectorAll("iframe")].map(frame => {
    const page = frame.contentDocument, root = page.documentElement;
    return {
      name: frame.dataset.name, width: Number(frame.width), title: page.title,
      excess: root.scrollWidth - root.clientWidth, scripts: page.scripts.length,
      foreign: texts(page, "img, link, iframe").length,
      requests: frame.contentWindow.performance.getEntriesByType("resource").length,
      figures: [...page.querySelectorAll("figure")].map(figure_of),
      h1: texts(page, "h1"), h2: texts(page, "h2"), captions: texts(page, "caption"),
      notes: texts(page, "main > div .note"), text: page.body.innerText,
    };
  });
  document.querySelector("pre").textContent = JSON.stringify(frames);
};
</script>"""


def lines_of(strategy, data="ratings", sweeps=(1, 1), status="ok", result=None, kept=None,
             error=1, **more):
    """Returns a run record with these seconds of its sweeps. After sweep n the training error is
    error / n, and the test error is 0.5 * error more. `more` replaces keys of the first line."""
    offline = strategy.startswith(("agm", "sgm", "diag", "blkdiag", "el-sgm"))
    run = f"{next(IDS):016x}"
    start = {"record": "run", "run": run, "program": "lockstep-execute 0.1.0 (revision abc)",
             "command": ["lockstep-execute", data + ".h5"], "started": "2025-01-02T03:04:05Z",
             "app": "sgd", "strategy": strategy, "deterministic": offline,
             "device": {"kind": "cpu", "name": HOSTILE, "threads": 2, "driver": ""},
             "rank": 16, "seed": 1, "sweeps": len(sweeps), "schedule_file": data + ".h5",
             "schedule_hash": "schedule-" + strategy if offline else "",
             "graph": {"rows": 1000, "cols": 500, "edges": 20000, "train_edges": 18000,
                       "test_edges": 2000, "max_row_degree": 8 if data == "road" else 400,
                       "max_col_degree": 8, "hash": data},
             "parameters": {"order": "given"}} | more
    lines = [start]
    for n, seconds in enumerate(sweeps, 1):
        lines.append({"record": "sweep", "run": run, "sweep": n, "seconds": seconds,
                      "rmse_train": error / n, "rmse_test": error / n + 0.5 * error,
                      "updates": 18000, "passes": 1})
    if status != "died":
        seconds = {"schedule": 10 * offline, "write": 2 * offline, "execute": sum(sweeps)}
        end = {"record": "end", "run": run, "status": status, "result_hash": result or strategy,
               "seconds": STAGES | seconds, "updates_per_second": 9000}
        lines.append(end | ({"kept_sweep": kept} if kept else {}))
    return lines


def rounds_of(loop, seconds):
    """Returns the record of a traversal on a GPU, whose rounds have two filters."""
    axes = f"--active list --balance warp --append thread --filter jit:64 --loop {loop}"
    gpu = {"kind": "cuda", "name": "GPU", "threads": 100, "driver": "12"}
    start, sweep, end = lines_of("simd-x", "web", (seconds,), app="bfs", rank=0, device=gpu,
                                 parameters={"order": "given", "axes": axes})
    del sweep["rmse_test"]
    sweep |= {"rmse_train": None, "rounds": 4, "launches": 9, "registers": 25,
              "worklist_atomics": 70, "round_seconds": [0.5] * 4, "round_active": [1, 40, 900, 9],
              "round_arcs": [2, 80, 1800, 18], "online_rounds": [1, 2, 4], "ballot_rounds": 3}
    return [start, sweep, end]


def forecast(data):
    return {"lockstep_recommendation": 1, "graph": {"name": data}, "device": HOSTILE, "rank": 16,
            "strategies": [{"strategy": name, "seconds": {"sweep": 1.5}} for name in NAMES]}


def time_of(strategy):
    """Returns the seconds of a sweep: those of diag are far longer than the others."""
    return 400 if strategy == "diag" else 1 + NAMES.index(strategy)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder, cls.pages = pathlib.Path(cls.place.name), []
        both = [line for data in ("ratings", "road") for name in NAMES
                for line in lines_of(name, data, [time_of(name)] * 5)]
        cls.make("both", both)
        cls.make("hostile", lines_of(HOSTILE, HOSTILE) + lines_of("el", HOSTILE) +
                 lines_of("sgm", HOSTILE, status="died"))
        cls.make("rounds", rounds_of("host", 4) + rounds_of("fused", 2))
        cls.make("kept", lines_of("agm-e", sweeps=(1,) * 4, status="stopped-early", kept=2))
        cls.make("last", lines_of("agm-e", sweeps=(1,) * 4, status="stopped-early", kept=4))
        cls.make("flat", lines_of("el", error=1e-7) + lines_of("agm-e", error=1e-7))
        known = cls.run_program("lockstep-execute", "--strategies", "--app", "sgd", "--json")
        cls.strategies = [one["name"] for one in json.loads(known)["strategies"]]
        cls.make("known", [line for name in cls.strategies for line in lines_of(name)])
        cls.make("rows", lines_of("agm-e", result="a") +
                 lines_of("agm-e", sweeps=(1, 1, 1), result="b"))
        cls.make("same", lines_of("agm-e", sweeps=(2, 2), result="same") +
                 lines_of("agm-n", result="same") + lines_of("diag"))
        probe = pathlib.Path(sys.argv[2], "executor/insight/h200.json").read_text()
        (cls.folder / "probe.json").write_text(probe)
        (cls.folder / "ratings.json").write_text(json.dumps(forecast("ratings"), indent=1))
        cls.make("study", both, "probe.json", "ratings.json")
        page = (cls.folder / "both.html").read_text()
        (cls.folder / "bare.html").write_text(re.sub(
            r'(<script id="library">).*?(</script>)', r"\1\2", page, flags=re.DOTALL))
        cls.pages.append("bare")
        cls.frames = cls.look()

    @classmethod
    def run_program(cls, name, *arguments):
        return subprocess.run([pathlib.Path(sys.argv[1], name).resolve(), *arguments],
                              cwd=cls.folder, check=True, stdout=subprocess.PIPE).stdout

    @classmethod
    def make(cls, name, lines, *more):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (cls.folder / (name + ".jsonl")).write_text(text)
        cls.run_program("lockstep-report", name + ".jsonl", *more, "-q", "--html", name + ".html")
        cls.pages.append(name)

    @classmethod
    def look(cls):
        wrapper = cls.folder / "look.html"
        frames = (f'<iframe data-name="{page}" src="{page}.html" width="{width}"></iframe>'
                  for page in cls.pages for width in WIDTHS)
        wrapper.write_text(WRAPPER.replace("FRAMES", "".join(frames)))
        shown = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                                "--allow-file-access-from-files", "--dump-dom", wrapper.as_uri()],
                               capture_output=True, text=True, timeout=300)
        text = re.search(r"<pre>(.+?)</pre>", shown.stdout, re.DOTALL)
        assert text, shown.stderr[-2000:]
        return json.loads(html.unescape(text[1]))

    def page(self, name):
        return next(frame for frame in self.frames if frame["name"] == name)

    def figure(self, page, title):
        return next(figure for figure in self.page(page)["figures"] if figure["title"] == title)

    def missing(self, frame):
        """Returns the titles of the figures without a complete picture."""
        return [figure["title"] for figure in frame["figures"]
                if figure["name"] != figure["title"] or figure["shapes"] < 3 or not figure["about"]]

    def test_every_page_fits_its_width_and_is_whole(self):
        self.assertEqual(len(self.frames), len(WIDTHS) * len(self.pages))
        for frame in self.frames:
            with self.subTest(name=frame["name"], width=frame["width"]):
                self.assertEqual((frame["excess"], frame["foreign"], frame["requests"]), (0, 0, 0))
                self.assertEqual((frame["title"], frame["scripts"]), ("Lockstep report", 3))
                self.assertEqual(frame["h1"], ["Preprocessing against run time"])
                self.assertIn("How to read this", frame["h2"])
                self.assertEqual(len(set(frame["h2"])), len(frame["h2"]))
                for figure in frame["figures"]:
                    self.assertTrue(figure["is_finite"], figure["title"])
                    self.assertGreater(len(figure["rows"]), 1, figure["title"])

    def test_every_picture_is_there(self):
        per_group = ["Time per sweep, normalised to el", "Where the time goes",
                     "Test RMSE over time", "When a schedule pays"]
        several = ["Geomean over 1 scale-free data set", "Geomean over 1 road data set",
                   "Hybrid schedules: speed-up over EL"]
        expected = {
            "both": several + 2 * per_group,
            "bare": several + 2 * per_group,
            "study": [*several, "Predicted against measured", "Atomic throughput", "Barrier",
                      "Dependent updates", *per_group, *per_group],
            "rounds": ["Time per sweep, normalised to slowest", "Where the time goes",
                       "Fusion: speed-up over one launch per step", "Fusion: launches",
                       "Fusion: registers per thread",
                       "Active vertices and filters over the rounds"]}
        for frame in self.frames:
            titles = [figure["title"] for figure in frame["figures"]]
            if frame["name"] in expected:
                self.assertEqual(titles, expected[frame["name"]])
            # A page without the library shows that a missing picture is found.
            self.assertEqual(self.missing(frame), titles if frame["name"] == "bare" else [])
            links = [figure["links"] for figure in frame["figures"]]
            saved = [] if frame["name"] == "bare" else ["data:image/svg+xml,%3Csvg%20xmlns%3D%22h"]
            self.assertEqual(links, [saved] * len(titles))

    def test_a_page_without_the_library_has_every_table_and_says_what_is_missing(self):
        bare, whole = self.page("bare"), self.page("both")
        self.assertEqual(bare["captions"], whole["captions"])
        self.assertEqual([figure["rows"] for figure in bare["figures"]],
                         [figure["rows"] for figure in whole["figures"]])
        self.assertIn("node-d3-axis", bare["notes"][0])
        self.assertNotIn("node-d3-axis", whole["text"])

    def test_names_of_users_are_text(self):
        text = self.page("hostile")["text"]
        self.assertIn(HOSTILE.rpartition("/")[2], self.page("hostile")["h2"])  # the name of a file
        self.assertIn("sgd · " + HOSTILE + ", 2 threads · rank 16", text)
        rows = self.figure("hostile", "Where the time goes")["rows"]
        self.assertIn(HOSTILE, [row[0] for row in rows])

    def test_bars_and_tables_have_the_numbers(self):
        times = self.figure("both", "Time per sweep, normalised to el")
        self.assertEqual(times["rows"][:2], [["strategy", "time per sweep", "× el"],
                                             ["agm-e", "1 s", "0.14 ×"]])
        self.assertEqual([label for label in times["text"] if label in NAMES],
                         sorted(NAMES, key=time_of))
        self.assertEqual(times["legend"], ["offline", "online", "racing"])
        pays = self.figure("both", "When a schedule pays")["rows"]
        self.assertEqual(pays[0], ["schedule", "before sweeps", "time per sweep", "vs el",
                                   "vs el-shuffled", "vs nl", "vs nl-el", "vs hogwild"])
        self.assertEqual(pays[2], ["agm-n", "12.4 s", "2 s", "3", "2", "2", "2", "2"])
        self.assertEqual(pays[-1][3:], ["never"] * 5)
        hybrids = self.figure("both", "Hybrid schedules: speed-up over EL")["rows"]
        self.assertIn(["el-sgm, road", "1", "1.17 ×"], hybrids)
        rounds = self.figure("rounds", "Active vertices and filters over the rounds")
        self.assertEqual(rounds["legend"], ["push, online", "push, ballot"])
        self.assertIn(["3–3", "push, ballot", "900", "900", "1,800", "500 ms"], rounds["rows"])
        launches = self.figure("rounds", "Fusion: launches")["rows"]
        self.assertEqual(launches[1:], [["host", "9"], ["fused", "9"]])
        forecasts = self.figure("study", "Predicted against measured")
        self.assertIn(["ratings", "agm-e", "1.5 s", "1 s", "1.50"], forecasts["rows"])
        self.assertIn("3 of 11 points", forecasts["about"])

    def test_runs_without_errors_have_no_picture_of_errors(self):
        for page in ("flat", "rounds"):
            titles = [figure["title"] for figure in self.page(page)["figures"]]
            self.assertNotIn("Test RMSE over time", titles)
        self.assertIn("An RMSE of 0 is meaningless", self.page("flat")["notes"][0])
        self.assertNotRegex(self.page("rounds")["text"], "RMSE|rank 0")

    def test_a_ring_marks_the_model_that_was_kept(self):
        figure = self.figure("kept", "Test RMSE over time")
        self.assertEqual(figure["rows"][1][:3], ["agm-e", "1.5000", "1.0000"])
        self.assertEqual(figure["rings"], 1)
        self.assertEqual(self.figure("last", "Test RMSE over time")["rings"], 0)

    def test_no_two_lines_of_a_picture_have_one_colour(self):
        for page, lines in (("known", len(self.strategies)), ("rows", 2)):
            colours = self.figure(page, "Test RMSE over time")["colours"]
            self.assertEqual((len(colours), len(set(colours))), (lines, lines))

    def test_strategies_with_the_same_factors_are_one_line(self):
        figure = self.figure("same", "Test RMSE over time")
        self.assertEqual(figure["legend"], ["agm-n = agm-e", "diag"])


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("skipped: there is no chromium to look at the pages of lockstep-report")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
