"""Functions that the tests of tools/python share. Ends with exit code 77 if modules are missing."""
import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/python"))
sys.dont_write_bytecode = True


def there(*modules):
    return all(importlib.util.find_spec(module) for module in modules)


if not there("numpy", "h5py"):
    print("skipped: no numpy or no h5py for", sys.executable)
    sys.exit(77)


def needs(*modules):
    """Returns a decorator that skips a test if one of the modules is missing."""
    return unittest.skipUnless(there(*modules), "needs " + " and ".join(modules))


class InFolder(unittest.TestCase):
    """A test case in which each test has a new folder: self.path("name")."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lockstep-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)


def main():
    result = unittest.main(exit=False).result
    for _, reason in result.skipped:
        print("skipped:", reason)
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun and len(result.skipped) == result.testsRun else 0)
