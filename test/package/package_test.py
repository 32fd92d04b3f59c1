#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian package of a build, installs it into an empty root with what it depends on and nothing else, and runs it there:
the demo, the companion programs, the shared library. Removing it leaves nothing.

The root is filled from this system's own packages: the essential ones that a shell script needs, and the declared dependencies with theirs,
so that a library which the package forgot to name is missing there; dpkg --root then checks the dependencies and installs. No network.
With --debootstrap the root is a new Debian instead, and apt-get installs the package and what it depends on (minutes, network).

Needs root, or user namespaces; without both it is skipped (77).
Run: package_test.py --build BUILD [--debootstrap]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = None
DEBOOTSTRAP = False
SUITE = "bookworm"
ESSENTIAL = ["dash", "coreutils", "libc-bin"]  # what maintainer scripts and the demo may use without naming it
LEFT_OUT = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/share/info/")
EXPECTED = """
bin/chancel libexec/chancel/chancel-paper lib/libchancel.a lib/libchancel.so lib/libchancel.so.0 lib/pkgconfig/chancel.pc
lib/pkgconfig/chancel-cpp.pc lib/cmake/chancel/chancelConfig.cmake include/chancel/chancel.h include/chancel/chancel.hpp
share/man/man1/chancel.1.gz share/man/man1/chancel-infer.1.gz share/bash-completion/completions/chancel
share/zsh/vendor-completions/_chancel share/fish/vendor_completions.d/chancel.fish share/chancel/demo
share/chancel/models/hmm/hmm.clj share/chancel/examples/coin.clj share/doc/chancel/copyright share/doc/chancel/README.md
share/doc/chancel/docs/getting-started.md share/doc/chancel/CHANGELOG.md
""".split()
KERNEL = ["libexec/chancel/chancel-kernel", "share/jupyter/kernels/chancel/kernel.json"]


def output(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def dependencies(package):
    """Names that a package depends on, each a list of alternatives"""
    text = output("dpkg-query", "-W", "-f", "${Pre-Depends}, ${Depends}", package)
    return split_dependencies(text)


def split_dependencies(text):
    return [[re.split(r"[ (:]", choice.strip())[0] for choice in part.split("|")] for part in text.split(",") if part.strip()]


def installed(name):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}\n", name], capture_output=True, text=True, check=False)
    return done.stdout.startswith("installed")


def with_dependencies(wanted):
    """These packages and all that they depend on, as far as this system has them"""
    found, open_ = set(), [[name] for name in wanted]
    while open_:
        choices = open_.pop()
        name = next((c for c in choices if installed(c)), None)
        if name is None or name in found:
            continue
        found.add(name)
        open_ += dependencies(name)
    return sorted(found)


