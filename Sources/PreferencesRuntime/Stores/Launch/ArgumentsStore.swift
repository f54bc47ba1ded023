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
    /// `arguments`, and the prefix unless it is `--`.
    public let label: String
    /// What options begin with.
    public let prefix: String

    /// By option, without the prefix, in the order of the command line.
    private let options: [String: [Occurrence]]
    private let reading: TextReading

    /// The options as they were written, in the order of the command line.
    private let given: [String]
    private let asked = AskedOptions()

    /// One mention of an option.
    private struct Occurrence {
        var option: String
        /// The option as it was written: `no-color` for `color`, which is false.
        var written: String
        var text: String
        var kind: Kind

        enum Kind {
            case value
            /// The text was an argument of its own, which need not belong to the option.
            case nextArgument
            /// There was none.
            case nothing
        }
    }

    /// The options that were asked for so far.
    private final class AskedOptions: Sendable {
        let options = Locked<Set<String>>([])
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
        label = prefix == "--" ? "arguments" : "arguments '\(prefix)'"
        reading = TextReading(listSeparator: listSeparator)
        let occurrences = Self.occurrences(in: arguments, prefix: prefix)
        options = Dictionary(grouping: occurrences, by: \.option)
        given = occurrences.map(\.written)
    }

    private static func occurrences(in arguments: [String], prefix: String) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        let arguments = arguments.prefix { $0 != "--" }
        for (index, argument) in arguments.enumerated() where argument.hasPrefix(prefix) {
            var option = argument.dropFirst(prefix.count)
            func add(_ name: Substring, _ text: String, _ kind: Occurrence.Kind) {
                let (option, written) = (String(name), String(option))
                occurrences.append(Occurrence(option: option, written: written, text: text, kind: kind))
            }
            if option.hasPrefix("no-"), !option.contains("=") {
                add(option.dropFirst(3), "false", .nothing)
            }
            if let separator = option.firstIndex(of: "=") {
                let text = option[option.index(after: separator)...]
                option = option[..<separator]
                add(option, String(text), .value)
            } else if let next = arguments.dropFirst(index + 1).first, !next.hasPrefix(prefix), !next.hasPrefix("--") {
                add(option, next, .nextArgument)
            } else {
                add(option, "true", .nothing)
            }
        }
        return occurrences
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
        let key = key(of: name)
        asked.options.withLock { _ = $0.insert(key) }
        guard let occurrences = options[key] else { return nil }
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
        let occurrences = options[key(of: name)] ?? []
        let isFlag = occurrences.last?.kind == .nothing
        if isFlag, let flag = try? Value(preferenceValue: .bool(occurrences.last?.text == "true")) { return flag }
        if isFlag || (Self.isList(type) && occurrences.contains { $0.kind == .nothing }) {
            throw MissingValue(type: Preferences.named(type))
        }
        do {
            return try convert(value, to: type)
        } catch {
            // `--verbose file`: the argument was not the option's, which was given all the same.
            guard occurrences.last?.kind == .nextArgument, let flag = try? Value(preferenceValue: .bool(true)) else {
                throw error
            }
            return flag
        }
    }

    private static func isList<Value: PreferenceConvertible>(_ type: Value.Type) -> Bool {
        (try? Value(preferenceValue: .array([]))) != nil
    }

    private func convert<Value: PreferenceConvertible>(_ value: PreferenceValue, to type: Value.Type) throws -> Value {
        guard case .array(let values) = value, case .string(let last)? = values.last else {
            return try reading.convert(value, to: type)
        }
        do {
            return try reading.convert(value, to: type)
        } catch {
            // Of one that is to be a list no element may be lost.
            if Self.isList(type) { throw error }
            return try reading.convertOne(last, to: type)
        }
    }

    /// The options, as they stand, without the prefix. Other names that they are read for are not known.
    public func names() -> Set<String> {
        Set(options.keys)
    }

    /// The options that no key has been read from so far, with the prefix, in the order of the command line. When a
    /// program has read all its keys, what is left may be misspelled. Who reads all ``names()`` has read them all.
    public var unreadOptions: [String] {
        let asked = asked.options.withLock { $0 }
        let read = Set(options.filter { asked.contains($0.key) }.values.joined().map(\.written))
        var unread: [String] = []
        for option in given where !read.contains(option) && !unread.contains(prefix + option) {
            unread.append(prefix + option)
        }
        return unread
    }

    /// `argument` and the option.
    public func source(of name: String) -> String? {
        options[key(of: name)]?.last.map { "argument \(prefix)\($0.written)" }
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

/// An option stands alone whose key is neither true nor false.
private struct MissingValue: Error, CustomStringConvertible {
    let type: Any.Type

    var description: String { "expected \(type), found an option without a value" }
}
