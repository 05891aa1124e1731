"""Writes sparse matrices in the formats of h5py, AnnData, CellRanger and scipy to the folder given as argument.

Some matrices are valid, the others are odd. All valid matrices have the rows "c-b", "a-a" and "d-d", the columns
g1 … g3 and the entries   c-b: g1 5, g3 3.5   a-a: g2 4   d-d: g1 1, g2 2.
"""
import os, sys
import h5py
import numpy as np

os.chdir(sys.argv[1])
cells, genes = ["c-b", "a-a", "d-d"], ["g1", "g2", "g3"]
CSR = dict(indptr=[0, 2, 3, 5], indices=[0, 2, 1, 0, 1], data=[5, 3.5, 4, 1, 2])
CSC = dict(indptr=[0, 2, 4, 5], indices=[0, 2, 1, 2, 0], data=[5, 1, 4, 2, 3.5])


def h5ad(name, x=CSR, kind="csr_matrix", shape=(3, 3), obs=cells, var=genes, types=("i4", "i4", "f4"), attrs=None, edit=None, **options):
    with h5py.File(name, "w") as f:
        f.attrs["encoding-type"] = "anndata"
        g = f.create_group("X")
        for key, value in (attrs or {"encoding-type": kind, "encoding-version": "0.1.0", "shape": np.array(shape)}).items():
            g.attrs[key] = value
        for key, t in zip(("indptr", "indices", "data"), types):
            g.create_dataset(key, data=np.array(x[key], t), **options)
        for side, names in (("obs", obs), ("var", var)):
            frame = f.create_group(side)
            frame.attrs["_index"] = "_index"
            if len(names) and isinstance(names[0], str):
                frame.create_dataset("_index", data=names, dtype=h5py.string_dtype())
            else:
                frame.create_dataset("_index", data=names)
        if edit:
            edit(f)


def tenx(name, edit=None, **change):
    # In CellRanger's files, the columns are the cells; in the other formats, the rows are.
    with h5py.File(name, "w") as f:
        m = f.create_group("matrix")
        parts = dict(CSR, barcodes=np.array(cells, "S18"), shape=np.array([3, 3], "i4"))
        parts.update(change)
        for key, value in parts.items():
            m.create_dataset(key, data=np.array(value) if key != "indptr" else np.array(value, "i8"), maxshape=(None,), chunks=(2,), compression="gzip")
        m.create_group("features").create_dataset("id", data=np.array(genes, "S8"))
        if edit:
            edit(f)


def npz(name, kind="csr", save=np.savez, types=("i4", "i4", "f8"), drop=(), **change):
    parts = dict(CSC if kind == "csc" else CSR)
    parts = {k: np.array(v, t) for (k, v), t in zip(parts.items(), types)}
    if kind == "coo":
        parts.update(row=np.array([0, 0, 1, 2, 2], "i4"), col=parts.pop("indices"))
        parts.pop("indptr")
    parts.update(format=np.array(kind.encode()), shape=np.array([3, 3]))
    parts.update(change)
    save(name, **{k: v for k, v in parts.items() if k not in drop})


def replace(path, value, **options):
    def edit(f):
        del f[path]
        f.create_dataset(path, data=value, **options)
    return edit


def remove(path):
    def edit(f):
        del f[path]
    return edit


def both(*edits):
    def edit(f):
        for e in edits:
            e(f)
    return edit


# --- valid -----------------------------------------------------------------------------------------------
h5ad("good-csr.h5ad")
h5ad("good-csc.h5ad", CSC, "csc_matrix")
h5ad("good-gzip.h5ad", compression="gzip", shuffle=True, fletcher32=True, chunks=(2,))
h5ad("good-wide.h5ad", types=("i8", "u8", "f8"), maxshape=(None,))
h5ad("good-old.h5ad", attrs={"h5sparse_format": "csr", "h5sparse_shape": np.array([3, 3])})
h5ad("good-fixed.h5ad", obs=np.array(cells, "S5"), var=np.array(genes, "S2"))
h5ad("good-named.h5ad", edit=lambda f: (f["obs"].move("_index", "cell"), f["obs"].attrs.__setitem__("_index", "cell")))
tenx("good-10x.h5")
tenx("good-10x-ints.h5", data=np.array([10, 7, 8, 2, 4], "i4"))
for kind in ("csr", "csc", "coo"):
    npz(f"good-{kind}.npz", kind)
    npz(f"good-{kind}-deflated.npz", kind, np.savez_compressed, ("i8", "i8", "f4"))
npz("good-text.npz", format=np.array("csr"))
npz("good-array.npz", _is_array=np.array(True))
npz("good-bool.npz", data=np.array([True] * 5))
h5ad("good-bool.h5ad", types=("i4", "i4", "?"))
h5ad("good-empty-row.h5ad", dict(indptr=[0, 2, 2, 3], indices=[0, 2, 1], data=[5, 3.5, 2]))
h5ad("good-numbered.h5ad", obs=["10", "9", "11"])

