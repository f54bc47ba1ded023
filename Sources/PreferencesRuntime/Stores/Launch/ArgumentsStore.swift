import PreferencesSystem

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
public struct ArgumentsStore: ValueConvertingStore, SourceReportingStore, CapabilityDeclaringStore {
    /// `arguments`, and the prefix unless it is `--`.
    public let label: String
    /// What options begin with.
    public let prefix: String

    private let given: CommandLineOptions
    private let reading: TextReading
    private let asked = AskedOptions()

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
        given = CommandLineOptions(arguments, prefix: prefix)
    }

    /// The option that a name is read from, if it is given: `--service-last-update`.
    public func option(for name: String) -> String {
        prefix + key(of: name)
    }

    private func key(of name: String) -> String {
        given.mentions[name] == nil ? StorageNameWords.words(of: name).joined(separator: "-").lowercased() : name
    }

    /// The text of a name's option, or the list of them where it is repeated.
    public func value(for name: String) -> PreferenceValue? {
        let key = key(of: name)
        asked.options.withLock { _ = $0.insert(key) }
        guard let mentions = given.mentions[key] else { return nil }
        let texts = mentions.map { PreferenceValue.string($0.text) }
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
        let mentions = given.mentions[key(of: name)] ?? []
        let isFlag = mentions.last?.kind == .nothing
        if isFlag, let flag = try? Value(preferenceValue: .bool(mentions.last?.text == "true")) { return flag }
        if isFlag || (Self.isList(type) && mentions.contains { $0.kind == .nothing }) {
            throw MissingValue(type: Preferences.named(type))
        }
        do {
            return try convert(value, to: type)
        } catch {
            // `--verbose file`: the argument was not the option's, which was given all the same.
            guard mentions.last?.kind == .nextArgument, let flag = try? Value(preferenceValue: .bool(true)) else {
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
        Set(given.mentions.keys)
    }

    /// The options that no key has been read from so far, with the prefix, in the order of the command line. When a
    /// program has read all its keys, what is left may be misspelled. Who reads all ``names()`` has read them all.
    public var unreadOptions: [String] {
        let asked = asked.options.withLock { $0 }
        let read = Set(given.mentions.filter { asked.contains($0.key) }.values.joined().map(\.written))
        var unread: [String] = []
        for option in given.written where !read.contains(option) && !unread.contains(prefix + option) {
            unread.append(prefix + option)
        }
        return unread
    }

    /// `argument` and the option.
    public func source(of name: String) -> String? {
        given.mentions[key(of: name)]?.last.map { "argument \(prefix)\($0.written)" }
    }

    /// True: a command line does not change.
    public var notifiesAllChanges: Bool { true }

    /// Persistence, null, and values other than text.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { [.persistence, .typedValues, .null] }
}

/// An option stands alone whose key is neither true nor false.
private struct MissingValue: Error, CustomStringConvertible {
    let type: Any.Type

    var description: String { "expected \(type), found an option without a value" }
}
