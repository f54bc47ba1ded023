public import Foundation
public import PreferencesRuntime

/// A store of the values of a keyed `NSCoder`, such as the coder of an archived object, or of the restored state of a
/// window or a scene.
///
/// ```swift
/// final class Player: NSObject, NSSecureCoding {
///     static var supportsSecureCoding: Bool { true }
///     var volume = 50
///
///     override init() {}
///
///     func encode(with coder: NSCoder) {
///         let store = CoderStore(encodingInto: coder)
///         try? store.apply(["volume": .set(.int(Int64(volume)))])
///         try? store.flush()
///     }
///
///     init?(coder: NSCoder) {
///         volume = Preferences(store: CoderStore(decodingFrom: coder)).get(named: "volume", default: 50)
///     }
/// }
/// ```
///
/// A store that encodes keeps its values in memory until ``flush()`` encodes them. Call it before the coder is
/// finished; an encoded value cannot be removed. Every value is encoded as other code expects it under its name.
/// Booleans and numbers are read with `decodeBool(forKey:)`, `decodeInteger(forKey:)`, `decodeInt64(forKey:)` and
/// `decodeDouble(forKey:)`; all other values with `decodeObject(forKey:)`: null as `NSNull`, integers above `Int64.max` as
/// `NSNumber`, dates, arrays and dictionaries as Foundation's. Foundation on Linux confuses equal objects of one archive,
/// such as `true`, `1` and `1.0` in arrays, and loses strings that begin with `$`. Therefore every value but data and
/// other strings is encoded a second time, as a string of JSON whose key is `preferenceValue:` and the name. This store
/// reads the string where there is one, and refuses names that begin so. Foundation on Linux may also end the program
/// where an archive has two `NSNull` objects, or one string both composed and decomposed. Therefore the stores of a
/// program encode one `NSNull`, and on Linux composed strings (NFC), which compare equal to the original ones. Do not
/// encode another `NSNull` in the same archive.
///
/// A store that decodes is read-only. It reads the objects of a coder that are property lists, URLs and UUIDs. Do not
/// read names whose values were not encoded as objects, such as an integer that was encoded by `encode(_: Int,
/// forKey:)`: Foundation treats that as a failure to decode. The coder's `decodingFailurePolicy` decides what happens
/// then. `.raiseException`, the default of an `NSKeyedUnarchiver`, ends the program. With `.setErrorAndReturn`, which
/// `NSKeyedUnarchiver.unarchivedObject(ofClass:from:)` uses, every value is reported as unreadable from then on. The
/// policy cannot be changed while an object is being decoded, so set it before the first object is decoded.
///
/// Nothing else may use the coder on another thread as long as the store is in use.
public struct CoderStore: PreferenceStoreAdapter {
    /// The store that the values are read from.
    public let base: any PreferenceStore
    private let encoder: LockedCoder?

    /// Creates a store that encodes its values into a coder.
    ///
    /// - Parameter coder: The coder, which must allow keyed coding.
    public init(encodingInto coder: NSCoder) {
        base = MemoryStore()
        encoder = LockedCoder(coder)
    }

    /// Creates a read-only store of the values of a coder.
    ///
    /// - Parameter coder: The coder, which must allow keyed coding, and may be decoding an object already.
    public init(decodingFrom coder: NSCoder) {
        base = DecodedStore(coder: LockedCoder(coder))
        encoder = nil
    }

    /// Always `coder`.
    public var label: String { "coder" }

    /// Returns the value as it is, if it can be encoded.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` for a value that is nested too deep, and for a name that
    ///   begins with `preferenceValue:`.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        if ArchivedValue.isExactKey(name) {
            let message = "names that begin with 'preferenceValue:' are the store's own"
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
        }
        do {
            _ = try ArchivedValue.exactText(of: value)
            return value
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
    }

    /// Encodes all values, if this store encodes.
    public func flush() throws {
        guard let encoder else { return }
        for name in try base.names() {
            guard let value = try base.value(for: name) else { continue }
            let text = try ArchivedValue.exactText(of: value)
            encoder.withCoder { coder in
                ArchivedValue.encode(value, forKey: name, into: coder)
                if let text { coder.encode(ArchivedValue.string(text), forKey: ArchivedValue.exactKey(for: name)) }
            }
        }
    }
}

/// How values are encoded.
private enum ArchivedValue {
    /// The key of a value's exact text.
    static func exactKey(for name: String) -> String { "preferenceValue:\(name)" }

    static func isExactKey(_ name: String) -> Bool { name.hasPrefix(exactKey(for: "")) }

