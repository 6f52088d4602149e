#!/usr/bin/env python3
"""Writes the man page from what the program says about itself: manual.py PROGRAM > cellscope.1"""
import os
import re
import subprocess
import sys


def help_of(program, *subcommand):
    environment = {k: v for k, v in os.environ.items() if k != "CELLSCOPE_ASSETS"}
    return subprocess.run([program, *subcommand, "--help"], check=True, capture_output=True,
                          text=True, env=environment).stdout.rstrip("\n").split("\n")


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def sections(lines):
    """(heading, lines) of "Options:" and the like; what stands before the first has heading ''."""
    found = [("", [])]
    for line in lines:
        if re.fullmatch(r"[A-Z][a-z]+:", line):
            found.append((line[:-1], []))
        elif line.startswith(" ") or not found[-1][0]:
            found[-1][1].append(line)
        elif line:
            found.append(("", [line]))
    return found


def items(lines):
    """(term, explanation) of lines "  term   explanation", whose explanation may go on below."""
    found = []
    for line in lines:
        if re.match(r" {2}\S", line):
            term, _, words = line.strip().partition("  ")
            found.append([term, words.strip()])
        elif line.strip() and found:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    return found


def term(text):
    """Without the type names of the parser: "--scale FLOAT:0 to 8" -> "--scale FLOAT (0 to 8)"."""
    text = re.sub(r"([A-Z]+):\{([^}]*)\}", lambda m: m[2].replace(",", "|"), text)
    text = re.sub(r"\b(TEXT|INT|UINT|FLOAT):([^=]*?)(?= Excludes:| Needs:| REQUIRED|=|$)", r"\1 (\2)", text)
    return text.replace("UINT", "N").replace("INT", "N").replace("FLOAT", "X")


def list_of(heading_items):
    return [line for name, words in heading_items
            for line in (".TP", "\\fB" + escaped(term(name)) + "\\fR", escaped(words))]


def plain(lines):
    """Paragraphs; "NAME: words" lines become items."""
    out = []
    for line in lines:
        if line.strip() and not line.startswith("Usage:"):
            out += [".PP", escaped(line.strip())]
    return out


def subcommands(lines):
    return next(items(body) for heading, body in sections(lines) if heading == "Subcommands")


def page(program):
    version = subprocess.run([program, "--version"], check=True, capture_output=True,
                             text=True).stdout.split()[-1]
    lines = help_of(program)
    commands = subcommands(lines)
    out = [f'.TH CELLSCOPE 1 "" "cellscope {version}" "User Commands"', ".SH NAME",
           "cellscope \\- simulator and visual debugger of particle simulations", ".SH SYNOPSIS"]
    usages = [help_of(program, name) for name, _ in commands]
    for usage in [lines, *usages]:
        text = next(line for line in usage if line.startswith("Usage:"))[len("Usage: "):]
        out += ["\\fB" + escaped(text) + "\\fR", ".br"]
    tail = []
    out.append(".SH DESCRIPTION")
    for heading, body in sections(lines):
        if heading == "Options":
            out += [".SH OPTIONS", *list_of(items(body))]
        elif heading == "" and body and re.match(r"(Exit codes|Environment): ", body[0]):
            name, _, words = body[0].partition(": ")
            tail += [".SH " + {"Exit codes": "EXIT STATUS", "Environment": "ENVIRONMENT"}[name],
                     escaped(words[0].upper() + words[1:])]
        elif heading == "":
            out += plain(body)
    out.append(".SH SUBCOMMANDS")
    for (name, words), usage in zip(commands, usages):
        out += [f'.SS "{escaped(name)}"', escaped(words) + "."]
        for heading, body in sections(usage):
            if heading:
                out += list_of(items(body))
            elif body[0] != words:
                out += plain([line for line in body
                              if not re.match(r"(Exit codes|Environment): ", line)
                              and line != words])
    return "\n".join(out + tail) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page(os.path.abspath(sys.argv[1])))
