"""Tests that the commands in docs/guides/python.md install the package on Debian, without a network."""
import os
import re
import shlex
import shutil
import subprocess
import sys

import support

SOURCES = (support.ROOT / "docs/guides/python.md").read_text().split("To use the sources")[1]


class Install(support.InFolder):
    def type(self, *words):
        words = [sys.executable if word == "python3" else word for word in words]
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    @support.needs("ensurepip", "venv", "wheel")
    def test_the_installed_package_is_complete(self):
        # pip builds in the folder of the package, so that a copy is used.
        source = self.path("tools/python")
        shutil.copytree(support.ROOT / "tools/python", source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
        make, install = (shlex.split(line) for line in re.findall(r"^(?:python3 -m venv|env/bin/pip install) .*", SOURCES, re.M))
        self.type(*make)
        for package in ("tools/python", f"lockstep @ file://{source}"):
            self.type(*install[:-1], "--no-index", "--force-reinstall", package)
            where = self.type("env/bin/python", "-c", "import lockstep; print(lockstep.__file__)").strip()
            self.assertTrue(where.startswith(self.path("env")), where)
            self.assertEqual(set(os.listdir(os.path.dirname(where))) - {"__pycache__"},
                             {p.name for p in (support.ROOT / "tools/python/lockstep").iterdir()} - {"__pycache__"})

    def test_the_packages_of_debian_are_those_of_the_tests(self):
        needed = re.search(r"^sudo apt-get install (.*)", SOURCES, re.M)[1].split()
        installed = (support.ROOT / "tools/install-packages.sh").read_text().split()
        self.assertEqual([package for package in needed if package not in installed], [])


if __name__ == "__main__":
    support.main()
