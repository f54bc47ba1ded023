import PreferencesCommandLine

/// The completion script for bash, 3.2 or later.
enum BashCompletions {
    static func script(for tool: ToolOutline) -> String {
        let function = "_\(tool.name.functionName)"
        return """
            # Completions of \(tool.name) for bash, made by '\(tool.name) completions bash'.

            \(functions(function))

            # Sets the options of the command, and those of them that have values.
            \(function)_options() {
                case $command in
            \(tool.commands.map(options).joined(separator: "\n"))
                esac
            }

            # Suggests values of an option, or arguments at a position. $1: the command and the option or position.
            \(function)_value() {
                case $1 in
            \(tool.commands.flatMap { values($0, function) }.joined(separator: "\n"))
                *) ;;
                esac
            }

            # Suggests the word of a command.
            # $1: the number of words before it; $2: the first of them.
            \(function)_command() {
                case "$1 $2" in
                '0 '*) \(function)_words \(words(tool.words)) ;;
            \(tool.groups.map { "    '1 \($0.word)') \(function)_words \(words($0.commands)) ;;" }.joined(separator: "\n"))
                esac
            }

            \(function)() {
                local -a words=()
                local quote= prefix= command= options= valued= tool current last
                COMPREPLY=()
                \(function)_split
                tool=${words[0]} last=$((${#words[@]} - 1)) current=${words[${#words[@]} - 1]}
                local first=${words[1]-} second=${words[2]-} start=0 i
                if ((last > 2)); then
                    case "$first $second" in
            \(names(tool, wordCount: 2).map { "        \($0)) command=\"$first $second\" start=3 ;;" }.joined(separator: "\n"))
                    esac
                fi
                if [[ -z $command ]] && ((last > 1)); then
                    case $first in
            \(names(tool, wordCount: 1).map { "        \($0)) command=$first start=2 ;;" }.joined(separator: "\n"))
                    esac
                fi
                if [[ -z $command ]]; then
                    if [[ $first == help ]] && ((last == 2)); then
                        \(function)_words \(words(tool.words.dropLast()))
                    elif [[ $first == help ]] && ((last > 2)); then
                        \(function)_command $((last - 2)) "$second"
                    elif [[ $current == -* ]] && ((last == 1)); then
                        \(function)_words \(words(ToolOutline.options))
                    else
                        \(function)_command $((last - 1)) "$first"
                    fi
                    return
                fi

                \(function)_options
                local option= position=0 terminated= word
                local -a positionals=()
                for ((i = start; i < last; i++)); do
                    word=${words[i]}
                    if [[ -n $option ]]; then
                        option=
                    elif [[ -n $terminated || $word != -?* || $word =~ ^-\\.?[0-9] ]]; then
                        position=$((position + 1)) positionals+=("$word")
                    elif [[ $word == -- ]]; then
                        terminated=1
                    elif [[ " $valued " == *" $word "* ]]; then
                        option=$word
                    fi
                done
                if [[ -n $option ]]; then
                    \(function)_value "$command $option"
                elif [[ -z $terminated && $current == --*=* ]]; then
                    option=${current%%=*} current=${current#*=}
                    # Otherwise bash completes only what follows the equals sign.
                    if [[ $COMP_WORDBREAKS != *=* ]]; then prefix=$option=; fi
                    \(function)_value "$command $option"
                elif [[ -z $terminated && $current == -* ]]; then
                    \(function)_words $options
                else
                    \(function)_value "$command $position"
                fi
            }

            complete -F \(function) \(tool.name)

            """
    }

