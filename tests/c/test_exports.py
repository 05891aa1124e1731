"""What liblockstep.so shows is what lockstep.h declares, all of it with a version, and nothing else; the CUDA library shows updates what they call."""
import pathlib
import re
import subprocess
import sys

library, header = sys.argv[1:]


def exports(file):
    """name@@version of each."""
    lines = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", file], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in lines.splitlines() if line.split()[-2] != "A"}


declared = set(re.findall(r"\b(lockstep_\w+)\(", re.sub(r"/\*.*?\*/", "", pathlib.Path(header).read_text(), flags=re.S)))
declared.discard("lockstep_progress")
shown = {name for name in exports(library) if not re.fullmatch(r"_Z\w+@@LOCKSTEP_UPDATES", name)}
wrong = {name for name in shown if not re.fullmatch(r"lockstep_\w+@@LOCKSTEP_0\.1", name)}
assert not wrong, f"shown without a version, or of another: {sorted(wrong)[:5]}"
names = {name.split("@")[0] for name in shown}
assert names == declared, f"declared, not shown: {declared - names}; shown, not declared: {names - declared}"
assert len(names) > 20
