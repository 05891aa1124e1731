"""The graphs that tools/bench.py measures: {name: (source, input options)}. A source is the name of a file in
the data folder, or (several words) the arguments of lockstep-generate."""
BIPARTITE, SQUARE = "--shape bipartite", "--shape square"
BOTH_WAYS = "--shape square --undirected --repeats first"
ROAD = "--shape square --undirected --value-column none"  # without weights, as in the paper
WEIGHTS = " --weights 1..255"
RMAT = "rmat --scale {} --edge-factor {}"
GRID = "grid --width 2048 --height 2048"


def ratings(users, items, edges, degree):
    return f"ratings --users {users} --items {items} --edges {edges} --max-degree {degree}"


# Graphs with the shapes and sizes of the paper's inputs, after which they are named (road-15m is W, road-34m
# CTR, road-5m CAL, road-9m E), and graphs of 20 M edges that differ only in skew. The sizes of STACK in the
# paper (0.6 M vertices, 0.1 M edges) would be less than one edge per vertex, so stack-like has the sizes of
# KONECT's stackexchange-stackoverflow, whose largest degree is that of STACK.
SOURCES = {
    "goodbooks": "goodbooks-982k.txt.xz", "gene2pubmed": "gene2pubmed-human-2022.txt.xz", "insteval": "insteval.txt.xz", "cnr-2000": "cnr-2000.txt.xz",
    "movietweetings": "native/movietweetings.dat", "wordnet": "wordnet-3.0.txt.xz", "debian12-deps": "debian12-deps.txt.xz",
    "road-NE": "road-NE.txt.xz", "road-NW": "road-NW.txt.xz", "road-BAY": "road-BAY.txt.xz", "road-NY": "road-NY-weighted.txt.xz",
    "osm-delhi": "osm-delhi.txt.xz", "osm-amsterdam": "osm-amsterdam.txt.xz", "luxembourg-osm": "luxembourg_osm.txt.xz",
    "wiki-like": ratings(105_000, 8_000, 5_000_000, 100_022), "bgg-like": ratings(80_000, 20_000, 6_000_000, 43_331),
    "imdb-like": ratings(900_000, 400_000, 3_700_000, 1_590), "pokec-like": ratings(1_600_000, 1_600_000, 22_300_000, 14_734),
    "stack-like": ratings(641_876, 545_196, 1_301_942, 6_119), "citp-like": ratings(3_750_000, 3_750_000, 16_500_000, 779),
    "livej-like": ratings(4_800_000, 4_800_000, 68_900_000, 20_293), "netflix-like": ratings(480_189, 17_770, 99_000_000, 227_715),
    "ratings-20m": ratings(100_000, 20_000, 20_000_000, 52_000), "low-skew-20m": ratings(100_000, 20_000, 20_000_000, 6_000),
    "even-20m": ratings(200_000, 100_000, 20_000_000, 900), "rmat-22": RMAT.format(22, 16),
    "road-5m": "road --vertices 1840000", "road-9m": "road --vertices 3480000", "road-15m": "road --vertices 6050000", "road-34m": "road --vertices 13600000",
    "small-ratings": ratings(3_000, 800, 60_000, 2_000), "small-even": ratings(3_000, 2_000, 60_000, 90), "small-road": "road --vertices 30000"}


def read(how, names):
    return {name: (SOURCES[name], how) for name in names.split()}


def on_roads(name):
    return "road" in name or "osm" in name


# Graphs for SGD: for the table of all strategies, for bitwise comparisons, for test errors, and for the
# study.
TABLE = read(BIPARTITE, "goodbooks gene2pubmed ratings-20m") | read(SQUARE, "road-NE cnr-2000")
BITS = read(BIPARTITE, "goodbooks insteval movietweetings wordnet debian12-deps") | read(SQUARE, "road-NY")
RATED = read(BIPARTITE, "insteval movietweetings goodbooks") | {"200,000 x 20,000, 3 M": (ratings(200_000, 20_000, 3_000_000, 20_000), BIPARTITE),
                                                               "20,000 x 4,000, 2 M": (ratings(20_000, 4_000, 2_000_000, 8_000), BIPARTITE)}
REAL = (read(BIPARTITE, "goodbooks gene2pubmed insteval movietweetings") | read(SQUARE, "cnr-2000 wordnet debian12-deps")
        | read(ROAD, "road-NE road-NW road-BAY road-NY osm-delhi osm-amsterdam luxembourg-osm"))
SMALL = read(BIPARTITE, "small-ratings small-even") | read(ROAD, "small-road")
LARGER = (read(BIPARTITE, "wiki-like bgg-like imdb-like pokec-like stack-like citp-like livej-like ratings-20m low-skew-20m even-20m netflix-like")
          | read(SQUARE, "rmat-22") | read(ROAD, "road-5m road-9m road-15m road-34m"))
STUDY = REAL | LARGER | SMALL

# Graphs for BFS and SSSP by class, each with its input options.
TRAVERSED = {
    "synthetic": {"rmat-21": (RMAT.format(21, 16) + " --no-self-loops" + WEIGHTS, BOTH_WAYS),
                  **{f"rmat-{n} ef 4": (RMAT.format(n, 4) + WEIGHTS, SQUARE) for n in (22, 20, 16)},
                  "uniform": ("random --vertices 4000000 --edges 48000000" + WEIGHTS, SQUARE)},
    "web": {**read(SQUARE, "cnr-2000 debian12-deps"), "cnr-2000 both ways": (SOURCES["cnr-2000"], BOTH_WAYS)},
    "social": read(BOTH_WAYS, "wordnet goodbooks"),
    "road": {**read(BOTH_WAYS, "road-NE road-NW road-BAY road-NY osm-delhi"), "luxembourg": (SOURCES["luxembourg-osm"], BOTH_WAYS),
             "grid-2048": (GRID + WEIGHTS, BOTH_WAYS), "lattice": ("road --vertices 5600000" + WEIGHTS, BOTH_WAYS)}}
