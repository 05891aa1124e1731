#!/usr/bin/env python3
"""Lockstep's matchings beside edge colourings that packages offer, in one run: Boost.Graph (Misra and Gries; by
lockstep-bench) and networkx (greedy colouring of the line graph). Small generated ratings, since both take long.

    tools/peers.py --bin build/bin [--edges 20000]
"""
import argparse
import json
import os
import subprocess
import tempfile
import time


def networkx_colours(path):
    """Seconds and colours of networkx, or None where it is not installed."""
    try:
        import networkx
    except ImportError:
        return None
    graph = networkx.Graph()
    with open(path) as lines:
        for line in lines:
            row, col = line.split()[:2]
            graph.add_edge("r" + row, "c" + col)
    start = time.perf_counter()
    colours = networkx.greedy_color(networkx.line_graph(graph), strategy="connected_sequential")
    return time.perf_counter() - start, max(colours.values()) + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of the programs")
    parser.add_argument("--edges", type=int, default=20000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ratings.txt")
        subprocess.run([os.path.join(options.bin, "lockstep-generate"), "ratings", "--users", str(options.edges // 10), "--items",
                        str(options.edges // 40), "--edges", str(options.edges), "--max-degree", str(options.edges // 20), "--seed", "1",
                        "-o", path], check=True, stderr=subprocess.DEVNULL)
        out = subprocess.run([os.path.join(options.bin, "lockstep-bench"), path, "--part", "peers", "--json", "--quiet", "--runs", "5",
                              "--seconds", "3600"], check=True, capture_output=True, text=True).stdout
        last = json.loads(out)["sizes"][-1]
        found = networkx_colours(path)
    base = last["first-fit"]["seconds"]
    print(f"{last['edges']:,} edges, largest degree {last['largest_degree']}")
    print(f"{'':28} {'seconds':>10} {'colours':>8} {'x first-fit':>12}")
    names = {"first-fit": "Lockstep, first-fit", "euler": "Lockstep, Euler splitting", "exact": "Lockstep, exact",
             "boost": "Boost.Graph edge_coloring"}
    for name, title in names.items():
        print(f"{title:28} {last[name]['seconds']:10.5f} {last[name]['colours']:8} {last[name]['seconds'] / base:12.1f}")
    if found:
        print(f"{'networkx greedy_color':28} {found[0]:10.5f} {found[1]:8} {found[0] / base:12.1f}")
    else:
        print("networkx is not installed")


if __name__ == "__main__":
    main()
