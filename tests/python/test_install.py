"""`pip install tools/python` installs the package, with Debian's pip and setuptools and without a network."""
import os
import shutil
import subprocess
import sys

import support


class Install(support.InFolder):
    @support.needs("pip", "setuptools", "wheel")
    def test_the_installed_package_is_complete(self):
        # pip builds in the folder of the package: a copy of it.
        shutil.copytree(support.ROOT / "tools/python", self.path("source"))
        for package in (self.path("source"), f"lockstep @ file://{self.path('source')}"):
            target = self.path(f"target{len(package)}")
            done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
                                   "--no-index", "--disable-pip-version-check", "--target", target, package],
                                  capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            installed = set(os.listdir(os.path.join(target, "lockstep"))) - {"__pycache__"}
            self.assertEqual(installed, {p.name for p in (support.ROOT / "tools/python/lockstep").iterdir()} - {"__pycache__"})
            done = subprocess.run([sys.executable, "-c", "import lockstep; print(lockstep.__file__)"], capture_output=True,
                                  text=True, env=dict(os.environ, PYTHONPATH=target))
            self.assertTrue(done.stdout.startswith(target), done.stdout + done.stderr)


if __name__ == "__main__":
    support.main()
