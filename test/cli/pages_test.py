#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages and shell completion: they have every option that --help has, and the tools that read them do so without complaint."""
import re
import shutil
import subprocess
import unittest

import program


def options_of(text):
    """The option names that a --help page or a list of words shows"""
    return set(re.findall(r"(?:^|[\s,'\"|(\[])(--?[a-zA-Z][\w-]*)", text))


class Pages(program.ProgramTest):
    def expect(self, arguments, code, *parts):
        _, err = self.run_chancel(*arguments, code=code)
        for part in parts:
            self.assertIn(part, err)

    def commands(self):
        part = self.run_chancel("--help")[0].split("\nCommands\n")[1].split("\n\n")[0]
        return [line.split()[0] for line in part.splitlines()]

    def help_options(self, command):
        heads = [line[:30] for line in self.run_chancel(command, "--help")[0].split("\nExamples\n")[0].splitlines()
                 if re.match(r"  +-", line)]
        return options_of("\n".join(heads))

    def test_man_pages(self):
        man = shutil.which("man")
        for command in ["", *self.commands()]:
            text = self.run_chancel("docs", "man", *([command] if command else []))[0]
            self.assertIn(".SH NAME\nchancel", text)
            if not man:
                continue
            done = subprocess.run([man, "--warnings", "-E", "UTF-8", "-l", "-"], input=text, capture_output=True, text=True,
                                  check=False, env={"MANWIDTH": "100", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            page = re.sub(r".\x08", "", done.stdout)
            self.assertIn("EXIT STATUS", page)
            if command not in ("", "paper"):
                self.assertEqual(self.help_options(command) - options_of(page), set(), command)
        self.expect(["docs", "man", "infr"], 64, "there is no command 'infr'", "did you mean infer?")

    def completed(self, *words):
        """What bash offers for the last of these words"""
        script = self.run_chancel("docs", "completion", "bash")[0] + """
          COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _chancel; printf '%s\\n' "${COMPREPLY[@]}"
        """
        done = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(set(self.completed("chancel", "")), {*self.commands(), "--help", "--version"})
        self.assertEqual(self.completed("chancel", "inf"), ["infer"])
        for command in set(self.commands()) - {"paper", "docs"}:
            self.assertEqual(self.help_options(command) - set(self.completed("chancel", command, "-")), set(), command)
        self.assertEqual(self.completed("chancel", "infer", "x.clj", "-a", "pg"), ["pgibbs", "pgas"])
        self.assertEqual(self.completed("chancel", "dump", "--stage", "c"), ["core", "code"])
        self.assertEqual(self.completed("chancel", "infer", "x.clj", "--seed", ""), [])
        self.write("model.clj", "")
        self.assertEqual(self.completed("chancel", "infer", "mo"), ["model.clj"])
        self.assertEqual(self.completed("chancel", "infer", "--data", "mo"), ["model.clj"])

    def test_other_shells(self):
        for shell in ("zsh", "fish"):
            text = self.run_chancel("docs", "completion", shell)[0]
            for command in self.commands():
                self.assertIn(command, text)
            path = shutil.which(shell)
            if path:
                done = subprocess.run([path, "-n", self.write("completion." + shell, text)], capture_output=True, text=True,
                                      check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)
            if path and shell == "fish":
                script = text + "\ncomplete -C 'chancel infer --algo'\ncomplete -C 'chancel infer -a pg'\n"
                done = subprocess.run([path, "--no-config", "-c", script], capture_output=True, text=True, check=False)
                self.assertIn("--algorithm\t", done.stdout)
                self.assertIn("pgibbs", done.stdout)
        self.expect(["docs", "completion", "bsh"], 64, "there is no completion for 'bsh'", "did you mean bash?")

    def test_names_that_look_like_options(self):
        self.assertIn("->>: ", self.run_chancel("docs", "->>")[0])
        self.assertIn("usage: chancel docs", self.run_chancel("docs")[0])


if __name__ == "__main__":
    program.main()
