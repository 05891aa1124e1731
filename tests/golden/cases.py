"""The cases of the golden table: small inputs, the options of each application, other commands."""
import pathlib
import struct


def npy(rows):
    """Returns the bytes of a NumPy file of 32-bit floats."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    values = [value for row in rows for value in row]
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.ljust(117).encode() + b"\n"
            + struct.pack(f"<{len(values)}f", *values))


SPRING = b"""struct Spring {
    struct Vertex { float x, y, z, inverse_mass; };
    struct Edge { float rest; };
    struct Parameters { float compliance; };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e, const Parameters& p) {
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const float length = sqrtf(dx * dx + dy * dy + dz * dz);
        const float weight = a.inverse_mass + b.inverse_mass;
        if (length == 0 || weight == 0) return;
        const float s = (length - e.rest) / (length * (weight + p.compliance));
        const float r = s * a.inverse_mass, t = s * b.inverse_mass;
        a.x -= r * dx, a.y -= r * dy, a.z -= r * dz;
        b.x += t * dx, b.y += t * dy, b.z += t * dz;
    }
};
"""
# An update of two sides. Its structs have gaps between their fields.
TRADE = b"""struct Trade {
    struct Row { long long amount; };
    struct Col { int edges; long long amount; };
    struct Edge { char visits; int last; };
    LOCKSTEP_HD static void update(Row& a, Col& b, Edge& e) {
        const long long amount = b.amount + (a.amount - b.amount) / 2 + 1;
        a.amount -= amount - b.amount;
        b.amount = amount, ++b.edges, ++e.visits, e.last = b.edges;
    }
};
"""
# A hub with arcs to half of the vertices and from a third of them, self-loops, and isolated
# vertices
HUB = [f"1 {i} {1 + i % 5}" for i in range(2, 60, 2)] + [f"{i} 1 2" for i in range(3, 60, 3)] + [
    "5 5 1", "7 7 2", "7 8 4", "8 7 4", "9 10 3", "9 10 5"]
SHEET = ("".join(f"v {i % 5} {i // 5} {i * i % 3 / 4}\n" for i in range(20))
         + "".join(f"f {i} {i + 1} {i + 6} {i + 5}\n" for i in range(1, 15) if i % 5) + "l 1 7\n")

# Inputs that lockstep-generate generates: {name: arguments}
GENERATED = {
    "ratings.txt": "ratings --users 60 --items 30 --edges 600 --max-degree 40",
    "dense.txt": "ratings --users 20 --items 15 --edges 290 --max-degree 20 --scale 1..5",
    "road.txt": "road --vertices 160",
    "web.txt": "rmat --scale 7 --edge-factor 8 --weights 1..9",
    "cloth.txt": "cloth --width 9 --height 8 --noise 0.2",
    "mesh.ele": "mesh --points 70",
}
# Inputs that are written here. They contain text IDs, self-loops, parallel edges, weights of zero,
# isolated vertices, no edge at all, a hub, and the sides of faces.
WRITTEN = {
    "towns.txt": b"ada bob 4\nada cid 1\ncid bob 2\nbob dan 5\ncid dan 9\ndan eve 0\nfay ada 1\n"
                 b"eve eve 3\nada bob 2\nbob ada 4\ndan eve 0\ngus hal 7\nfay fay 1\n",
    "fans.csv": b"user,item,stars\n\"ann, l.\",x,4\nben,x,3.5\nben,y,1\nben,x,5\ncy,\"z 1\",2\n"
                b"ann,y,0\ndee,x,4.5\ndee,w,-1\n",
    "hub.mtx": "\n".join(["%%MatrixMarket matrix coordinate real general", f"70 70 {len(HUB)}",
                          *HUB, ""]).encode(),
    "empty.mtx": b"%%MatrixMarket matrix coordinate pattern general\n4 4 0\n",
    "sheet.obj": SHEET.encode(),
    "other.txt": b"1 1 1\n2 2 1\n",
    "noise.txt": b"what is\nno graph at all 1 2 x\n",
    "spring.hpp": SPRING,
    "trade.hpp": TRADE,
    # Positions of cloth.txt, 9 particles wide, with an inverse mass; the first particle is fixed.
    "cloth4.npy": npy([(i % 9 * 1.1, i // 9 * 1.1, i * i % 7 / 10, min(i, 1)) for i in range(72)]),
}
ODD_MESHES = [pathlib.Path(__file__).parents[1] / "data" / "mesh" / "odd" / f"{name}.ele"
              for name in ("corner-of-ten-degrees", "hole", "two-parts")]

# Schedule files: the input, and the options to read and to schedule it. Each file has all schedules
# of its graph. The options make the parts so small that each schedule has several.
SQUARE = {
    "road": "road.txt --shape square --undirected --region-vertices 64",
    "web": "web.txt --shape square",
    "towns": "towns.txt --shape square",
    "hub": "hub.mtx --shape square",
    "empty": "empty.mtx --shape square",
}
FILES = {
    "ratings": "ratings.txt --workers 8 --block 16x8 --item-blocks 4 --star-edges 6 --hub-items 3 "
               "--rank 20 --on-chip 4",
    "dense": "dense.txt",
    "fans": "fans.csv",
    "sides": "web.txt --shape square --rank 33",
    **SQUARE,
    "cloth": "cloth.txt --ends vertices --rank 4 --on-chip 1",
    "sheet": "sheet.obj --ends vertices",
    "set": "towns.txt --ends vertices",
}


def on(names, options, *more):
    """Returns one input per schedule file, each with the same options, and the inputs `more`."""
    return [f"{name}.h5 {options}" for name in names] + list(more)


# Inputs of each application, with their options. DEFAULT is for the applications without an entry.
DEFAULT = on(SQUARE, "--verify --top 3")
INPUTS = {
    "sgd": ["ratings.h5 --sweeps 3", "sides.h5 --sweeps 2 -k 33",
            "fans.h5 --sweeps 2 -k 3 --model-form plain",
            "dense.h5 --sweeps 3 -k 8 --storage fp16",
            "ratings.h5 --sweeps 2 -k 20 --nonnegative --phase-order given --test-fraction 0.2"],
    "als": ["dense.h5 --sweeps 2 -k 16 --test-fraction 0.2", "dense.h5 --sweeps 2 -k 5",
            "sides.h5 --sweeps 1 -k 48 --at-once 16"],
    "update": ["cloth.h5 --update spring.hpp --vertices cloth4.npy --set compliance=0.001 "
               "--sweeps 3 --verify", "ratings.h5 --update trade.hpp --sweeps 3 --verify"],
    "springs": ["cloth.h5 --positions cloth.npy --pin 0,8 --frames 3 --substeps 2 --verify "
                "--residual", "sheet.h5 --positions sheet.obj --frames 2 --iterations 3"],
    "layout": on(SQUARE, "--sweeps 4 --verify",
                 "web.h5 --sweeps 3 --dimensions 3 --full-up-to 20 --pivots 9"),
    "dmr": [f"{path.name} --verify" for path in ODD_MESHES]
           + ["mesh.ele --verify", "mesh.ele --min-angle 20 --try-all 1"],
    "bfs": on(("road", "web", "hub"), "--sources 3 --verify --parents",
              "towns.h5 --source ada --path-to eve --top 4"),
    "sssp": on(("road", "web", "hub"), "--sources 3 --verify",
               "towns.h5 --source ada --path-to eve --top 4"),
    "kcore": on(SQUARE, "--verify --top 3", "web.h5 --k 5 --verify", "road.h5 --k 2"),
    "mis": on(SQUARE, "--verify", "web.h5 --priorities random --seed 3"),
    "triangles": on(SQUARE, "--verify", "web.h5 --per-vertex --top 3"),
    "pagerank": on(("road", "web", "hub"), "--verify", "web.h5 --until 1e-5 --top 3",
                   "towns.h5 --dangling lost --tolerance 1e-6",
                   "web.h5 --sums float --iterations 4"),
    "bp": on(("web", "hub", "towns"), "--verify --top 3"),
}

# Arguments that every program refuses, except (program, arguments) in NOT_REFUSED
REFUSED = ["", "--nonsense", "nowhere.h5", "noise.txt", "damaged.h5"]
NOT_REFUSED = [("probe", "")]

# Commands that write the files that the commands below read
MADE = ["execute ratings.h5 --strategy agm-e --device cpu --threads 2 --sweeps 3 --model m.h5 "
        "--record runs.jsonl --quiet",
        "execute ratings.h5 --strategy el --device cpu --threads 2 --record runs.jsonl --quiet",
        "execute web.h5 --app bfs --strategy best --device cpu --record runs.jsonl --quiet",
        # Both commands compile an update, so that the jobs find it in the cache.
        "execute cloth.h5 --update spring.hpp --strategy agm-e --device cpu --quiet",
        "execute ratings.h5 --update trade.hpp --strategy agm-e --device cpu --quiet"]

# Other commands. The commands of one job run one after another. The words after ` | ` are hashed:
# stdout, facts (the JSON on standard output), or the names of files.
COMMANDS = {
    "generate": [
        "generate ratings --users 9 --items 7 --edges 20 --max-degree 6 --json -o g.txt "
        "| facts g.txt",
        "generate grid --width 4 --height 3 -o - | stdout",
        "generate complete --vertices 5 -o - | stdout",
        "generate cloth --width 4 --height 3 -o g.bin | g.bin g.npy",
        "generate mesh --points 9 -o g.ele | g.ele g.node",
        "generate ratings --users 9 --items 7 --edges 90 --max-degree 6 -o -",
        "generate rmat --scale 3 -o /nowhere/g.txt"],
    "preprocess": [
        "preprocess fans.csv -o p.h5 --json --no-times --schedule agm-e,tiled,stars | p.h5",
        "preprocess p.h5 -o p.h5 --json --no-times --schedule diag | p.h5",
        "preprocess ratings.txt -o d.h5 --workers 8 --matching euler --block 8x4 --item-blocks 4 "
        "--no-times --schedule all | d.h5",
        "preprocess fans.csv -o p.h5 --schedule nonsense",
        "preprocess fans.csv -o spring.hpp",
        "preprocess fans.csv -o /nowhere/p.h5"],
    "inspect": [
        "inspect ratings.h5 --json | facts",
        "inspect ratings.h5 --workers 4 --json | facts",
        "inspect m.h5 --json | facts",
        "inspect towns.h5 --row-ids | stdout"],
    "verify": [
        "verify ratings.h5 --json | facts",
        "verify towns.h5 --schedule agm-e",
        "verify ratings.h5 --input ratings.txt --json",
        "verify ratings.h5 --input other.txt"],
    "results": [
        "execute ratings.h5 --strategy agm-e --device cpu --threads 1 --sweeps 2 --json "
        "--model-form plain --test-fraction 0.3 --model e.h5 --export-test e.txt --record e.jsonl "
        "| facts e.h5 e.txt e.jsonl",
        "execute dense.h5 --app als --device cpu --sweeps 2 --model a.h5 | a.h5",
        "execute web.txt --shape square --app cc --device cpu --output l.txt --json | l.txt",
        "execute web.h5 --app pagerank --device cpu --output r.h5 --json | r.h5",
        "execute towns.h5 --app sssp --source ada --device cpu --output s.h5 | s.h5",
        "execute towns.h5 --app bfs --source ada --device cpu --path-to eve --output - | stdout",
        "execute road.h5 --app layout --device cpu --sweeps 3 --output o.txt --picture o.svg "
        "| o.txt o.svg",
        "execute mesh.ele --app dmr --device cpu --mesh f.ele | f.ele f.node",
        "execute cloth.txt --app springs --positions cloth.npy --strategy agm-e --device cpu "
        "--frames 2 --output c.npy --picture c.svg | c.npy c.svg",
        "execute cloth.h5 --app springs --positions cloth.npy --strategy all --device cpu "
        "--frames 2 --verify",
        "execute ratings.h5 --update trade.hpp --strategy agm-e --device cpu --output u.npy "
        "--output-edges v.npy | u.npy v.npy",
        "execute empty.h5 --app bfs --strategy best --device cpu --threads 1 --json | facts",
        "execute empty.h5 --app sssp --strategy best --device cpu --threads 1 --json | facts",
        "execute empty.h5 --app pagerank --strategy pull --device cpu --threads 1 --json | facts",
        "execute empty.h5 --app bp --strategy pull --device cpu --threads 1 --json | facts",
        "execute ratings.h5 --device cpu --threads 2 --json",
        "execute web.h5 --app cc --strategy tune --tune-seconds 0 --device cpu --json"],
    "refusals": [
        "execute ratings.h5 --strategy el --device cpu --learning-rate 1e9 --json",
        "execute ratings.h5 --app bfs --device cpu",
        "execute web.h5 --app cc --device cpu --output /nowhere/l.txt",
        "execute fans.h5 --strategy hubs --device cpu",
        "execute web.h5 --app bfs --source nobody --device cpu",
        "execute set.h5 --app springs --strategy agm-e --device cpu",
        "execute ratings.h5 --app als --device cpu",
        "execute fans.h5 --strategy agm-e --device cpu --k 3",
        "execute web.h5 --app sssp --strategy best --filter jit --device cpu"],
    "train": [
        "train ratings.txt -m t.h5 --strategy agm-e --device cpu --threads 1 --sweeps 3 "
        "--model-form plain --keep k.h5 --record t.jsonl --json | facts t.h5 k.h5 t.jsonl",
        "train fans.csv -m i.h5 --feedback implicit --device cpu --threads 1 --sweeps 2 "
        "--test-fraction 0 --json | facts i.h5",
        "train ratings.txt -m t.h5 --device cpu --threads 2 --json",
        "train ratings.txt --strategy el --learning-rate 1e9 --device cpu",
        "train empty.mtx -m n.h5 --device cpu"],
    "predict": [
        "predict m.h5 --top 3 | stdout",
        "predict m.h5 --top 2 --exclude ratings.txt --json | facts",
        "predict m.h5 --pairs ratings.txt | stdout",
        "predict m.h5 --similar 3 --top 4 | stdout",
        "predict m.h5 --evaluate ratings.txt --json",
        "predict m.h5 --fold-in other.txt --top 2 --save-model n.h5 | stdout n.h5",
        "predict m.h5 --pairs towns.txt",
        "predict m.h5 --pairs ratings.txt -o /nowhere/p.txt",
        "predict m.h5 --top 0"],
    "report": [
        "report runs.jsonl --json",
        "report runs.jsonl ratings.h5 --csv c.csv --html c.html",
        "report ratings.h5 --json",
        "report runs.jsonl --baseline nonsense",
        "report runs.jsonl --html /nowhere/c.html"],
    "recommend": [
        "recommend ratings.h5 --device h200 --json",
        "recommend ratings.txt --device h200 --sweeps 5 --terms",
        "recommend ratings.txt --gpus 4 --json",
        "recommend ratings.h5 --device probe"],
    "probe": [
        "probe --device cpu --quick --threads 1 --json -o p.json",
        "probe --rank 0",
        "probe --device cpu -o /nowhere/p.json"],
}
