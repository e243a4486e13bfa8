"""Completion of the command line in bash, zsh and fish."""
from command_line import flat


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def flags_with_values(commands):
    return sorted({option.name for command in commands for option in command.options if option.value})


def bash(root, settings):
    commands = flat(root)
    known = "|".join(quoted(each.path) for each in commands if each.words)
    lines = ["# Completion of larder for bash.", "_larder() {",
             "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} path= words= i",
             "  for ((i = 1; i < COMP_CWORD; ++i)); do",
             f"    case ${{COMP_WORDS[i]}} in {'|'.join(flags_with_values(commands))}) ((++i)); continue ;; esac",
             '    case "${path:+$path }${COMP_WORDS[i]}" in', f"      {known})",
             '        path="${path:+$path }${COMP_WORDS[i]}" ;;', "    esac", "  done",
             "  case $previous in",
             '    --config) COMPREPLY=($(compgen -f -- "$word")); return ;;',
             '    --data) COMPREPLY=($(compgen -d -- "$word")); return ;;',
             "    --set)", "      compopt -o nospace 2>/dev/null",
             f"      COMPREPLY=($(compgen -W '{' '.join(f'{name}=' for name in settings)}' -- \"$word\")); return ;;",
             f"    {'|'.join(flags_with_values(commands))}) COMPREPLY=(); return ;;", "  esac",
             "  case $path in"]
    for command in commands:
        words = [child.words[-1] for child in command.children]
        words += [name for option in command.options for name in option.names]
        files = ' COMPREPLY=($(compgen -f -- "$word"));' * any(each.is_file for each in command.arguments)
        lines.append(f"    {quoted(command.path)}) words={quoted(' '.join(words))};{files} ;;")
    lines += ["  esac", '  COMPREPLY+=($(compgen -W "$words" -- "$word"))', "}",
              "complete -F _larder larder"]
    return "\n".join(lines) + "\n"


def zsh_option(option):
    text = option.help.replace("[", "(").replace("]", ")").replace(":", "\\:")
    repeat = "*" if option.name == "--set" else ""
    what = "_files" if option.is_file else "_directories" if option.is_directory else " "
    if option.name == "--set":
        what = "_larder_settings"
    value = f":value:{what}" if option.value else ""
    return [quoted(f"{repeat}{name}[{text}]{value}") for name in option.names]


def zsh(root, settings):
    commands = flat(root)
    lines = ["#compdef larder", "# Completion of larder for zsh.", "_larder_settings() {",
             f"  local -a names=({' '.join(quoted(name) for name in settings)})",
             "  compadd -S= -a names", "}", "_larder() {",
             "  local place=; local -i i taken=1",
             "  for ((i = 2; i < CURRENT; ++i)); do",
             '    case "${place:+$place }${words[i]}" in',
             f"      {'|'.join(quoted(each.path) for each in commands if each.words)})",
             '        place="${place:+$place }${words[i]}"; taken=$i ;;', "    esac", "  done",
             "  words=(larder \"${(@)words[taken + 1, -1]}\"); ((CURRENT -= taken - 1))", "  local -a commands",
             "  case $place in"]
    for command in commands:
        lines.append(f"    {quoted(command.path)})")
        if command.children:
            pairs = [quoted(f"{child.words[-1]}:{child.summary}") for child in command.children]
            lines += [f"      commands=({' '.join(pairs)})", "      _describe command commands"]
        words = [each for option in command.options for each in zsh_option(option)]
        words += [quoted(f"{number}:{each.name}:{'_files' if each.is_file else ' '}")
                  for number, each in enumerate(command.arguments, 1)]
        lines += ["      _arguments \\", *(f"        {word} \\" for word in words[:-1]), f"        {words[-1]} ;;"]
    return "\n".join([*lines, "  esac", "}", '[[ $funcstack[1] = _larder ]] && _larder "$@"']) + "\n"


def fish(root, settings):
    commands = flat(root)
    lines = ["# Completion of larder for fish.", "function __larder_at",
             "    set -l place", "    for word in (commandline -opc)[2..]",
             "        set -l longer (string join -- ' ' $place $word)",
             f"        contains -- $longer {' '.join(quoted(each.path) for each in commands if each.words)}",
             "        and set place (string split -- ' ' $longer)", "    end",
             '    test "$(string join -- \' \' $place)" = "$argv"', "end",
             "function __larder_settings", f"    string split ' ' {quoted(' '.join(f'{name}=' for name in settings))}",
             "end", "complete -c larder -f"]
    for command in commands:
        at = f"complete -c larder -n {quoted(f'__larder_at {command.path}'.strip())}"
        for child in command.children:
            lines.append(f"{at} -a {quoted(child.words[-1])} -d {quoted(child.summary)}")
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = " -r" * option.value + " -F" * (option.is_file or option.is_directory)
            if option.name == "--set":
                value += " -a '(__larder_settings)'"
            lines.append(f"{at} {names}{value} -d {quoted(option.help)}")
        if any(each.is_file for each in command.arguments):
            lines.append(f"{at} -F")
    return "\n".join(lines) + "\n"
