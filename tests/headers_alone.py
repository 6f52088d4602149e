#!/usr/bin/env python3
"""Every header includes what it names: headers_alone.py [--compile]

A type or constant of the project that a header names must be declared in it or in what it includes.
Names that two headers declare are not looked at. This takes a second; with --compile each header is
compiled alone instead, as the only text of a translation unit (some six minutes of processor time).
"""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
WORDS = re.compile(r'//[^\n]*|R"\w*\(.*?\)\w*"|"(?:\\.|[^"\\\n])*"', re.S)
DECLARED = re.compile(r"^(?:template <.*> ?)?(?:struct|class|enum class|enum|using) (?:alignas\(\d+\) )?([A-Z]\w+)|"
                      r"^(?:inline )?constexpr [^=;({\n]*?\b(k[A-Z]\w*)", re.M)
LOCAL = re.compile(r"\b(?:struct|class|enum|using|typename|union) ([A-Z]\w+)|\b(k[A-Z]\w*) *[={\[]|\b([A-Z]\w+)[,} ]*(?:$|=)",
                   re.M)
COMPILER = ["g++", "-std=c++20", "-fsyntax-only", f"-I{ROOT}", "-isystem", "/usr/include/imgui", "-isystem",
            "/usr/include/hdf5/serial", "-DTOML_HEADER_ONLY=0", "-DFMT_SHARED", "-x", "c++"]


def headers():
    for top in ("sim", "app", "render"):
        for path in sorted((ROOT / top).rglob("*.*h")):
            if path.suffix in (".h", ".cuh"):
                yield str(path.relative_to(ROOT))


def missing():
    """(header, name, the header that declares it) of each name that is not within reach."""
    text = {name: WORDS.sub(" ", (ROOT / name).read_text()) for name in headers()}
    includes = {name: INCLUDE.findall((ROOT / name).read_text()) for name in text}
    declared = {}
    for name, words in text.items():
        for found in DECLARED.finditer(words):
            declared.setdefault(found[1] or found[2], set()).add(name)
    home = {name: next(iter(where)) for name, where in declared.items() if len(where) == 1}

    def reach(name, seen):
        if name in text and name not in seen:
            seen.add(name)
            for other in includes[name]:
                reach(other, seen)
        return seen

    for name, words in text.items():
        near = reach(name, set())
        own = {word for other in near for found in LOCAL.finditer(text[other]) for word in found.groups()}
        for word in sorted(set(re.findall(r"(?<![:.>\w])[A-Zk]\w+", words))):
            if word in home and home[word] not in near and word not in own:
                yield name, word, home[word]


def compiles(name):
    done = subprocess.run([*COMPILER, name], cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr


def main():
    faults = [f"{name}: {word} is declared in {where}, which it does not include"
              for name, word, where in missing()]
    if "--compile" in sys.argv[1:]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = list(filter(None, pool.map(compiles, (h for h in headers() if h.endswith(".h")))))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
