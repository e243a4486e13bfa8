#!/usr/bin/env python3
"""Lints the tree: include rules of the layers, which folders may use which library, leftovers, machine paths, sizes,
format."""
import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Lowest layer first. A file may include its own folder, the folders above it in the same
# layer, and every lower layer.
LAYERS = ["base", "stores", "kit", "systems", "edges/http", "edges/cli", "edges/api", "app"]
# Only these folders may include these libraries.
OWNERS = {
    r"hiredis/": ["stores/redis"],
    r"soci/|sqlite3\.h|libpq-fe\.h|mysql\.h|mysql/|mariadb/": ["stores/sql"],
    r"boost/beast": ["edges/http"],
    r"CLI/": ["edges/cli"],
    r"toml\+\+/": ["base"],
    r"spdlog/": ["base"],
    r"unicode/": ["kit/accounts", "systems/economy"],
    r"jwt\.h": ["kit/accounts"],
}
LEFTOVERS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|<<<<<<<|>>>>>>>")
MACHINE_PATHS = re.compile(r"(/work/|/root/|/home/\w+/)")
FILE_LINES_MAX = 450
FUNCTION_LINES_MAX = 70  # not counting a table of routes

problems = []


def problem(path, line, text):
    problems.append(f"{path.relative_to(ROOT)}:{line}: {text}")


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *patterns], cwd=ROOT, check=True,
                         capture_output=True, text=True).stdout
    return [ROOT / name for name in out.splitlines() if (ROOT / name).is_file()]


def layer_and_folder(path):
    """stores/redis/x.hpp -> (1, 'stores/redis'); None outside the layers."""
    folder = path.parent.as_posix()
    for index, layer in enumerate(LAYERS):
        if f"{folder}/".startswith(f"{layer}/"):
            return index, folder
    return None


def modules():
    """From src/**/CMakeLists.txt: {folder: name of its module}, {name: names that it may use, directly or
    indirectly}."""
    folders, depends = {}, {}
    for file in tracked("src/*CMakeLists.txt"):
        text = file.read_text(encoding="utf-8")
        for name, body in re.findall(r"larder_module\((\w+)(.*?)\n?\)", text, re.S):
            folders[file.parent.relative_to(ROOT / "src").as_posix()] = name
            depends[name] = set(re.findall(r"larder_\w+", body.split("DEPENDS")[-1]))

    def all_of(name):
        return {name}.union(*(all_of(other) for other in depends.get(name, ())))
    return folders, {name: all_of(name) for name in depends}


def check_depends(path, number, folder, target_folder):
    """Checks that CMake knows what the include needs."""
    own, target = (next((FOLDERS[name] for name in (place, Path(place).parent.as_posix()) if name in FOLDERS), None)
                   for place in (folder, target_folder))
    if own and target and target not in DEPENDS[own] and not folder.startswith("app"):
        problem(path, number, f"{target_folder} is in {target}, which {own} does not name in its DEPENDS")


def check_includes(path, number, line):
    match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
    if not match:
        return
    inside = path.relative_to(ROOT / "src")
    layer, folder = layer_and_folder(inside)
    is_test = path.name.endswith(("_test.cpp", "_test.hpp"))
    if match.group(1) == '"':
        target = layer_and_folder(Path(match.group(2)))
        if target is None:
            generated = match.group(2).endswith(("_scripts.hpp", "_files.hpp"))
            if not generated and not is_test:
                problem(path, number, f"{match.group(2)} is not named from src/")
            return
        target_layer, target_folder = target
        if target_layer > layer:
            problem(path, number, f"{folder} must not include the higher layer {target_folder}")
        elif target_layer == layer and not f"{folder}/".startswith(f"{target_folder}/") and not is_test:
            problem(path, number, f"{folder} must not include its neighbour {target_folder}")
        elif not is_test:
            check_depends(path, number, folder, target_folder)
    for pattern, owners in OWNERS.items():
        if re.match(pattern, match.group(2)) and folder not in owners:
            problem(path, number, f"only {', '.join(owners)} may include {match.group(2)}")


def functions(path, text):
    """For each function: the number of its first line, and how many lines it has."""
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.lineno, node.end_lineno - node.lineno + 1
        return
    # A raw string must not look like code, so its lines are moved far to the right.
    text = re.sub(r'R"(\w*)\(.*?\)\1"', lambda raw: raw[0].replace("\n", "\n" + " " * 99), text, flags=re.S)
    lines = text.split("\n")
    for end, line in enumerate(lines):
        close = re.fullmatch(r"( *)(end|\})", line)
        if not close:
            continue
        # Finds the last line before it that is not indented further. Ignores preprocessor lines.
        start = end - 1
        while start > 0 and re.match(rf"{close[1]} |#|$", lines[start]):
            start -= 1
        body = "\n".join(lines[start:end + 1])
        routes = re.search(r"^( *)static Route const .*?\n\1\};\n", body, re.S | re.M)
        yield start + 1, end + 1 - start - (routes[0].count("\n") if routes else 0)


def check_sizes(path, text):
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        problem(path, lines, f"more than {FILE_LINES_MAX} lines: what does it mix?")
    for number, length in functions(path, text):
        if length > FUNCTION_LINES_MAX:
            problem(path, number, f"{length} lines in one function, at most {FUNCTION_LINES_MAX}: what can be named?")


def check_text(path):
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if path.name != "lint.py":
            if LEFTOVERS.search(line):
                problem(path, number, "a leftover")
            if MACHINE_PATHS.search(line):
                problem(path, number, "a path of one machine")
        if line.endswith((" ", "\t")) and path.suffix != ".md":
            problem(path, number, "white space at the end of the line")
        if path.suffix in (".cpp", ".hpp") and ROOT / "src" in path.parents:
            check_includes(path, number, line)
    if path.suffix in (".cpp", ".hpp", ".lua", ".py"):
        check_sizes(path, text)
    if path.suffix == ".hpp" and "#pragma once" not in lines:
        problem(path, 1, "no #pragma once")
    if path.suffix == ".lua" and not re.search(r"^-- KEYS", "\n".join(lines), re.M):
        problem(path, 1, "a script says its KEYS and ARGV")


def check_format():
    sources = [str(path) for path in tracked("*.cpp", "*.hpp")]
    done = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *sources], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        for line in done.stderr.splitlines():
            if "error:" in line:
                problems.append(line.replace(str(ROOT) + "/", ""))
        problems.append("clang-format-19 -i puts it right")


FOLDERS, DEPENDS = modules()
for file in tracked():
    # Inputs of fuzzers may have any bytes.
    if file.name != "package-lock.json" and ROOT / "tests/fuzz/corpus" not in file.parents:
        check_text(file)
check_format()
print("\n".join(problems) if problems else "lint: clean")
sys.exit(1 if problems else 0)
