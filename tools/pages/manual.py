"""The manual pages larder(1) and larder.toml(5)."""
import re

from command_line import flat

FILES = [("/etc/larder/larder.toml", "The settings of the service, see larder.toml(5)."),
         ("/var/lib/larder", "The data directory of the service. Only the user larder may read it."),
         ("/var/lib/larder/admin.key", "The admin key that the first start has made.")]
SIGNALS = ("On SIGTERM and SIGINT, the server answers 503 on /readyz, accepts no new connections, finishes the running "
           "requests, writes the events that are left to SQL, and stops its Redis. A second signal ends it at once.")
SERVICE = ("The server tells systemd when it is ready, what it waits for until then (systemctl status shows it), and "
           "that it stops. It sends signs of life only while all its io threads work, so systemd restarts it if one "
           "hangs (WatchdogSec=).")


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def styled(text):
    """`code` becomes bold; a link becomes its text."""
    text = re.sub(r"\[below\]\([^)]*\)", "docs/operating.md", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"\\fB{escaped(part)}\\fR" if index % 2 else escaped(part) for index, part in enumerate(parts))


def heading(name, section, version, title):
    return [f'.TH {name.upper()} {section} "" "larder {version}" "Larder"', ".SH NAME", f"{escaped(name)} \\- {escaped(title)}"]


def entry(left, right):
    return [".TP", left, styled(right)]


def option_lines(options):
    lines = []
    for option in options:
        names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in option.names)
        required = " (required)" if option.required and option.name.startswith("-") else ""
        lines += entry(names + (" \\fIVALUE\\fR" if option.value and option.name.startswith("-") else ""), option.help + required)
    return lines


def command_lines(command, common):
    words = " ".join(["larder", command.path, *(each.name for each in command.arguments)])
    own = [option for option in command.options if option.name not in common]
    lines = [f".SS {escaped(words)}", styled(command.summary[:1].upper() + command.summary[1:] + ".")]
    lines += option_lines([*command.arguments, *own])
    if command.example:
        lines += [".PP", "Example:", ".PP", ".nf", f"    {escaped(command.example)}", ".fi"]
    return lines


def larder_1(root, version):
    leaves = [command for command in flat(root) if not command.children]
    common = next(command.options for command in leaves if command.words == ("config", "check"))  # has no others
    lines = heading("larder", 1, version, "points, items, game states, messages and a Discord cache")
    lines += [".SH SYNOPSIS", "\\fBlarder\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]", ".SH DESCRIPTION",
              styled("Larder is the back end of community games and Discord bots. `larder serve` starts the server; the other "
                     "commands work on its data."),
              ".SH COMMANDS"]
    for command in leaves:
        lines += command_lines(command, {option.name for option in common})
    lines += [".SH OPTIONS", "Most commands take these options:", *option_lines(common)]
    lines += [".SH ENVIRONMENT", styled("`LARDER_SECTION__KEY` sets section.key, `LARDER_DATA` sets data, and "
                                        "`LARDER_SECTION__KEY_FILE` names a file that has the value. Flags win over variables, "
                                        "and variables win over the file of `--config`."),
              ".SH SIGNALS", escaped(SIGNALS), ".SH SYSTEMD", escaped(SERVICE),
              ".SH EXIT STATUS", "0, or 1 if something went wrong or if a comparison has found a difference. "
              "A failure is one line on standard error.", ".SH FILES"]
    for name, what in FILES:
        lines += entry(f"\\fI{escaped(name)}\\fR", what)
    return "\n".join([*lines, ".SH SEE ALSO", "larder.toml(5), redis\\-server(1)"]) + "\n"


def larder_toml_5(rows, version):
    """`rows`: the table of settings in docs/operating.md: setting, default, meaning."""
    lines = heading("larder.toml", 5, version, "settings of larder")
    lines += [".SH DESCRIPTION",
              styled("A TOML file that `larder --config FILE` reads. `larder config check --config FILE` checks it, and "
                     "`larder config dump` prints all settings. An unknown setting is refused."),
              ".PP", ".nf", "    data = \"/var/lib/larder\"", "    [server]", "    listen = \"127.0.0.1:7420\"", ".fi",
              ".SH SETTINGS"]
    for setting, default, meaning in rows:
        lines += entry(styled(setting), f"{meaning}. Default: {default}.")
    return "\n".join([*lines, ".SH SEE ALSO", "larder(1)"]) + "\n"
