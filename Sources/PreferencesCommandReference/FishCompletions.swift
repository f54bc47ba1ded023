import PreferencesCommandLine

/// The completion script for fish, 3.1 or later.
enum FishCompletions {
    static func script(for tool: ToolOutline) -> String {
        let function = "__\(tool.name.functionName)"
        let start = "complete -c \(tool.name)"
        return """
            # Completions of \(tool.name) for fish, made by '\(tool.name) completions fish'.

            # Succeeds if the words before the cursor are these.
            function \(function)_words_are
                set -l words (commandline -opc)
                test "$words[2..-1]" = "$argv"
            end

            # Succeeds if the line begins with a command.
            function \(function)_command_is
                set -l words (commandline -opc)
                set -l last (math (count $argv) + 1)
                test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
            end

            # Prints the arguments of a command that are before the cursor. Fails if the cursor is not at an argument.
            # $argv[1]: the options with values; the others: the words of the command.
            function \(function)_arguments
                set -l words (commandline -opc)
                set -l valued (string split ' ' -- $argv[1])
                set -l command $argv[2..-1]
                \(function)_command_is $command; or return
                set -l is_value false
                set -l is_terminated false
                for word in $words[(math (count $command) + 2)..-1]
                    if $is_value
                        set is_value false
                    else if $is_terminated; or not string match -qr -- '^-.' $word; or string match -qr -- '^-\\.?[0-9]' $word
                        printf '%s\\n' $word
                    else if test "$word" = --
                        set is_terminated true
                    else if contains -- $word $valued
                        set is_value true
                    end
                end
                not $is_value
            end

            # Succeeds if the cursor is at an argument of a command.
            # $argv[1]: its position, with + for the following ones, too; the others: as for the function above.
            function \(function)_argument_is
                set -l arguments (\(function)_arguments $argv[2..-1]); or return
                set -l position (count $arguments)
                set -l wanted (string replace + '' -- $argv[1])
                test $position = $wanted; or begin
                    string match -q '*+' -- $argv[1]; and test $position -gt $wanted
                end
            end

            # Prints the lines that the tool prints. $argv[1]: its arguments; $argv[2]: the number of arguments before the
            # cursor that are passed on; $argv[3] and $argv[4]: the options of the command with values, and its words; the
            # others: names of options that are passed on.
            function \(function)_output
                set -l words (commandline -opc)
                set -l arguments (string split ' ' -- $argv[1])
                set -l options $argv[5..-1]
                set -l index 2
                while test $index -le (count $words)
                    for option in $options
                        if test "$words[$index]" = $option; and test $index -lt (count $words)
                            set -l value $words[(math $index + 1)]
                            set arguments $arguments $option=(string replace -r -- '^~/' ~/ $value)
                        else if string match -q -- '--*' $option; and string match -q -- "$option=*" $words[$index]
                            set arguments $arguments $words[$index]
                        end
                    end
                    set index (math $index + 1)
                end
                if test $argv[2] -gt 0
                    set -l given (\(function)_arguments $argv[3] (string split ' ' -- $argv[4]))
                    set arguments $arguments -- $given[1..$argv[2]]
                end
                set -l tool (string replace -r -- '^~/' ~/ $words[1])
                command $tool $arguments 2>/dev/null </dev/null
            end

            # Files are suggested only where they are arguments.
            \(start) -f
            \(ToolOutline.options.map { candidate in
                "\(start) -n \(function)_words_are \(name(candidate.word)) -d \(candidate.text.fishQuoted)"
            }.joined(separator: "\n"))
            \(words(tool, start, function).joined(separator: "\n"))
            \(tool.commands.flatMap { command($0, start, function) }.joined(separator: "\n"))

            """
    }

    /// Returns the lines for the words of commands, also after `help`.
    private static func words(_ tool: ToolOutline, _ start: String, _ function: String) -> [String] {
        func line(_ before: [String], _ candidate: ToolOutline.Candidate) -> String {
            let condition = ([function + "_words_are"] + before).joined(separator: " ").fishQuoted
            return "\(start) -n \(condition) -a \(candidate.word.fishQuoted) -d \(candidate.text.fishQuoted)"
        }
        return ([[], [ToolOutline.help.word]] as [[String]]).flatMap { before in
            tool.words.filter { before.isEmpty || $0.word != ToolOutline.help.word }.map { line(before, $0) }
                + tool.groups.flatMap { group in group.commands.map { line(before + [group.word], $0) } }
        }
    }

    private static func command(_ command: CommandOutline, _ start: String, _ function: String) -> [String] {
        let condition = "\(function)_command_is \(command.name)".fishQuoted
        let options = command.options.map { option in
            let names = option.names.map(name).joined(separator: " ")
            let value = option.value == nil ? "" : " -r \(action(option.completion, of: command, function) ?? "-f")"
            return "\(start) -n \(condition) \(names)\(value) -d \(option.text.fishQuoted)"
        }
        let valued = command.valuedOptions.joined(separator: " ").fishQuoted
        let arguments = command.arguments.enumerated().compactMap { position, argument -> String? in
            guard let action = action(argument.completion, of: command, at: position, function) else { return nil }
            let isRepeated = argument.isRepeated && position == command.arguments.count - 1
            let place = "\(position)\(isRepeated ? "+" : "")"
            let condition = "\(function)_argument_is \(place) \(valued) \(command.name)".fishQuoted
            return "\(start) -n \(condition) \(action)"
        }
        return options + arguments
    }

    /// Returns the arguments of `complete` for the name of an option.
    private static func name(_ option: String) -> String {
        option.hasPrefix("--") ? "-l \(option.dropFirst(2))" : "-s \(option.dropFirst())"
    }

    private static func action(
        _ completion: CommandOutline.Completion,
        of command: CommandOutline,
        at position: Int = 0,
        _ function: String
    ) -> String? {
        switch completion {
        case .none: return nil
        case .files: return "-F"
        case .directories: return "-f -a '(__fish_complete_directories)'"
        // fish evaluates the list.
        case .words(let words): return "-f -a \(words.map(\.fishQuoted).joined(separator: " ").fishQuoted)"
        case .output(let arguments, let options, let passesArguments):
            let count = passesArguments ? position : 0
            let words = [arguments, "\(count)", command.valuedOptions.joined(separator: " "), command.name] + options
            return "-f -a " + "(\(function)_output \(words.map(\.fishQuoted).joined(separator: " ")))".fishQuoted
        }
    }
}

extension String {
    /// The text between single quotes, for fish.
    fileprivate var fishQuoted: String { "'\(escaping("\\'"))'" }
}