def copy_package(name, root):
    for line in output("dpkg-query", "-L", name).splitlines():
        path = pathlib.Path(line)
        if line.startswith(LEFT_OUT) or not line.startswith("/") or not (path.is_symlink() or path.is_file()):
            continue
        target = root / line[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (target.is_symlink() or target.exists()):
            shutil.copy2(path, target, follow_symlinks=False)


def make_root(root, packages):
    """A system of these packages: their files, and dpkg's records of them"""
    for name in ("bin", "sbin", "lib", "lib64"):  # as Debian has them
        (root / "usr" / name).mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to("usr/" + name)
    for name in ("tmp", "proc", "dev", "etc", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
        (root / name).mkdir(parents=True)
    stanzas = []
    for name in packages:
        copy_package(name, root)
        stanzas.append(output("dpkg-query", "-s", name).strip() + "\n")
        listed = pathlib.Path("/var/lib/dpkg/info").glob(f"{name}*.list")
        for file in (f for f in listed if re.fullmatch(re.escape(name) + r"(:\w+)?\.list", f.name)):
            shutil.copy(file, root / "var/lib/dpkg/info")
    (root / "var/lib/dpkg/status").write_text("\n".join(stanzas), encoding="utf-8")
    (root / "var/lib/dpkg/available").touch()


def mirror():
    sites = output("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)", "Created-By: Packages")
    return next((line.split()[0] for line in sites.splitlines() if line.endswith(" " + SUITE)), "http://deb.debian.org/debian")


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="chancel-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # Not compressed: that takes most of the time.
        output("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "made", "-D",
               "CPACK_DEBIAN_COMPRESSION_TYPE=none")
        cls.package, = (cls.folder / "made").glob("*.deb")
        cls.control = dict(re.findall(r"^(\S+): (.*)$", output("dpkg-deb", "-f", cls.package), flags=re.MULTILINE))
        cls.root = cls.folder / "root"
        cls.root.mkdir()
        if DEBOOTSTRAP:
            output("debootstrap", "--variant=minbase", SUITE, cls.root, mirror())
            shutil.copy(cls.package, cls.root / "chancel.deb")
            output("chroot", cls.root, "apt-get", "update")
            output("chroot", cls.root, "apt-get", "install", "-y", "--no-install-recommends", "/chancel.deb")
            cls.needed = []
        else:
            cls.needed = with_dependencies(ESSENTIAL + [c for part in split_dependencies(cls.control["Depends"]) for c in part])
            make_root(cls.root, cls.needed)
            output("dpkg", f"--root={cls.root}", "--log=/dev/null", "-i", cls.package)
        cls.has_kernel = (BUILD / "chancel-kernel").exists()

    def inside(self, *command):
        """Runs a command in the root, with a /proc when that is possible."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "LC_ALL": "C.UTF-8"}
        mounted = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root / 'proc'}"]
        if subprocess.run([*mounted, "true"], capture_output=True, check=False).returncode != 0:
            mounted = []
        return output(*mounted, "chroot", self.root, *command, env=environment)

    def test_contents(self):
        listed = output("dpkg-deb", "-c", self.package)
        paths = {line.split(" ./usr/")[1].split(" ->")[0] for line in listed.splitlines() if " ./usr/" in line}
        missing = set(EXPECTED + (KERNEL if self.has_kernel else [])) - paths
        self.assertEqual(missing, set())
        self.assertFalse([p for p in paths if "python" in p and p.startswith("lib/")])
        self.assertTrue(all(line.split()[1] == "root/root" for line in listed.splitlines()))
        version = output(BUILD / "chancel", "--version").split()[1]
        self.assertEqual((self.control["Package"], self.control["Version"]), ("chancel", version))

    def test_nothing_else_is_there(self):
        """The root has what is declared: a compiler or another library of this machine would hide a mistake."""
        for name in ("gcc", "python3", "libfmt-dev"):
            self.assertNotIn(name, self.needed)

    def test_demo(self):
        text = self.inside("sh", "-c", "cd /tmp && /usr/share/chancel/demo && ls -l /tmp/hmm.html")
        self.assertIn(":states[0]", text)
        self.assertIn("Log evidence", text)
        page = (self.root / "tmp/hmm.html").read_text(encoding="utf-8")
        self.assertIn("canvas", page)

    def test_programs_start(self):
        self.assertIn("no C compiler", self.inside("chancel", "--version"))
        self.assertIn("usage: chancel paper", self.inside("/usr/libexec/chancel/chancel-paper", "--help"))
        if self.has_kernel:
            self.assertIn("usage: chancel kernel", self.inside("/usr/libexec/chancel/chancel-kernel", "--help"))

    def test_c_program(self):
        """Compiled here against the installed header and library, run there."""
        source = pathlib.Path(__file__).resolve().parents[2] / "examples/c/coin.c"
        flags = output("pkg-config", "--cflags", "--libs", "chancel",
                       env={**os.environ, "PKG_CONFIG_LIBDIR": str(self.root / "usr/lib/pkgconfig")})
        output("cc", "-std=c99", source, "-o", self.root / "tmp/coin", *flags.split(), "-lm")
        self.assertIn("mean 0.6", self.inside("/tmp/coin"))

    def test_z_removal(self):
        output("dpkg", f"--root={self.root}", "--log=/dev/null", "-r", "chancel")
        self.assertEqual([p for p in EXPECTED + KERNEL if (self.root / "usr" / p).exists()], [])


def main():
    global BUILD, DEBOOTSTRAP
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--debootstrap", action="store_true")
    options, rest = parser.parse_known_args()
    BUILD, DEBOOTSTRAP = options.build.resolve(), options.debootstrap
    for tool in ("dpkg-query", "dpkg-shlibdeps", "cpack"):
        if shutil.which(tool) is None:
            print(f"skipped: there is no {tool}")
            return 77
    if os.geteuid() != 0:
        namespace = ["unshare", "--map-root-user"]
        if subprocess.run([*namespace, "true"], capture_output=True, check=False).returncode != 0:
            print("skipped: neither root nor user namespaces")
            return 77
        return subprocess.run([*namespace, sys.executable, "-B", *sys.argv], check=False).returncode
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
