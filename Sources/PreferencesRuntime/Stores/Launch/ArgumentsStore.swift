/// The options on the command line, to be read.
///
/// ```swift
/// let preferences = Preferences(store: LayeredStore([ArgumentsStore(), FileStore.default]))
/// // weather --service-last-update=2026-11-22T08:00:00Z --stations Oslo --stations Bergen --verbose --no-color
/// ```
///
/// A name's option is its words in small letters with `-` between them, after the prefix; or else the name as it stands.
/// Its value follows after `=`, or as the next argument. An option without a value is true, and with `no-` before its name
/// false. One that is repeated is a list; where one value is wanted, the last counts. What comes after `--` is no option.
///
/// Values are read as the type that is wanted, as in ``EnvironmentStore``.
public struct ArgumentsStore: PreferenceStore {
    /// Always `arguments`.
    public let label = "arguments"
    /// What options begin with.
    public let prefix: String

    /// By option, without the prefix, in the order of the command line.
    private let options: [String: [Occurrence]]
    private let reading: TextReading

    /// One mention of an option.
    private struct Occurrence {
        var text: String
        /// Whether the text was an argument of its own, which need not belong to the option.
        var isNextArgument = false
    }

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - prefix: What options begin with; `--` by default. With `--set-`, say, all other options are the program's own.
    ///   - listSeparator: What is between the elements of a list that is one argument; `,` by default.
    ///   - arguments: Those of the command line, without the program's name; by default this process's.
    public init(
        prefix: String = "--",
        listSeparator: Character = ",",
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) {
        self.prefix = prefix
        reading = TextReading(listSeparator: listSeparator)
        options = Self.options(in: arguments, prefix: prefix)
    }

    private static func options(in arguments: [String], prefix: String) -> [String: [Occurrence]] {
        var options: [String: [Occurrence]] = [:]
        let arguments = arguments.prefix { $0 != "--" }
        for (index, argument) in arguments.enumerated() where argument.hasPrefix(prefix) {
            let option = argument.dropFirst(prefix.count)
            if option.hasPrefix("no-"), !option.contains("=") {
                options[String(option.dropFirst(3)), default: []].append(Occurrence(text: "false"))
            }
            if let separator = option.firstIndex(of: "=") {
                let text = String(option[option.index(after: separator)...])
                options[String(option[..<separator]), default: []].append(Occurrence(text: text))
            } else if let next = arguments.dropFirst(index + 1).first, !next.hasPrefix(prefix), !next.hasPrefix("--") {
                options[String(option), default: []].append(Occurrence(text: next, isNextArgument: true))
            } else {
                options[String(option), default: []].append(Occurrence(text: "true"))
            }
        }
        return options
    }

    /// The option that a name is read from, if it is given: `--service-last-update`.
    public func option(for name: String) -> String {
        prefix + key(of: name)
    }

    private func key(of name: String) -> String {
        options[name] == nil ? StorageNameWords.words(of: name).joined(separator: "-").lowercased() : name
    }

    /// The text of a name's option, or the list of them where it is repeated.
    public func value(for name: String) -> PreferenceValue? {
        guard let occurrences = options[key(of: name)] else { return nil }
        let texts = occurrences.map { PreferenceValue.string($0.text) }
        return texts.count == 1 ? texts[0] : .array(texts)
    }

    /// Reads what an option gives as a type: the list of its texts, or else the last of them.
    ///
    /// - Throws: Where it is no text of that type.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        do {
            return try reading.convert(value, to: type)
        } catch {
            if case .array(let values) = value, let last = values.last { return try convert(last, of: name, to: type) }
            // `--verbose file`: the argument was not the option's, which was given all the same.
            guard options[key(of: name)]?.last?.isNextArgument == true,
                let flag = try? Value(preferenceValue: .bool(true))
            else { throw error }
            return flag
        }
    }

    /// The options, as they stand, without the prefix.
    public func names() -> Set<String> {
        Set(options.keys)
    }

    /// `argument` and the option.
    public func source(of name: String) -> String? {
        options[key(of: name)].map { _ in "argument \(option(for: name))" }
    }

    /// Refuses every batch that is not empty.
    public func apply(_ batch: [String: PreferenceEdit]) throws {
        try refuse(batch)
    }

    /// True: a command line does not change.
    public var tellsAllChanges: Bool { true }

    /// Writing, values other than text, and persistence.
    public var lacks: PreferenceStoreCapabilities { [.writing, .persistence, .typedValues, .null] }
}
