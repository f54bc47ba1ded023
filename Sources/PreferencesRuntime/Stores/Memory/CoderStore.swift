public import Foundation

/// The values of an `NSCoder` with keys, such as the one that a window's or a scene's state is restored from.
///
/// ```swift
/// override func encodeRestorableState(with coder: NSCoder) {
///     let store = CoderStore(encodingInto: coder)
///     try? store.apply(["scroll": .set(.double(offset))])
///     try? store.flush()
/// }
/// ```
///
/// A store that encodes has its values in memory until ``flush()`` puts them into the coder, which is to be called before
/// the coder is finished; what a coder was given cannot be taken back. One that decodes can only be read, and has the
/// objects that are property lists, URLs and UUIDs; after one of another kind, as a number that was encoded by
/// `encode(_: Int, forKey:)`, a coder decodes nothing any more, and every value is told to be unreadable. In both cases
/// the coder is the store's alone for as long as it is used.
public struct CoderStore: PreferenceStoreAdapter {
    /// Where values are looked for.
    public let base: any PreferenceStore
    private let encoder: LockedCoder?

    /// Makes a store that puts its values into a coder.
    ///
    /// - Parameter coder: The coder, which must allow keys.
    public init(encodingInto coder: NSCoder) {
        base = MemoryStore()
        encoder = LockedCoder(coder)
    }

    /// Makes a store that has the values of a coder.
    ///
    /// - Parameter coder: The coder, which must allow keys.
    public init(decodingFrom coder: NSCoder) {
        base = DecodedStore(coder: LockedCoder(coder))
        encoder = nil
    }

    /// Always `coder`.
    public var label: String { "coder" }

    /// The value itself: whatever can be encoded.
    ///
    /// - Throws: ``PreferenceProblem`` for one that is nested too deep.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        do {
            _ = try CodedObject.object(from: value)
            return value
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: ErrorText(error).description)
        }
    }

    /// Puts all values into the coder, where this store encodes.
    public func flush() throws {
        guard let encoder else { return }
        for name in try base.names() {
            guard let object = try base.value(for: name).map(CodedObject.object) else { continue }
            encoder.withCoder { $0.encode(object, forKey: name) }
        }
    }
}

/// Values as objects of an archive.
///
/// Texts and data are what they are. Others are JSON: archives of Foundation on Linux take equal numbers for the same
/// object, be one of them a boolean, and lose dictionaries with names that begin with `$`.
private enum CodedObject {
    private static let name = "preferenceValue"

    static func object(from value: PreferenceValue) throws -> Any {
        switch value {
        case .string(let text): text as NSString
        case .data(let data): data as NSData
        default: [name: try value.jsonText()] as NSDictionary
        }
    }

    static func value(from object: Any) throws -> PreferenceValue {
        if let entries = object as? [String: Any], entries.count == 1, let text = entries[name] as? String,
            let value = PreferenceValue(jsonText: text)
        {
            return value
        }
        switch object {
        case let url as URL: return .string(url.absoluteString)
        case let uuid as UUID: return .string(uuid.uuidString)
        default: return try PropertyListValue(isXML: false).value(from: object)
        }
    }
}

/// A coder that one thread at a time uses.
///
/// It cannot be asked to be `sending`, as frameworks hand coders to methods that are not. That it is the store's alone for
/// as long as it is used is what ``CoderStore`` demands.
private final class LockedCoder: @unchecked Sendable {  // `coder` is used with `lock` held, in `withCoder` alone.
    private let coder: NSCoder
    private let lock = RecursiveLock()

    init(_ coder: NSCoder) {
        guard coder.allowsKeyedCoding else { fatalError("CoderStore needs a coder that allows keys, not \(coder)") }
        self.coder = coder
        // Its default is to end the program.
        (coder as? NSKeyedUnarchiver)?.decodingFailurePolicy = .setErrorAndReturn
    }

    func withCoder<Result>(_ body: (NSCoder) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(coder) }
    }
}

/// The values that can be decoded.
private struct DecodedStore: PreferenceStore {
    let coder: LockedCoder

    var label: String { "coder" }

    func value(for name: String) throws -> PreferenceValue? {
        do {
            return try coder.withCoder { coder in
                guard coder.containsValue(forKey: name) else { return nil }
                let object = coder.decodeObject(of: Self.classes, forKey: name)
                // It stays, whatever is asked for next.
                if let error = coder.error { throw error }
                guard let object else { return .null }
                return try CodedObject.value(from: object)
            }
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: ErrorText(error).description)
        }
    }

    private static var classes: [AnyClass] {
        [
            NSString.self, NSNumber.self, NSData.self, NSDate.self, NSArray.self, NSDictionary.self, NSURL.self,
            NSUUID.self,
        ]
    }

    /// A coder does not say what it has.
    func names() -> Set<String> { [] }

    func apply(_ batch: [String: PreferenceEdit]) throws {
        try refuse(batch)
    }

    var tellsAllChanges: Bool { true }

    var lacks: PreferenceStoreCapabilities { [.writing, .listing, .persistence] }
}
