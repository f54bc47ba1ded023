import PreferencesSystem

/// A read-only store of command-line options.
///
/// ```swift
/// let preferences = Preferences(store: LayeredStore([ArgumentsStore(), FileStore.default]))
/// // weather --service-last-update=2026-11-22T08:00:00Z --stations Oslo --stations Bergen --verbose --no-color
/// ```
///
/// The option of a name is the prefix followed by its words in lowercase, joined by `-`, or by the name itself. The
/// value follows `=`, or is the next argument. An option without a value is true; with `no-` before its name, it is
/// false. A repeated option is a list; for a type that is not a list, the last value is used. Arguments after `--` are
/// not options.
///
/// Values are converted to the type of the key, as in ``EnvironmentStore``.
public struct ArgumentsStore: ValueConvertingStore, SourceReportingStore, CapabilityDeclaringStore {
    /// `arguments`, followed by the prefix unless it is `--`.
    public let label: String
    /// The prefix of all options.
    public let prefix: String

    private let options: CommandLineOptions
    private let decoder: StringDecoder
    private let queriedKeys = QueriedKeys()

    /// The keys that have been looked up so far.
    private final class QueriedKeys: Sendable {
        let keys = Locked<Set<String>>([])
    }

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of all options; `--` by default. With a prefix such as `--set-`, all other options are
    ///     ignored.
    ///   - listSeparator: The separator of the elements of a list in one argument; `,` by default.
    ///   - arguments: The arguments without the program's name; by default those of this process.
    public init(
        prefix: String = "--",
        listSeparator: Character = ",",
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) {
        self.prefix = prefix
        label = prefix == "--" ? "arguments" : "arguments '\(prefix)'"
        decoder = StringDecoder(listSeparator: listSeparator)
        options = CommandLineOptions(arguments, prefix: prefix)
    }

    /// Returns the option from which a name is read, such as `--service-last-update`.
    public func option(for name: String) -> String {
        prefix + key(of: name)
    }

    private func key(of name: String) -> String {
        options.occurrences[name] == nil ? StorageNameWords.words(of: name).joined(separator: "-").lowercased() : name
    }

    /// Returns the text of a name's option, or an array of texts if it is repeated; nil if it is not present.
    public func value(for name: String) -> PreferenceValue? {
        let key = key(of: name)
        queriedKeys.keys.withLock { _ = $0.insert(key) }
        guard let occurrences = options.occurrences[key] else { return nil }
        let texts = occurrences.map { PreferenceValue.string($0.text) }
        return texts.count == 1 ? texts[0] : .array(texts)
    }

    /// Converts the texts of an option to a type; for a type that is not a list, the last one.
    ///
    /// - Throws: An error if a text does not fit the type.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        let occurrences = options.occurrences[key(of: name)] ?? []
        let isFlag = occurrences.last?.kind == .noText
        if isFlag, let flag = try? Value(preferenceValue: .bool(occurrences.last?.text == "true")) { return flag }
        if isFlag || (Self.isList(type) && occurrences.contains { $0.kind == .noText }) {
            throw MissingValueError(type: Preferences.declaredType(type))
        }
        do {
            return try convert(value, to: type)
        } catch {
            // `--verbose file`: the next argument does not belong to the option, which is a flag.
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
            return try decoder.decode(value, as: type)
        }
        do {
            return try decoder.decode(value, as: type)
        } catch {
            // No element of a list may be dropped.
            if Self.isList(type) { throw error }
            return try decoder.decodeScalar(last, as: type)
        }
    }

    /// Returns the options as they are written, without the prefix, because the names of keys cannot be derived from
    /// them.
    public func names() -> Set<String> {
        Set(options.occurrences.keys)
    }

    /// The options that have not been read so far, with the prefix, in the order of the command line. After a program
    /// has read all its keys, the rest may be misspelled.
    public var unrecognizedOptions: [String] {
        let queried = queriedKeys.keys.withLock { $0 }
        let read = Set(options.occurrences.filter { queried.contains($0.key) }.values.joined().map(\.written))
        var unrecognized: [String] = []
        for option in options.written where !read.contains(option) && !unrecognized.contains(prefix + option) {
            unrecognized.append(prefix + option)
        }
        return unrecognized
    }

    /// Returns the option of a name; nil if it is not present.
    public func source(of name: String) -> PreferenceSource? {
        options.occurrences[key(of: name)]?.last.map { occurrence in
            let option = prefix + occurrence.written
            return PreferenceSource(store: label, name: option, description: "argument \(option)")
        }
    }

    /// True: the command line does not change.
    public var notifiesAllChanges: Bool { true }

    /// Persistence, null, and values other than strings.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { [.persistence, .typedValues, .null] }
}

/// An option has no value, but its key is not a Boolean.
private struct MissingValueError: Error, CustomStringConvertible {
    let type: Any.Type

    var description: String { "expected \(type), found an option without a value" }
}

/// The options of a command line.
struct CommandLineOptions: Sendable {
    /// An occurrence of an option.
    struct Occurrence: Sendable {
        /// The option without the prefix.
        var option: String
        /// The option as it was written, such as `no-color` for `color`.
        var written: String
        var text: String
        var kind: Kind
    }

    /// The source of the text of an occurrence.
    enum Kind: Sendable {
        /// The text after `=`.
        case value
        /// The next argument, which need not belong to the option.
        case nextArgument
        /// The option has no text.
        case noText
    }

    /// The occurrences of each option, in the order of the command line.
    let occurrences: [String: [Occurrence]]
    /// The options as they were written, in the order of the command line.
    let written: [String]

    /// - Parameters:
    ///   - arguments: The arguments without the program's name. Arguments after `--` are ignored.
    ///   - prefix: The prefix of all options.
    init(_ arguments: [String], prefix: String) {
        let occurrences = Self.occurrences(in: Array(arguments.prefix { $0 != "--" }), prefix: prefix)
        self.occurrences = Dictionary(grouping: occurrences, by: \.option)
        written = occurrences.map(\.written)
    }

    private static func occurrences(in arguments: [String], prefix: String) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        for (index, argument) in arguments.enumerated() where argument.hasPrefix(prefix) {
            let parts = argument.dropFirst(prefix.count)
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let option = parts[0]
            func add(_ name: String, _ text: String, _ kind: Kind) {
                occurrences.append(Occurrence(option: name, written: option, text: text, kind: kind))
            }
            if parts.count > 1 {
                add(option, parts[1], .value)
                continue
            }
            if option.hasPrefix("no-") { add(String(option.dropFirst(3)), "false", .noText) }
            if let next = arguments.dropFirst(index + 1).first, !next.hasPrefix(prefix), !next.hasPrefix("--") {
                add(option, next, .nextArgument)
            } else {
                add(option, "true", .noText)
            }
        }
        return occurrences
    }
}
