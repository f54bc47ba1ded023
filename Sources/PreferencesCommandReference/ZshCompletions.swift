import PreferencesCommandLine

/// The completion script for zsh.
enum ZshCompletions {
    static func script(for tool: ToolOutline) -> String {
        let function = "_\(tool.name.functionName)"
        return """
            #compdef \(tool.name)
            # Completions of \(tool.name) for zsh, made by '\(tool.name) completions zsh'.

            # Suggests the lines that the tool prints. $1: its arguments; $2: the number of arguments before the current one
            # that are passed on; the others: names of options that are passed on.
            \(function)_output() {
                local -a arguments lines
                local option word i count=$2
                arguments=(${=1})
                shift 2
                for ((i = 2; i < CURRENT; i++)); do
                    word=${(Q)words[i]}
                    for option; do
                        if [[ $word == $option ]] && ((i + 1 < CURRENT)); then
                            word=${(Q)words[i + 1]}
                            arguments+=("$option=${word/#\\~\\//$HOME/}")
                        elif [[ $option == --* && $word == $option=* ]]; then
                            arguments+=("$word")
                        fi
                    done
                done
                # _arguments sets 'line'.
                if ((count)); then arguments+=(-- "${(@Q)line[1,count]}"); fi
                lines=(${(f)"$("${tool/#\\~\\//$HOME/}" $arguments 2>/dev/null </dev/null)"})
                compadd "$expl[@]" -a lines
            }

            # Suggests the word of a command. $1: the number of words before it; $2: the first of them.
            \(function)_command() {
                local -a candidates
                case "$1 $2" in
                    ('0 '*) candidates=(
            \(candidates(tool.words))
                        )
                        # There is no help for help.
                        if ((is_help)); then candidates[-1]=(); fi ;;
            \(tool.groups.map(group).joined(separator: "\n"))
                    (*) return 1 ;;
                esac
                _describe -t commands command candidates
            }

            \(function)() {
                local tool=${(Q)words[1]} curcontext=$curcontext is_help=0
                local -A opt_args
                local -a candidates line state state_descr
                case "${(Q)words[2]} ${(Q)words[3]}" in
            \(tool.commands.filter { $0.words.count == 2 }.map { command($0, function) }.joined(separator: "\n"))
                esac
                case ${(Q)words[2]} in
            \(tool.commands.filter { $0.words.count == 1 }.map { command($0, function) }.joined(separator: "\n"))
                    (help)
                        if ((CURRENT > 2)); then
                            is_help=1
                            \(function)_command $((CURRENT - 3)) "${(Q)words[3]}"
                            return
                        fi ;;
                esac
                if ((CURRENT == 2)) && [[ $PREFIX == -* ]]; then
                    candidates=(
            \(candidates(ToolOutline.options))
                    )
                    _describe -o option candidates
                else
                    \(function)_command $((CURRENT - 2)) "${(Q)words[2]}"
                fi
            }

            # The script is a function in fpath, or is sourced.
            if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
                \(function) "$@"
            else
                compdef \(function) \(tool.name)
            fi

            """
    }

    private static func candidates(_ candidates: [ToolOutline.Candidate]) -> String {
        candidates.map { candidate in
            "                " + "\(candidate.word.escaping("\\:")):\(candidate.text.escaping("\\"))".shellQuoted
        }.joined(separator: "\n")
    }

    private static func group(_ group: (word: String, commands: [ToolOutline.Candidate])) -> String {
        """
                (\("1 \(group.word)".shellQuoted)) candidates=(
        \(candidates(group.commands))
                    ) ;;
        """
    }

    /// Returns the case of a command.
    private static func command(_ command: CommandOutline, _ function: String) -> String {
        let count = command.words.count
        let specifications = command.options.map { option($0, function) } + arguments(command, function)
        return """
                    (\(command.name.shellQuoted))
                        if ((CURRENT > \(count + 1))); then
                            words=("$tool" "${(@)words[\(count + 2),-1]}")
                            ((CURRENT -= \(count)))
                            _arguments -S : \\
            \(specifications.map { "                    \($0)" }.joined(separator: " \\\n"))
                            return
                        fi ;;
            """
    }

    private static func option(_ option: CommandOutline.Option, _ function: String) -> String {
        let isHelp = option.names.contains("--help")
        let names = option.names.map { name in
            guard option.value != nil else { return name }
            // The value of '--name' can follow '=', that of '-n' can follow in the same word.
            return name + (name.hasPrefix("--") ? "=" : "+")
        }
        let others = option.names.joined(separator: " ")
        // An option with a value may be repeatable.
        let exclusions = isHelp ? "(- *)" : option.value != nil ? "*" : "(\(others))"
        let value = option.value.map { value in
            ":\(value.escaping(":")):\(action(option.completion, function))"
        }
        let list = names.count == 1 ? names[0] : "'{\(names.joined(separator: ","))}'"
        return "'\(exclusions)\(list)" + "[\(option.text.escaping("\\[]"))]\(value ?? "")".shellQuoted.dropFirst()
    }

    private static func arguments(_ command: CommandOutline, _ function: String) -> [String] {
        command.arguments.enumerated().map { position, argument in
            let isRepeated = argument.isRepeated && position == command.arguments.count - 1
            let action = action(argument.completion, at: position, function)
            return "\(isRepeated ? "*" : "\(position + 1)"):\(argument.term.escaping(":")):\(action)".shellQuoted
        }
    }

    private static func action(
        _ completion: CommandOutline.Completion,
        at position: Int = 0,
        _ function: String
    ) -> String {
        switch completion {
        case .none: return " "
        case .files: return "_files"
        case .directories: return "_files -/"
        case .words(let words): return "compadd - \(words.map(\.shellQuoted).joined(separator: " "))".escaping(":")
        case .output(let arguments, let options, let passesArguments):
            let words =
                ([arguments.shellQuoted, "\(passesArguments ? position : 0)"]
                + options.map(\.shellQuoted)).joined(separator: " ")
            // After a space, no further arguments are inserted.
            return " " + "\(function)_output \(words)".escaping(":")
        }
    }
}
