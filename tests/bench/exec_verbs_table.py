#!/usr/bin/env python3
"""The verbs of sim/exec beside the bare library, as a table: how much longer a verb takes.

    tests/bench/exec_verbs_table.py cpu  build-tests/bin/bench/micro_benchmarks
    tests/bench/exec_verbs_table.py cuda build-tests/bin/bench/micro_benchmarks

run the benchmarks (cpu: some three minutes; cuda: below one) and write
tests/bench/results/verbs-DEVICE.md. A file instead of the program is read as what
`--benchmark_format=json` wrote before. Exit code 1: a verb is slower than the limit.
"""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys

LIMIT = 1.1
LIBRARIES = {"tbb": "oneTBB", "cub": "CUB", "bare": "written out"}
# Rows in turn, in many short runs, so that all suffer alike from what else is running.
IN_TURN = ["--benchmark_enable_random_interleaving=true", "--benchmark_format=json"]
RUNS = {
    "cpu": [
        ["--benchmark_filter=^cpu/.*/(10000|1000000)/", "--benchmark_min_time=0.005",
         "--benchmark_repetitions=40"],
        ["--benchmark_filter=^cpu/sort.*/100000000/", "--benchmark_min_time=0.1",
         "--benchmark_repetitions=1"],
        ["--benchmark_filter=^cpu/[^s].*/100000000/|^cpu/select.*/100000000/",
         "--benchmark_min_time=0.1", "--benchmark_repetitions=3"],
    ],
    "cuda": [
        ["--benchmark_filter=^cuda/.*/(10000|1000000)/", "--benchmark_min_time=0.005",
         "--benchmark_repetitions=8"],
        ["--benchmark_filter=^cuda/.*/100000000/", "--benchmark_min_time=0.01",
         "--benchmark_repetitions=3"],
    ],
}


def measure(backend, program):
    rows = []
    for options in RUNS[backend]:
        done = subprocess.run([program, *options, *IN_TURN], check=True, capture_output=True,
                              text=True)
        rows += json.loads(done.stdout)["benchmarks"]
    return rows


def best_times(rows, backend):
    """Shortest time in microseconds of each (name, items)."""
    micro = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
    best = {}
    for row in rows:
        if row.get("run_type") == "aggregate":
            continue
        if row.get("error_occurred"):
            sys.exit(f"{row['name']}: {row['error_message']}")
        found = re.match(rf"{backend}/(\w+)/(\d+)/", row["name"])
        if not found:
            continue
        key = found[1], int(found[2])
        time = row.get("best_us", row["real_time"] * micro[row["time_unit"]])
        best[key] = min(time, best.get(key, time))
    return best


def pairs(best):
    """(verb, items, its time, library, the library's time), in the order of the benchmarks."""
    for (name, items), time in best.items():
        for suffix, library in LIBRARIES.items():
            if (f"{name}_{suffix}", items) in best:
                yield name, items, time, library, best[f"{name}_{suffix}", items]


def device_name(backend):
    if backend == "cuda":
        done = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
                              check=True, capture_output=True, text=True)
        return done.stdout.splitlines()[0].strip()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "cpu"


def number(time):
    return f"{time:.3g}" if time < 1000 else f"{time:.0f}"


def table(device, backend, found):
    out = [f"# Verbs of sim/exec beside the bare library, {device}", "",
           f"{datetime.date.today()}, `tests/bench/exec_verbs_table.py {backend} "
           "build-tests/bin/bench/micro_benchmarks`: shortest of several runs in turn. "
           f"At most {LIMIT} times the library's time is asked for.", "",
           "| verb | items | microseconds | library | microseconds | verb over library |",
           "| --- | --- | --- | --- | --- | --- |"]
    for name, items, time, library, bare in sorted(found):
        out.append(f"| {name} | {items:.0e} | {number(time)} | {library} | {number(bare)} | "
                   f"{time / bare:.2f} |")
    return "\n".join(out).replace("e+0", "e") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("backend", choices=RUNS)
    parser.add_argument("source", help="micro_benchmarks, or a .json file that it wrote")
    parser.add_argument("--device", help="name of the device, if not that of this machine")
    parser.add_argument("--keep", help="a .json file for all rows as measured")
    parser.add_argument("--results", default=pathlib.Path(__file__).parent / "results")
    options = parser.parse_args()
    if options.source.endswith(".json"):
        rows = json.loads(pathlib.Path(options.source).read_text())["benchmarks"]
    else:
        rows = measure(options.backend, options.source)
    if options.keep:
        pathlib.Path(options.keep).write_text(json.dumps({"benchmarks": rows}))
    found = list(pairs(best_times(rows, options.backend)))
    if not found:
        sys.exit(f"no rows of {options.backend}: is there such a device, and was it built in?")
    device = options.device or device_name(options.backend)
    text = table(device, options.backend, found)
    slug = re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")
    pathlib.Path(options.results, f"verbs-{slug}.md").write_text(text)
    print(text)
    slow = [f"{name} of {items}" for name, items, time, _, bare in found if time > LIMIT * bare]
    if slow:
        sys.exit(f"slower than {LIMIT} times the library: " + ", ".join(slow))


if __name__ == "__main__":
    main()
