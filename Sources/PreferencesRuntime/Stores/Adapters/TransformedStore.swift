/// Another store, whose values are read as something else than is stored.
///
/// ```swift
/// // Distances are stored in miles, as an older program did.
/// let kilometres = PreferenceTransformation<Double, Double> { $0 * 1.609 } write: { $0 / 1.609 }
/// let store = TransformedStore(FileStore.default, kilometres, for: ["trip:distance"])
/// ```
///
/// For one key, an accessor can have a transformation of its own: ``PreferenceAccessors/get(_:default:through:)``.
public struct TransformedStore: PreferenceStoreAdapter {
    /// The store that the values are in.
    public let base: any PreferenceStore

    /// The names whose values are transformed; nil for all.
    private let transformedNames: Set<String>?
    private let read: @Sendable (_ stored: PreferenceValue, _ name: String) throws -> PreferenceValue?
    private let write: @Sendable (_ value: PreferenceValue, _ name: String) throws -> PreferenceValue

    /// Makes a store whose values are all of one type.
    ///
    /// - Parameters:
    ///   - base: The store that the values are in.
    ///   - transformation: How values are made of what is stored. A stored value that it cannot read is reported, and
    ///     stays; a value that it cannot write is not set.
    ///   - names: The names whose values are transformed; by default all. Transformations of others are stores over this
    ///     one.
    public init<Stored: PreferenceConvertible, Value: PreferenceConvertible>(
        _ base: any PreferenceStore,
        _ transformation: PreferenceTransformation<Stored, Value>,
        for names: Set<String>? = nil
    ) {
        self.base = base
        transformedNames = names
        read = { stored, name in
            try transformation.read(base.convert(stored, of: name, to: Stored.self)).preferenceValue()
        }
        write = { value, _ in try transformation.write(Value(preferenceValue: value)).preferenceValue() }
    }

    /// Makes a store whose values may be of any type.
    ///
    /// - Parameters:
    ///   - base: The store that the values are in.
    ///   - read: Makes a value of what is stored under a name; nil where that is to be as if nothing were.
    ///   - write: Makes what is stored under a name of a value.
    public init(
        _ base: any PreferenceStore,
        read: @escaping @Sendable (_ stored: PreferenceValue, _ name: String) throws -> PreferenceValue?,
        write: @escaping @Sendable (_ value: PreferenceValue, _ name: String) throws -> PreferenceValue
    ) {
        self.base = base
        transformedNames = nil
        self.read = read
        self.write = write
    }

    /// The unsupported capabilities of the base, and exact values: a transformation may change a value that is set and read.
    public var unsupportedCapabilities: PreferenceStoreCapabilities { base.unsupportedCapabilities.union(.exactValues) }

    /// The names of the base, but for those that are read as if nothing were stored.
    public func names() throws -> Set<String> {
        try base.names().filter { name -> Bool in
            guard transforms(name) else { return true }
            do {
                return try value(for: name) != nil
            } catch {
                // Something is there.
                return true
            }
        }
    }

    private func transforms(_ name: String) -> Bool {
        transformedNames?.contains(name) ?? true
    }

    /// What is made of what is stored.
    ///
    /// - Throws: ``PreferenceProblem`` with ``PreferenceProblem/Code/typeMismatch`` where nothing can be.
    public func value(ofBaseValue baseValue: PreferenceValue, for name: String) throws -> PreferenceValue? {
        guard transforms(name) else { return baseValue }
        return try problem(.typeMismatch, name) { try read(baseValue, name) }
    }

    /// What is stored of a value.
    ///
    /// - Throws: ``PreferenceProblem`` with ``PreferenceProblem/Code/unsupportedValue`` where nothing can be.
    public func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard transforms(name) else { return value }
        return try problem(.unsupportedValue, name) { try write(value, name) }
    }

    /// Reads a value as what the transformation made it; others as the base does.
    public func convert<Value: PreferenceConvertible>(
        _ value: PreferenceValue,
        of name: String,
        to type: Value.Type
    ) throws -> Value {
        try transforms(name) ? Value(preferenceValue: value) : base.convert(value, of: name, to: type)
    }

    /// False: the transformation reads the values of the base.
    public func decodes(_ value: PreferenceValue) -> Bool { false }

    /// The base's source, where its value is one here, too.
    public func source(of name: String) throws -> String? {
        if transforms(name) {
            do {
                if try value(for: name) == nil { return nil }
            } catch {
                // Something is there.
            }
        }
        return try base.source(of: name)
    }

    /// Whether the base leaves writers out.
    public var excludesWriters: Bool { base.excludesWriters }

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
