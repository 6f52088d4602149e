#!/usr/bin/env python3
"""Mutations: run.py BUILD_FOLDER [--only TEXT] [--together N]

Each row of table.toml changes one place of a copy of the source. The program that holds its tests is
built again, and these tests must fail; a change that they let through is printed, and the exit code
is 1. With --together N changes of different areas share a build; each is judged by its own tests,
which must also pass before any change. BUILD_FOLDER is one of tests/run (its CMakeCache.txt names
the source); the files are put back at the end, also after Ctrl-C.
"""
import argparse
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def changed(row):
    """The file of a row, its text, and the text with the change."""
    path = ROOT / row["file"]
    text = path.read_text()
    if text.count(row["old"]) != 1:
        sys.exit(f"{row['file']}: {row['old']!r} occurs {text.count(row['old'])} times, not once")
    return path, text, text.replace(row["old"], row["new"])


def build(folder, rows):
    targets = sorted({row["program"] for row in rows})
    done = subprocess.run(["cmake", "--build", folder, "--target", *targets],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout[-3000:]


def passes(folder, row):
    """Whether the tests of a row pass; hanging or crashing is failing, no test at all an error."""
    program = f"{folder}/bin/{row['program']}"
    filtered = "--gtest_filter=" + row["tests"]
    listed = subprocess.run([program, filtered, "--gtest_list_tests"], capture_output=True, text=True)
    if "  " not in listed.stdout:
        sys.exit(f"{row['program']} has no test {row['tests']}")
    try:
        done = subprocess.run([program, filtered, "--gtest_brief=1", "--gtest_fail_fast"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def batches(rows, most):
    """Rows of different areas and files, at most `most` in each batch."""
    all_of_them = []
    for row in rows:
        for batch in all_of_them:
            if len(batch) < most and all(
                    row["area"] != r["area"] and row["file"] != r["file"] for r in batch):
                batch.append(row)
                break
        else:
            all_of_them.append([row])
    return all_of_them


def judge(folder, batch):
    """Names of what was not caught."""
    files = [changed(row) for row in batch]
    escaped = []
    try:
        for path, _, text in files:
            path.write_text(text)
        trouble = build(folder, batch)
        if trouble:
            sys.exit("a change does not compile:\n" + trouble)
        for row in batch:
            caught = not passes(folder, row)
            print(f"{'caught ' if caught else 'ESCAPED'}  {row['file']}: {row['old']} -> {row['new']}"
                  f"  ({row['tests']})", flush=True)
            if not caught:
                escaped.append(row["file"])
    finally:
        for path, text, _ in files:
            path.write_text(text)
    return escaped


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--only", default="", help="rows whose file contains this")
    parser.add_argument("--together", type=int, default=1, help="changes that share a build")
    options = parser.parse_args()
    table = tomllib.loads((HERE / "table.toml").read_text())["mutation"]
    rows = [row for row in table if options.only in row["file"]]
    trouble = build(options.folder, rows)
    if trouble:
        sys.exit("the source does not build:\n" + trouble)
    for row in rows:
        if not passes(options.folder, row):
            sys.exit(f"{row['program']} {row['tests']} fails without any change")
    escaped = [name for batch in batches(rows, options.together)
               for name in judge(options.folder, batch)]
    print(f"{len(rows) - len(escaped)} of {len(rows)} caught")
    sys.exit(1 if escaped else 0)


if __name__ == "__main__":
    main()
