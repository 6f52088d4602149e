"""Installs into folders of its own and starts the program from there.

install_test.py CMAKE BUILD SOURCE
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

CMAKE, BUILD, SOURCE = sys.argv[1:4]
CPACK = os.path.join(os.path.dirname(CMAKE), "cpack")


def output_of(*command, **environment):
    inherited = {k: v for k, v in os.environ.items() if k not in ("CELLSCOPE_ASSETS", "DISPLAY")}
    done = subprocess.run(command, capture_output=True, text=True, env={**inherited, **environment})
    if done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Tree(unittest.TestCase):
    """What any installed tree must do; `self.prefix` holds bin and share."""

    def program(self, *arguments, **environment):
        return output_of(os.path.join(self.prefix, "bin", "cellscope"), *arguments, **environment)

    def assert_runs(self):
        assets = os.path.join(self.prefix, "share", "cellscope")
        self.assertIn(f"assets: {assets}\n", self.program("info"))
        self.assertIn(f"Scenarios in {assets}/scenarios\n", self.program("list"))
        self.assertIn("--resume", self.program("help", "files"))
        # Reads a scenario by its name, and reference data.
        ran = self.program("run", "four_disks", "--steps", "20")
        self.assertNotIn(SOURCE, ran)


class Installed(Tree):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="cellscope-install-")
        cls.prefix = os.path.realpath(os.path.join(cls.folder, "first"))
        output_of(CMAKE, "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def share(self, *path):
        return os.path.join(self.prefix, "share", *path)

    def test_runs_where_it_is_also_after_it_was_moved(self):
        self.assert_runs()
        moved = os.path.join(os.path.dirname(self.prefix), "second")
        os.rename(self.prefix, moved)
        try:
            self.prefix = moved
            self.assert_runs()
        finally:
            os.rename(moved, os.path.join(os.path.dirname(moved), "first"))

    def test_a_folder_of_ones_own_goes_before_the_installed_one(self):
        self.assertIn(f"assets: {SOURCE}/assets\n",
                      self.program("info", CELLSCOPE_ASSETS=SOURCE + "/assets"))

    def test_the_manual_has_every_subcommand_and_option(self):
        with open(self.share("man", "man1", "cellscope.1"), encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-")
        top = self.program("--help")
        commands = re.findall(r"^  ([a-z]\S*) ", top[top.index("Subcommands:"):], re.MULTILINE)
        self.assertGreaterEqual(len(commands), 6)
        parts = re.split(r'^\.SS "(.*)"$', manual, flags=re.MULTILINE)
        described = dict(zip(parts[1::2], parts[2::2]))
        self.assertEqual(sorted(described), sorted(commands))
        for name, text in [("", top), *((c, self.program(c, "--help")) for c in commands)]:
            options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", text, re.MULTILINE)
            self.assertIn("--help", options)
            for option in options:
                self.assertRegex(described.get(name, parts[0]), rf"fB(-\w,)?{option}\b", name)

    def completions(self, *words):
        script = self.share("bash-completion", "completions", "cellscope")
        typed = " ".join(f"'{w}'" for w in ("cellscope", *words))
        text = output_of("bash", "-c", f"source {script}; COMP_WORDS=({typed}); "
                         f"COMP_CWORD={len(words)}; _cellscope; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                         PATH=os.path.join(self.prefix, "bin") + ":" + os.environ["PATH"])
        return text.split()

    def test_the_shell_completes_what_the_program_takes(self):
        self.assertEqual(self.completions("rep"), ["reproduce"])
        self.assertIn("hexatic", self.completions("run", ""))
        self.assertNotIn("md", self.completions("run", ""))
        self.assertEqual(self.completions("run", "hexatic", "--traj"),
                         ["--trajectory", "--trajectory-every", "--trajectory-format"])
        self.assertEqual(self.completions("window", "--theme", ""), ["dark", "light"])
        self.assertEqual(self.completions("reproduce", "table"), ["table1", "table2", "table4"])
        self.assertEqual(self.completions("reproduce", "table1", "--pack"), ["--packings"])
        self.assertEqual(self.completions("help", "form"), ["formats"])

    def test_the_desktop_finds_program_and_icons(self):
        with open(self.share("applications", "cellscope.desktop"), encoding="utf-8") as file:
            entry = dict(line.strip().split("=", 1) for line in file if "=" in line)
        self.assertEqual(entry["Exec"].split()[0], "cellscope")
        icons = self.share("icons", "hicolor")
        xml.etree.ElementTree.parse(f"{icons}/scalable/apps/{entry['Icon']}.svg")
        with open(f"{icons}/256x256/apps/{entry['Icon']}.png", "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", head[16:]), (256, 256))


@unittest.skipUnless(shutil.which("dpkg-shlibdeps") and shutil.which("dpkg"), "not Debian")
class Package(Tree):
    def test_unpacked_into_a_bare_root_it_runs(self):
        folder = tempfile.mkdtemp(prefix="cellscope-deb-")
        self.addCleanup(shutil.rmtree, folder)
        output_of(CPACK, "-G", "DEB", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", folder)
        package = next(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".deb"))
        depends = output_of("dpkg-deb", "-f", package, "Depends")
        for needed in ("libc6", "libtbb12", "libglfw3", "libegl1"):
            self.assertIn(needed, depends)
        root = os.path.realpath(os.path.join(folder, "root"))
        output_of("dpkg", "-x", package, root)
        self.prefix = os.path.join(root, "usr")
        self.assert_runs()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
