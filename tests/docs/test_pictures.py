"""Tests the drawn pictures of the documents:  test_pictures.py FOLDER_OF_PICTURES"""
import pathlib
import re
import sys
import unittest

FOLDER = pathlib.Path(sys.argv.pop())
sys.path.insert(0, str(FOLDER))
sys.dont_write_bytecode = True
import draw  # noqa: E402
import measured  # noqa: E402


class Pictures(unittest.TestCase):
    def test_they_are_what_the_script_draws(self):
        drawn = {}
        draw.Picture.save = lambda picture, name: drawn.update({name: picture.svg()})
        for make in (draw.locks_or_supersteps, draw.schedules, draw.way_of_the_data):
            make()
        measured.main([FOLDER.parent / "data/hybrids-h200.json"])
        for name, svg in drawn.items():
            self.assertEqual((FOLDER / name).read_text(), svg, name)

    def test_a_column_under_locks_is_what_two_workers_try_at_once(self):
        svg = (FOLDER / "locks-or-supersteps.svg").read_text()
        chips = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="(chip|middle faint)">(\w)</text>', svg)
        rows = {}
        for x, y, style, letter in chips:
            if float(x) > 690:
                rows.setdefault(float(y), []).append((letter, style == "chip"))
        rows = [rows[y] for y in sorted(rows)]
        passes, left = [rows[0:2], rows[2:4], [*rows[4:], []]], sorted(draw.EDGES)
        for first, second in passes:
            self.assertEqual([letter for letter, _ in first], left[::2])
            self.assertEqual([letter for letter, _ in second], left[1::2])
            for (one, one_done), (other, other_done) in zip(first, second):
                meet = any(a == b for a, b in zip(draw.EDGES[one], draw.EDGES[other]))
                self.assertEqual((one_done, other_done), (True, not meet), one + other)
            left = sorted(letter for letter, done in first + second if not done)
        self.assertEqual(left, [])


unittest.main()