    /// The functions that do not depend on the commands.
    private static func functions(_ function: String) -> String {
        """
        # Splits the line before the cursor into words, without their quotes. The words in COMP_WORDS also end at colons.
        \(function)_split() {
            local line=${COMP_LINE:0:COMP_POINT} character= word= begun=
            while [[ -n $line ]]; do
                character=${line:0:1} line=${line:1}
                if [[ $character == "\\\\" && $quote != "'" ]]; then
                    word+=${line:0:1} line=${line:1} begun=1
                elif [[ $character == "$quote" ]]; then
                    quote=
                elif [[ -z $quote && ($character == "'" || $character == '"') ]]; then
                    quote=$character begun=1
                elif [[ -z $quote && $character == [[:space:]] ]]; then
                    if [[ -n $begun ]]; then words+=("$word"); fi
                    word= begun=
                else
                    word+=$character begun=1
                fi
            done
            words+=("$word")
        }

        # Suggests those of the given words that begin with the current one.
        \(function)_words() {
            local word
            for word in "$@"; do
                if [[ $word == "$current"* ]]; then \(function)_add "$word" "$quote"; fi
            done
        }

        # Suggests a word. Unless there is a quote, its special characters are escaped.
        \(function)_add() {
            # bash replaces only what follows the last colon.
            local word=$1 done=
            if [[ -z $2 && $COMP_WORDBREAKS == *:* && $current == *:* ]]; then done=${current%"${current##*:}"}; fi
            word=${word#"$done"}
            if [[ -z $2 ]]; then printf -v word %q "$word"; fi
            if [[ -z $done ]]; then word=$prefix$word; fi
            COMPREPLY+=("$word")
        }

        # Suggests files or directories. $1: the option of compgen.
        \(function)_paths() {
            local path
            # bash escapes names of files itself.
            compopt -o filenames 2>/dev/null
            while IFS= read -r path; do \(function)_add "$path" unescaped; done < <(compgen "$1" -- "$current")
        }

        # Suggests the lines that the tool prints. $1: its arguments; $2: the number of arguments before the current one
        # that are passed on; the others: names of options that are passed on.
        \(function)_output() {
            local -a arguments=($1) lines=()
            local word option count=$2
            shift 2
            for ((i = start; i < last; i++)); do
                for option in "$@"; do
                    word=${words[i]}
                    if [[ $word == "$option" ]] && ((i + 1 < last)); then
                        word=${words[i + 1]}
                        arguments+=("$option=${word/#\\~\\//$HOME/}")
                    elif [[ $option == --* && $word == "$option="* ]]; then
                        arguments+=("$word")
                    fi
                done
            done
            if ((count)); then arguments+=(-- "${positionals[@]:0:count}"); fi
            while IFS= read -r word; do
                lines+=("$word")
            done < <("${tool/#\\~\\//$HOME/}" "${arguments[@]}" 2>/dev/null </dev/null)
            \(function)_words "${lines[@]}"
        }
        """
    }

    /// Returns the names of the commands with a number of words.
    private static func names(_ tool: ToolOutline, wordCount: Int) -> [String] {
        tool.commands.filter { $0.words.count == wordCount }.map(\.name.shellQuoted)
    }

    private static func options(_ command: CommandOutline) -> String {
        let names = command.options.flatMap(\.names).joined(separator: " ").shellQuoted
        let valued = command.valuedOptions.joined(separator: " ").shellQuoted
        return "    \(command.name.shellQuoted)) options=\(names) valued=\(valued) ;;"
    }

    /// Returns the cases of a command's options and arguments.
    private static func values(_ command: CommandOutline, _ function: String) -> [String] {
        func line(_ pattern: String, _ completion: CommandOutline.Completion, at position: Int = 0) -> String? {
            action(completion, at: position, function).map { "    \(pattern)) \($0) ;;" }
        }
        let options = command.options.compactMap { option in
            line(option.names.map { "\(command.name) \($0)".shellQuoted }.joined(separator: " | "), option.completion)
        }
        let arguments = command.arguments.enumerated().compactMap { position, argument in
            let isRepeated = argument.isRepeated && position == command.arguments.count - 1
            let pattern =
                isRepeated ? "\(command.name) ".shellQuoted + "[0-9]*" : "\(command.name) \(position)".shellQuoted
            return line(pattern, argument.completion, at: position)
        }
        return options + arguments
    }

    private static func action(
        _ completion: CommandOutline.Completion,
        at position: Int,
        _ function: String
    ) -> String? {
        switch completion {
        case .none: nil
        case .files: "\(function)_paths -f"
        case .directories: "\(function)_paths -d"
        case .words(let words): "\(function)_words \(words.map(\.shellQuoted).joined(separator: " "))"
        case .output(let arguments, let options, let passesArguments):
            ([function + "_output", arguments.shellQuoted, "\(passesArguments ? position : 0)"]
                + options.map(\.shellQuoted)).joined(separator: " ")
        }
    }

    private static func words(_ candidates: [ToolOutline.Candidate]) -> String {
        candidates.map(\.word.shellQuoted).joined(separator: " ")
    }
}