# --- odd: AnnData and 10x ----------------------------------------------------------------------------------
h5ad("dense.h5ad", edit=replace("X", np.eye(3, dtype="f4")))
h5ad("no-x.h5ad", edit=remove("X"))
h5ad("encoding.h5ad", kind="array")
h5ad("shape.h5ad", attrs={"encoding-type": "csr_matrix"})
h5ad("rows.h5ad", shape=(4, 3))
h5ad("columns.h5ad", shape=(3, 2))
h5ad("negative-shape.h5ad", shape=(-3, 3))
h5ad("index.h5ad", dict(CSR, indices=[0, 3, 1, 0, 1]))
h5ad("negative-index.h5ad", dict(CSR, indices=[0, -1, 1, 0, 1]))
h5ad("offsets.h5ad", dict(CSR, indptr=[0, 3, 2, 5]))
h5ad("offsets-end.h5ad", dict(CSR, indptr=[0, 2, 3, 6]))
h5ad("nan.h5ad", dict(CSR, data=[5, np.nan, 4, 1, 2]))
h5ad("too-large.h5ad", dict(CSR, data=[5, 1e300, 4, 1, 2]), types=("i4", "i4", "f8"))
h5ad("short-data.h5ad", dict(CSR, data=[5, 3.5]))
h5ad("twice.h5ad", obs=["a", "b", "a"])
h5ad("empty-name.h5ad", obs=["a", "", "b"])
h5ad("long-names.h5ad", obs=[c * 5000 for c in "abc"])
h5ad("long-name.h5ad", obs=["a" * 4097, "b", "c"])
h5ad("control.h5ad", var=["g1", "g\x1b[31m", "g3"])
h5ad("latin1.h5ad", var=np.array([b"g1", b"g\xe9", b"g3"]))
h5ad("lzf.h5ad", compression="lzf", chunks=(2,))
h5ad("float-index.h5ad", types=("i4", "f4", "f4"))
h5ad("complex.h5ad", types=("i4", "i4", "c8"))
h5ad("table.h5ad", edit=replace("obs", np.array([(b"a", 1)], [("index", "S1"), ("n", "i4")])))
h5ad("categorical.h5ad", edit=both(remove("obs/_index"), lambda f: f.create_group("obs/_index")))
h5ad("no-names.h5ad", edit=remove("var/_index"))
h5ad("external.h5ad", edit=both(remove("X/data"), lambda f: f["X"].__setitem__("data", h5py.ExternalLink("good-csr.h5ad", "/X/data"))))
h5ad("soft.h5ad", edit=both(remove("X"), lambda f: f.__setitem__("X", h5py.SoftLink("/obs"))))
h5ad("huge.h5ad", edit=both(remove("X/data"), lambda f: f["X"].create_dataset("data", shape=(1 << 40,), dtype="f4", chunks=(1024,))))
h5ad("matrix-data.h5ad", edit=replace("X/data", np.eye(5, dtype="f4")))
with h5py.File("mudata.h5mu", "w") as f:
    f.create_group("mod/rna")
with h5py.File("loom.loom", "w") as f:
    f.create_group("row_attrs"); f["matrix"] = np.eye(2)
with h5py.File("other.h5", "w") as f:
    f["table"] = np.eye(2)
with h5py.File("cellranger2.h5", "w") as f:
    f["GRCh38/barcodes"] = np.array(cells, "S18")
tenx("10x-shape.h5", shape=np.array([3], "i4"))
tenx("10x-barcodes.h5", barcodes=np.array(cells[:2], "S18"))
tenx("10x-features.h5", edit=remove("matrix/features/id"))
open("cut.h5ad", "wb").write(open("good-csr.h5ad", "rb").read()[:3000])

# --- odd: npz ------------------------------------------------------------------------------------------------
npz("dia.npz", format=np.array(b"dia"))
npz("no-format.npz", drop=("format",))
npz("no-data.npz", drop=("data",))
npz("no-indptr.npz", drop=("indptr",))
npz("one-shape.npz", shape=np.array([3]))
npz("rows.npz", shape=np.array([2, 3]))
npz("index.npz", indices=np.array([0, 9, 1, 0, 1]))
npz("negative.npz", indices=np.array([0, -1, 1, 0, 1]))
npz("coo-row.npz", "coo", row=np.array([0, 0, 1, 3, 2]))
npz("coo-short.npz", "coo", row=np.array([0, 0, 1]))
npz("nan.npz", data=np.array([5, np.nan, 4, 1, 2]))
npz("inf.npz", data=np.array([5, 1e300, 4, 1, 2]))
npz("big-endian.npz", types=(">i4", ">i4", ">f8"))
npz("complex.npz", data=np.array([1j] * 5))
npz("half.npz", data=np.array([1] * 5, "f2"))
npz("objects.npz", data=np.array([None] * 5, dtype=object))
npz("float-index.npz", indices=np.array([0.0, 2, 1, 0, 1]))
npz("matrix-data.npz", data=np.eye(5))
np.savez("arrays.npz", a=np.eye(3), b=np.arange(4))
np.save("array.npy", np.eye(3))
whole = open("good-csr.npz", "rb").read()
open("cut.npz", "wb").write(whole[: len(whole) // 2])
at = whole.index(b"NUMPY") + 130
open("flip.npz", "wb").write(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
