/// A store that transforms the values of another one.
///
/// ```swift
/// // An older version of the program stored distances in miles.
/// let kilometres = PreferenceTransformation<Double, Double> { $0 * 1.609 } write: { $0 / 1.609 }
/// let store = TransformedStore(FileStore.default, kilometres, for: ["trip:distance"])
/// ```
///
/// To transform a single key, use an accessor: `get(_:default:through:)`.
public struct TransformedStore: PreferenceStoreAdapter {
    /// The store that contains the values.
    public let base: any PreferenceStore

    /// The names whose values are transformed; nil for all.
    private let transformedNames: Set<String>?
    private let read: @Sendable (_ stored: PreferenceValue, _ name: String) throws -> PreferenceValue?
    private let write: @Sendable (_ value: PreferenceValue, _ name: String) throws -> PreferenceValue

    /// Creates a store whose transformed values have one type.
    ///
    /// - Parameters:
    ///   - base: The store that contains the values.
    ///   - transformation: The transformation of stored values. A stored value that it cannot read is reported, and not
    ///     changed; a value that it cannot write is not set.
    ///   - names: The names whose values are transformed; by default all. To transform other names differently, wrap
    ///     this store in another one.
    public init<Stored: PreferenceConvertible, Value: PreferenceConvertible>(
        _ base: some PreferenceStore,
        _ transformation: PreferenceTransformation<Stored, Value>,
        for names: Set<String>? = nil
    ) {
        self.base = base
        transformedNames = names
        read = { stored, name in
            try transformation.read(base.read(stored, of: name, as: Stored.self)).preferenceValue()
        }
        write = { value, _ in try transformation.write(Value(preferenceValue: value)).preferenceValue() }
    }

    /// Creates a store whose transformed values may have any type.
    ///
    /// - Parameters:
    ///   - base: The store that contains the values.
    ///   - read: Returns the value for a stored value; nil if the name is not set in this store.
    ///   - write: Returns the stored value for a value.
    public init(
        _ base: some PreferenceStore,
        read: @escaping @Sendable (_ stored: PreferenceValue, _ name: String) throws -> PreferenceValue?,
        write: @escaping @Sendable (_ value: PreferenceValue, _ name: String) throws -> PreferenceValue
    ) {
        self.base = base
        transformedNames = nil
        self.read = read
        self.write = write
    }

    /// The unsupported capabilities of the base, and exact values: a transformation may change a value that is set and
    /// read.
    public var unsupportedCapabilities: PreferenceStoreCapabilities {
        PreferenceStoreCapabilities(unsupportedBy: base).union(.exactValues)
    }

    /// Returns the names of the base, except those whose value the transformation omits.
    public func names() throws -> Set<String> {
        try base.names().filter { name -> Bool in
            guard transforms(name) else { return true }
            do {
                return try value(for: name) != nil
            } catch {
                // A value that cannot be read is set.
                return true
            }
        }
    }

    private func transforms(_ name: String) -> Bool {
        transformedNames?.contains(name) ?? true
    }

    /// Returns the transformed value.
    ///
    /// - Throws: ``PreferenceProblem`` with ``PreferenceProblem/Code/typeMismatch`` if the transformation fails.
    public func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue? {
        guard transforms(name) else { return baseValue }
        return try problem(.typeMismatch, name) { try read(baseValue, name) }
    }

    /// Returns the stored value for a value.
    ///
    /// - Throws: ``PreferenceProblem`` with ``PreferenceProblem/Code/unsupportedValue`` if the transformation fails.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard transforms(name) else { return value }
        return try problem(.unsupportedValue, name) { try write(value, name) }
    }

    /// Converts a transformed value from its ``PreferenceValue``, and any other as the base does.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try transforms(name) ? Value(preferenceValue: value) : base.read(value, of: name, as: type)
    }

    /// False: values are not in the encoding of the base after the transformation.
    public func decodes(_ value: PreferenceValue) -> Bool { false }

    /// Returns the source of the value in the base; nil if the transformation omits the value.
    public func source(of name: String) throws -> PreferenceSource? {
        if transforms(name) {
            do {
                if try value(for: name) == nil { return nil }
            } catch {
                // A value that cannot be read has a source.
            }
        }
        return try base.origin(of: name)
    }

    private func problem<Result>(
        _ code: PreferenceProblem.Code,
        _ name: String,
        _ body: () throws -> Result
    ) throws(PreferenceProblem) -> Result {
        do {
            return try body()
        } catch {
            throw PreferenceProblem(code, key: name, store: label, message: ErrorText(error).description)
        }
    }
}
