"""What is known of the strategies, for the scripts here: the table of lockstep-execute --strategies."""
import json
import os
import subprocess


def strategies(folder, app="sgd"):
    """Of one application, from the program in `folder`: dictionaries with name, schedule, walk, policy, class, races, … From then on programs find the
    libraries of a bundle (tools/bundle.sh)."""
    library = os.path.join(os.path.dirname(os.path.abspath(folder)), "lib")
    if library not in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        os.environ["LD_LIBRARY_PATH"] = library + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    command = [os.path.join(folder, "lockstep-execute"), "--strategies", "--app", app, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["strategies"]