CLASS_OF = {name: kind for kind, graphs in TRAVERSED.items() for name in graphs}
TRAVERSALS = {name: graph for graphs in TRAVERSED.values() for name, graph in graphs.items()}

# Graphs for warp-based BFS: the two synthetic graphs of the paper, and graphs with the sizes and largest
# degrees of LiveJournal and Patents.
WARP_BASED = {"uniform": ("random --vertices 4000000 --edges 48000000", SQUARE), "rmat": (RMAT.format(22, 12), SQUARE),
              "livejournal-like": (ratings(4_308_451, 4_308_451, 68_993_773, 20_293), SQUARE),
              "patents-like": (ratings(1_765_311, 1_765_311, 10_564_104, 793), SQUARE)}
# Graphs for the filters of SIMD-X: on some of them bins overflow, on others they do not. The last one is as
# large as SIMD-X's largest graph.
FILTERED = {**{name: TRAVERSALS[name] for name in ("rmat-21", "rmat-20 ef 4", "uniform", "cnr-2000 both ways", "wordnet", "road-NE")},
            "kron-24": (RMAT.format(24, 16) + " --no-self-loops", BOTH_WAYS)}

# Graphs for the applications that compute the structure of a graph; the last ones are large.
SIMPLE = " --no-duplicates --no-self-loops" + WEIGHTS
STRUCTURES = {"rmat-16": (RMAT.format(16, 16) + SIMPLE, BOTH_WAYS), **read(BOTH_WAYS, "cnr-2000 wordnet debian12-deps road-NE"),
              "rmat-21": (RMAT.format(21, 16) + SIMPLE, BOTH_WAYS), "grid-2048": (GRID + WEIGHTS, BOTH_WAYS)}
LARGE = ("rmat-21", "grid-2048")

# Graphs for PageRank: shapes with known degrees, and real graphs.
SHAPES = {"star": "star --vertices 65536", "chain": "chain --vertices 1048576", "ring": "ring --vertices 1048576",
          "regular": "regular --vertices 1048576 --degree 8", "grid": "grid --width 1024 --height 1024",
          "torus-2": "torus --sides 1024,1024", "torus-3": "torus --sides 102,102,102",
          "tree": "tree --vertices 1048576", "complete": "complete --vertices 2048", "rmat-21": RMAT.format(21, 16), "grid-2048": GRID}
REAL_WEBS = {**read(SQUARE, "cnr-2000 wordnet debian12-deps"), "road-NE": (SOURCES["road-NE"], SQUARE + " --undirected")}
WEBS = REAL_WEBS | {name: (given, BOTH_WAYS) for name, given in SHAPES.items()}

# The 19 graphs of the paper on PageRank: 7 synthetic ones (of which its text names the star and those of
# constant degrees) and 12 of SNAP. The table of these graphs is missing in our copy of the paper, whose text
# names citation, collaboration, social, computer and road networks, and cit-Patents. We use twelve SNAP
# graphs of these classes, with the numbers of vertices and edges that SNAP gives. Each is replaced by a
# generated graph of about that size: a power law with a largest degree, R-MAT of the nearest power of two, or
# roads. {name: (vertices, edges, how it is read, replacement)}


def power_law(vertices, edges, degree):
    return ratings(vertices, vertices, edges, degree)


SNAP = {"cit-Patents": (3_774_768, 16_518_948, SQUARE, power_law(3_774_768, 16_518_948, 779)),
        "com-DBLP": (317_080, 1_049_866, BOTH_WAYS, power_law(317_080, 1_049_866, 300)),
        "com-Amazon": (334_863, 925_872, BOTH_WAYS, power_law(334_863, 925_872, 500)),
        "com-Youtube": (1_134_890, 2_987_624, BOTH_WAYS, RMAT.format(20, 3)),
        "ego-Facebook": (4_039, 88_234, BOTH_WAYS, power_law(4_039, 88_234, 1_000)),
        "soc-Pokec": (1_632_803, 30_622_564, SQUARE, power_law(1_632_803, 30_622_564, 14_734)),
        "soc-LiveJournal1": (4_847_571, 68_993_773, SQUARE, RMAT.format(22, 16)),
        "wiki-Talk": (2_394_385, 5_021_410, SQUARE, power_law(2_394_385, 5_021_410, 100_022)),
        "as-Skitter": (1_696_415, 11_095_298, BOTH_WAYS, RMAT.format(21, 5)),
        "p2p-Gnutella31": (62_586, 147_892, SQUARE, power_law(62_586, 147_892, 100)),
        "roadNet-CA": (1_965_206, 2_766_607, BOTH_WAYS, "road --vertices 1965206"),
        "roadNet-PA": (1_088_092, 1_541_898, BOTH_WAYS, "road --vertices 1088092")}
SYNTHETIC = "star chain ring regular grid torus-2 torus-3"
NEIGHBOURS = ({name: WEBS[name] for name in SYNTHETIC.split()} | {f"{name}-like": (given, read) for name, (_, _, read, given) in SNAP.items()} | REAL_WEBS)