    /// Returns the JSON of a value that its plain object may lose; nil for a value that every archive preserves.
    ///
    /// - Throws: An error for a value that is nested too deep.
    static func exactText(of value: PreferenceValue) throws -> String? {
        switch value {
        case .data: nil
        case .string(let text) where !text.hasPrefix("$"): nil
        default: try value.jsonText()
        }
    }

    /// Encodes a value as other code expects it: a Boolean or a number by itself, and any other value as an object.
    static func encode(_ value: PreferenceValue, forKey name: String, into coder: NSCoder) {
        switch value {
        case .bool(let value): coder.encode(value, forKey: name)
        case .int(let value): coder.encode(value, forKey: name)
        case .double(let value): coder.encode(value, forKey: name)
        default: coder.encode(object(from: value), forKey: name)
        }
    }

    /// Returns the object of Foundation's that other code expects.
    static func object(from value: PreferenceValue) -> NSObject {
        switch value {
        case .null: null
        case .bool(let value): NSNumber(value: value)
        case .int(let value): NSNumber(value: value)
        case .unsignedInt(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let text): string(text)
        case .data(let data): NSData(data: data)
        case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case .array(let values): NSArray(array: values.map(object))
        case .dictionary(let entries):
            NSDictionary(
                dictionary: Dictionary(uniqueKeysWithValues: entries.map { (string($0), object(from: $1)) })
            )
        }
    }

    // An archiver has a dictionary of the objects that it has encoded. On Linux any two `NSNull` are equal but have
    // different hashes, as do equal strings of which one is composed and one decomposed; and Swift ends the program if
    // it finds two such keys while a dictionary grows.
    #if canImport(Darwin)
        private static var null: NSNull { NSNull() }

        static func string(_ text: String) -> NSString { NSString(string: text) }
    #else
        private static let null = NSNull()

        static func string(_ text: String) -> NSString {
            NSString(string: text.precomposedStringWithCanonicalMapping)
        }
    #endif

    /// Returns the value of a decoded object.
    ///
    /// - Throws: An error for an object that no value corresponds to.
    static func value(from object: Any) throws -> PreferenceValue {
        // Earlier versions encoded a dictionary with the JSON instead of the plain object.
        if let entries = object as? [String: Any], entries.count == 1, let text = entries["preferenceValue"] as? String,
            let value = PreferenceValue(jsonText: text)
        {
            return value
        }
        switch object {
        case is NSNull: return .null
        case let url as URL: return .string(url.absoluteString)
        case let uuid as UUID: return .string(uuid.uuidString)
        default: return try PreferenceValue(propertyListObject: object)
        }
    }
}

/// A coder behind a lock.
private final class LockedCoder: Sendable {
    // Unchecked, because the compiler does not know that the lock protects the coder, which is used in `withCoder`
    // alone. A `Mutex` would require the initializers' parameter to be `sending`, and the coders that frameworks pass
    // to programs are not. `CoderStore` documents that nothing else may use the coder on another thread.
    nonisolated(unsafe) private let coder: NSCoder
    private let lock = NSRecursiveLock()

    init(_ coder: NSCoder) {
        guard coder.allowsKeyedCoding else { fatalError("CoderStore needs a coder that allows keys, not \(coder)") }
        self.coder = coder
    }

    func withCoder<Result>(_ body: (NSCoder) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(coder) }
    }
}

/// The values of a coder that decodes.
private struct DecodedStore: CapabilityDeclaringStore {
    let coder: LockedCoder

    var label: String { "coder" }

    func value(for name: String) throws -> PreferenceValue? {
        if ArchivedValue.isExactKey(name) { return nil }
        do {
            return try coder.withCoder { coder in
                guard coder.containsValue(forKey: name) else { return nil }
                let exactKey = ArchivedValue.exactKey(for: name)
                if coder.containsValue(forKey: exactKey) {
                    let text = coder.decodeObject(of: [NSString.self], forKey: exactKey) as? String
                    if let value = text.flatMap({ PreferenceValue(jsonText: $0) }) { return value }
                }
                let object = coder.decodeObject(of: Self.classes, forKey: name)
                // A coder keeps its first error.
                if let error = coder.error { throw error }
                guard let object else { return .null }
                return try ArchivedValue.value(from: object)
            }
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
    }

    private static var classes: [AnyClass] {
        [
            NSString.self, NSNumber.self, NSData.self, NSDate.self, NSArray.self, NSDictionary.self, NSURL.self,
            NSUUID.self, NSNull.self,
        ]
    }

    /// Always empty, since coders do not list their keys.
    func names() -> Set<String> { [] }

    var notifiesAllChanges: Bool { true }

    var unsupportedCapabilities: PreferenceStoreCapabilities { [.listing, .persistence] }
}
