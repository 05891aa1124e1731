#!/usr/bin/env python3
"""tools/wording.py finds planted faults, and nothing in comments that are right.
    test_wording.py TOOLS"""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(sys.argv[1]).resolve() / "wording.py"
WRONG = {
    "x.cpp": ["/// Of a triangle in a round.", "int a;  ///< that the schedule will serve",
              "/// By a heap.", "// The same.", "/// A thread a vertex.",
              "// Runs 8 bytes an edge.", "// Draws the tiles anew.",
              "// Returns what is left of them.", "// The file says where.",
              "/// Begins well,\n/// but asked for more."],
    "x.py": ["x = 1  # of all", "# In vain: nothing was there."],
    "CMakeLists.txt": ["# Which files are compiled."],
}
RIGHT = {
    "x.cpp": ["/// Returns the priority of a triangle in a round.", "int a;  ///< number of sweeps",
              "const char* url = \"https://example.org\";  // address of the page",
              "/// One thread per vertex.", "// Returns a function that extends a path by an edge.",
              "// In a round, every active vertex sends an offer.", "int of = 1;",
              "const char* text = \"// of nothing\";"],
    "x.py": ["x = \"# of a text\"", "#!/usr/bin/env python3"],
    "x.txt": ["# Of a file that has no comments."],
}


def run(*words, cwd):
    done = subprocess.run([sys.executable, TOOL, *words], cwd=cwd, check=False,
                          stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def main():
    failures = 0

    def expect(holds, what):
        nonlocal failures
        if not holds:
            failures += 1
            print(f"FAILED: {what}")

    with tempfile.TemporaryDirectory() as folder:
        for texts, is_wrong in ((WRONG, True), (RIGHT, False)):
            for name, comments in texts.items():
                for comment in comments:
                    path = pathlib.Path(folder) / name
                    path.write_text(f"int before;\n{comment}\nint after;\n")
                    code, out = run(name, cwd=folder)
                    expect(code == is_wrong and (f"{name}:2: " in out) == is_wrong,
                           f"{comment}: {out}")
        # Only comments with changed lines are read.
        git = ["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.org"]
        (pathlib.Path(folder) / "x.cpp").write_text("// Of old.\nint a;\n")
        for words in (["init", "-q"], ["add", "x.cpp"], ["commit", "-qm", "x"]):
            subprocess.run([*git, *words], check=True)
        (pathlib.Path(folder) / "x.cpp").write_text("// Of old.\nint a;\n// Of new.\nint b;\n")
        code, out = run("--since", "HEAD", cwd=folder)
        expect(code == 1 and "x.cpp:3" in out and "x.cpp:1" not in out, f"--since: {out}")
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
