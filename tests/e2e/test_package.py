"""The Debian package without installing it: what it has, and whether that works. tests/package also installs it in a bare Debian."""
import re
import subprocess
import unittest
from pathlib import Path

from harness import BINARY, ROOT, Case, Server, TempDir, main, run_larder

FILES = {"/etc/larder/larder.toml", "/lib/systemd/system/larder.service", "/usr/bin/larder",
         "/usr/share/bash-completion/completions/larder", "/usr/share/doc/larder/NEWS.gz",
         "/usr/share/doc/larder/changelog.gz", "/usr/share/doc/larder/copyright",
         "/usr/share/fish/vendor_completions.d/larder.fish", "/usr/share/larder/grafana/economy.json",
         "/usr/share/larder/grafana/ledger.json", "/usr/share/larder/grafana/server.json",
         "/usr/share/larder/prometheus/larder.rules.yml", "/usr/share/man/man1/larder.1.gz",
         "/usr/share/man/man5/larder.toml.5.gz", "/usr/share/zsh/vendor-completions/_larder"}
SCRIPTS = ("postinst", "prerm", "postrm")


def run(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def help_of(words):
    return run_larder(*words, "--help").stdout


def section(text, title):
    """The first words of the entries below a title of a help text."""
    found = re.search(rf"^{title}:\n((?:  .*\n)+)", text, re.M)
    return re.findall(r"^  (\S+)", found[1], re.M) if found else []


def all_commands():
    """The words of every command -> its subcommands, and its options."""
    found, waiting = {}, [()]
    while waiting:
        words = waiting.pop()
        text = help_of(words)
        children = section(text, "Subcommands")
        found[words] = children, [option for names in section(text, "Options") for option in names.split(",")]
        waiting += [(*words, child) for child in children]
    return found


def setUpModule():
    """The package is built once, from the binary that all tests use, and only unpacked."""
    directory = TempDir()
    unittest.addModuleCleanup(directory.remove)
    run(ROOT / "tools/package", "deb")
    PackageCase.deb, = (Path(BINARY).parent / "packages").glob("larder_*.deb")
    PackageCase.directory, PackageCase.root = directory, directory / "root"
    run("dpkg-deb", "--raw-extract", PackageCase.deb, PackageCase.root)


class PackageCase(Case):
    deb = directory = root = None


class Contents(PackageCase):
    def test_it_has_these_files_and_no_others(self):
        found = {"/" + str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}
        self.assertEqual({path for path in found if not path.startswith("/DEBIAN/")}, FILES)

    def test_everything_belongs_to_root_and_only_root_may_write(self):
        for line in run("dpkg-deb", "--contents", self.deb).splitlines():
            self.assertRegex(line, r"^[d-]rw[x-]r-[x-]r-[x-] root/root ")

    def test_its_version_is_that_of_the_binary(self):
        self.assertEqual(run("dpkg-deb", "--field", self.deb, "Version").strip(), run(BINARY, "version").split()[1])

    def test_it_depends_on_the_libraries_of_the_binary_and_on_redis(self):
        depends = run("dpkg-deb", "--field", self.deb, "Depends")
        for package in ("libc6", "libstdc++6", "libpq5", "libmariadb3", "libhiredis0.14", "redis-server", "adduser"):
            self.assertRegex(depends, rf"(^|, ){re.escape(package)}\b")
        self.assertNotIn("-dev", depends)

    def test_the_settings_are_a_file_of_the_operator(self):
        self.assertEqual((self.root / "DEBIAN/conffiles").read_text().split(), ["/etc/larder/larder.toml"])

    def test_its_scripts_are_valid_shell_and_do_nothing_in_other_phases(self):
        for script in SCRIPTS:
            path = self.root / "DEBIAN" / script
            self.assertEqual(path.stat().st_mode & 0o777, 0o755)
            run("dash", "-n", path)
            run("dash", path, "abort-upgrade", "1.0", env={"PATH": "/usr/bin:/bin"})


class Unpacked(PackageCase):
    def test_the_binary_of_the_package_answers_with_the_settings_of_the_package(self):
        server = Server("--config", self.root / "etc/larder/larder.toml")
        server.binary = self.root / "usr/bin/larder"
        self.open(server)
        self.assertEqual(server.client().get("/readyz").status, 200)
        self.assertEqual(server.stop(), 0)

    def test_the_manual_pages_have_no_mistakes(self):
        for page in ("man1/larder.1.gz", "man5/larder.toml.5.gz"):
            done = subprocess.run(["man", "--warnings", "--local-file", self.root / "usr/share/man" / page], capture_output=True,
                                  text=True, check=False, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "200"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def page(self, name):
        return run("man", "--local-file", self.root / "usr/share/man" / name,
                   env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "400"})

    def test_the_manual_page_knows_every_command_and_option(self):
        text = self.page("man1/larder.1.gz")
        for words, (children, options) in all_commands().items():
            if children:
                continue
            with self.subTest(words):
                own = re.search(rf"^   larder {' '.join(words)}( [a-z_]+)*\n(.*?)^ {{0,3}}\S", text, re.M | re.S)
                self.assertIsNotNone(own, words)
                common = text.split("\nOPTIONS\n")[1].split("\nENVIRONMENT\n")[0]
                for option in options:
                    self.assertRegex(own[2] + common, rf"(?m)(^|[ ,]){re.escape(option)}( |$|,)")

    def test_the_page_of_the_settings_has_every_setting(self):
        text = self.page("man5/larder.toml.5.gz")
        table = None
        for line in run_larder("config", "dump").stdout.splitlines():
            if match := re.match(r"\[(.*)\]", line):
                table = match[1]
            elif match := re.match(r"(\S+) = ", line):
                name = f"{table}.{match[1]}" if table else match[1]
                name = re.sub(r"^cache\.(keep|feed)\.\w+$", r"cache.\1.<resource>", name)
                with self.subTest(name):
                    self.assertRegex(text, rf"(?m)(^|[ ,]){re.escape(name)}([ ,]|$)")


class Completions(PackageCase):
    """Each shell completes as a person would see it."""

    @classmethod
    def setUpClass(cls):
        cls.commands = all_commands()
        assert len(cls.commands) > 30

    def check(self, complete):
        """`complete` takes a list of command lines and returns what a shell offers for the last word of each."""
        lines, wanted = [], []
        for words, (children, options) in self.commands.items():
            lines.append([*words, ""] if children else [*words, "-"])
            wanted.append(set(children) if children else set(options))
        for line, offered, expected in zip(lines, complete(lines), wanted, strict=True):
            with self.subTest(line):
                if line[-1] == "-":
                    self.assertEqual(offered, expected)
                else:
                    self.assertEqual({word for word in offered if not word.startswith("-")}, expected)

    def test_bash_offers_every_command_and_option(self):
        def complete(lines):
            script = f"source {self.root}/usr/share/bash-completion/completions/larder\n"
            for line in lines:
                words = " ".join(f"'{word}'" for word in line)
                script += f"COMP_WORDS=(larder {words}); COMP_CWORD={len(line)}; COMPREPLY=(); _larder; echo \"${{COMPREPLY[*]}}\"\n"
            return [set(answer.split()) for answer in run("bash", "--norc", "-c", script).splitlines()]
        self.check(complete)

    def test_bash_does_not_take_the_value_of_an_option_for_a_command(self):
        script = (f"source {self.root}/usr/share/bash-completion/completions/larder\n"
                  "COMP_WORDS=(larder key create --name list -); COMP_CWORD=5; _larder; echo ${COMPREPLY[*]}")
        self.assertIn("--scope", run("bash", "--norc", "-c", script).split())

    def test_fish_offers_every_command_and_option(self):
        def complete(lines):
            script = f"source {self.root}/usr/share/fish/vendor_completions.d/larder.fish\n"
            for line in lines:
                script += f"complete -C 'larder {' '.join(line)}'\necho ==\n"
            answers = run("fish", "--no-config", "-c", script, env={"PATH": "/usr/bin:/bin", "HOME": str(self.directory.path)}).split("==\n")
            return [{answer.split("\t")[0] for answer in each.splitlines()} for each in answers[:-1]]
        self.check(complete)

    def test_zsh_offers_every_command_and_option(self):
        """Only in an editor does zsh complete. So _describe and _arguments, which show what is offered, are replaced here."""
        def complete(lines):
            script = ("_arguments() { for each in \"$@\"; do print -r -- ${${each%%\\[*}#\\*}; done }\n"
                      "_describe() { for each in \"${(@P)2}\"; do print -r -- ${each%%:*}; done }\n"
                      f"source {self.root}/usr/share/zsh/vendor-completions/_larder\n")
            for line in lines:
                words = " ".join(f"'{word}'" for word in line)
                script += f"words=(larder {words}); CURRENT={len(line) + 1}; _larder; print '=='\n"
            answers = run("zsh", "-f", "-c", script).split("==\n")
            return [{word for word in each.split() if ":" not in word} for each in answers[:-1]]
        self.check(complete)


if __name__ == "__main__":
    main()
