#!/usr/bin/env python3
"""Draws docs/pictures/springs-fall.svg: a cloth that falls, exact and by Jacobi (gathered, the faster one) in the same time of sweeps on one thread.

    docs/pictures/springs.py [--bin build/bin]
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SWEEPS = 12
PANELS = re.compile(r'<svg [^>]*width="(\d+)" height="(\d+)".*?>\n(.*)</svg>', re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parent.parent / "build/bin")
    bin = parser.parse_args().bin
    with tempfile.TemporaryDirectory() as folder:
        cloth = pathlib.Path(folder, "cloth.txt")
        subprocess.run([bin / "lockstep-generate", "cloth", "--width", "24", "--height", "24", "-o", cloth, "--quiet"], check=True)

        def run(strategy, iterations, picture):
            command = [bin / "lockstep-execute", cloth, "--app", "springs", "--positions", cloth.with_suffix(".npy"), "--pin", "0,23", "--threads", "1", "--frames", "100",
                       "--substeps", "1", "--sweep-order", "forward", "--iterations", str(iterations), "--strategy", strategy, "--picture", picture, "--force", "--json", "--quiet"]
            return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

        strips, jacobi = (pathlib.Path(folder, name + ".svg") for name in ("strips", "jacobi"))
        exact = run("strips", SWEEPS, strips)
        once = run("jacobi-gather", 1, jacobi)
        iterations = max(1, round(SWEEPS * exact["iteration_seconds"] / once["iteration_seconds"]))
        other = run("jacobi-gather", iterations, jacobi)
        panels = [PANELS.search(file.read_text()) for file in (strips, jacobi)]
    words = [f"strips: {SWEEPS} iterations a frame, residual {exact['residual']:.3f}", f"Jacobi in the same time: {iterations}, residual {other['residual']:.3f}"]
    width, heights = max(int(p[1]) for p in panels), [int(p[2]) + 24 for p in panels]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{sum(heights)}" viewBox="0 0 {width} {sum(heights)}">']
    for panel, text, top in zip(panels, words, (0, heights[0])):
        parts.append(f'<g transform="translate(0 {top})"><text x="10" y="16" font-family="sans-serif" font-size="13">{text}</text>'
                     f'<g transform="translate(0 24)">{panel[3]}</g></g>')
    (HERE / "springs-fall.svg").write_text("\n".join(parts) + "\n</svg>\n")
    print("\n".join(words))


if __name__ == "__main__":
    main()
