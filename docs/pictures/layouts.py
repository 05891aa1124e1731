#!/usr/bin/env python3
"""Draws the layouts of docs/guides/layout.md beside itself:   docs/pictures/layouts.py BIN DATA

BIN: the programs; DATA: the real graphs, luxembourg_osm and cnr-2000. The torus is generated.
"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = {"layout-road.png": ("luxembourg_osm.txt.xz", "--pixels", "700"), "layout-web.png": ("cnr-2000.txt.xz", "--pivots", "50", "--pixels", "700")}


def main(binaries, data):
    binaries = pathlib.Path(binaries)

    def draw(name, graph, *options):
        subprocess.run([binaries / "lockstep-execute", graph, "--app", "layout", "--device", "cpu", "--quiet", "--force", "--picture", HERE / name, *options], check=True)

    with tempfile.TemporaryDirectory() as folder:
        torus = pathlib.Path(folder) / "torus.txt"
        subprocess.run([binaries / "lockstep-generate", "torus", "--sides", "60,20", "--quiet", "-o", torus], check=True)
        draw("layout-torus.png", torus, "--pixels", "500")
    for name, (graph, *options) in PICTURES.items():
        draw(name, pathlib.Path(data) / graph, *options)


if __name__ == "__main__":
    main(*sys.argv[1:])
