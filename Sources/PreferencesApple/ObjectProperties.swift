package import PreferencesRuntime
import Synchronization

/// Preferences in the properties of an object, over any backend.
final class ObjectProperties: WriterExcludingStore, CapabilityDeclaringStore {
    let label: String
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .persistence, .exclusiveUpdates, .null, .emptyName, .longNames, .controlCharactersInNames,
    ]

    private let backend: any PropertyBackend
    private let access = PreferenceStoreAccess()
    /// The names that this store is setting. It notifies observers of them itself.
    private let ownNames = Mutex<Set<String>>([])

    init(_ backend: any PropertyBackend) {
        self.backend = backend
        label = "object of class \(backend.className)"
    }

    func value(for name: String) throws -> PreferenceValue? {
        guard let (_, type) = readable(name) else { return nil }
        do {
            return try access.withLock { try backend.value(of: name).map { try type.value(from: $0) } }
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
    }

    func names() -> Set<String> {
        access.withLock { readableNames.filter { backend.value(of: $0) != nil } }
    }

    func update(
        by writer: PreferenceStoreObservation?,
        _ makeBatch: (_ current: (_ name: String) throws -> PreferenceValue?) throws -> PreferenceBatch
    ) throws {
        try access.update(by: writer, makingBatch: { try makeBatch(value) }) { try write($0.edits) }
    }

    func reload() {
        access.observers.notify(.everything)
    }

    func observe(_ observer: @escaping @Sendable (PreferenceStoreChange) -> Void) -> PreferenceStoreObservation {
        access.observers.add(observer) {
            backend.observe(readableNames) { [weak self] in self?.receiveChange(of: $0) }
        }
    }

    // MARK: - Properties

    private var readableNames: Set<String> { backend.names.filter { readable($0) != nil } }

    /// Returns a property, if key-value coding can read it and its type is supported.
    private func readable(_ name: String) -> (PropertyDeclaration, ObjectType)? {
        guard let declaration = backend.declaration(of: name), let type = declaration.type,
            declaration.getters.contains(where: backend.responds)
        else { return nil }
        return (declaration, type)
    }

    /// Applies a batch.
    ///
    /// - Throws: ``PreferenceProblem``, before any change.
    private func write(_ batch: [String: PreferenceEdit]) throws {
        let properties = try batch.compactMap { name, edit in try change(of: name, by: edit) }
        ownNames.withLock { $0 = Set(batch.keys) }
        defer { ownNames.withLock { $0 = [] } }
        for (name, object) in properties { backend.setValue(object, of: name) }
    }

    /// Returns the object to set; nil if there is nothing to remove.
    private func change(of name: String, by edit: PreferenceEdit) throws -> (name: String, object: Any?)? {
        guard let (declaration, type) = readable(name) else {
            if edit == .remove { return nil }
            let message =
                "\(backend.className) has no property of this name with a supported type that Objective-C can use"
            throw problem(of: name, message)
        }
        guard !declaration.isReadOnly, declaration.setters.contains(where: backend.responds) else {
            throw problem(of: name, "this property of \(backend.className) is read-only")
        }
        guard case .set(let value) = edit else {
            guard !declaration.isScalar else {
                let kind = "this property of \(backend.className) is a number or a boolean"
                throw problem(of: name, "\(kind), and cannot be removed")
            }
            return (name, nil)
        }
        do {
            return (name, try type.object(from: value))
        } catch {
            throw PreferenceProblem(.unsupportedValue, key: name, store: label, error: error)
        }
    }

    private func problem(of name: String, _ message: String) -> PreferenceProblem {
        PreferenceProblem(.unsupportedValue, key: name, store: label, message: message)
    }

    // MARK: - Changes

    private func receiveChange(of name: String) {
        if ownNames.withLock({ $0.contains(name) }) { return }
        access.afterUse { [weak self] in self?.access.observers.notify(.names([name])) }
    }
}

/// The interface of the Objective-C runtime and Key-Value Coding for one object.
package protocol PropertyBackend: Sendable {
    /// The name of the object's class, for messages.
    var className: String { get }

    /// The properties of the class and its superclasses, without those of `NSObject`.
    var names: Set<String> { get }

    /// Returns the declaration of a property; nil for other names than ``names``.
    func declaration(of name: String) -> PropertyDeclaration?

    /// Whether the object has a method, such as `setName:`.
    func responds(to method: String) -> Bool

    /// Returns the object of a property. Ends the program if key-value coding cannot read it.
    func value(of name: String) -> Any?

    /// Sets a property. Ends the program if key-value coding cannot set it, or cannot set it to nil.
    func setValue(_ object: Any?, of name: String)

    /// Calls a handler for each change of a property, on the thread that makes it, even within `setValue`.
    func observe(_ names: Set<String>, _ handler: @escaping @Sendable (_ name: String) -> Void)
        -> PreferenceStoreObservation
}

/// A property as the Objective-C runtime describes it: `T@"NSString",C,N,V_name`.
package struct PropertyDeclaration {
    let name: String
    /// The type in the encoding of `@encode`, such as `q` or `@"NSString"`.
    package let encoding: String
    /// Whether the property is declared as read-only.
    let isReadOnly: Bool

    private let booleansAreCharacters: Bool

    /// - Parameters:
    ///   - name: The name of the property.
    ///   - attributes: The result of `property_getAttributes`. Its parts are separated by commas; the first, which
    ///     alone may contain commas, is the type.
    ///   - booleansAreCharacters: Whether `BOOL` is a `signed char`, as on Macs with Intel processors; by default,
    ///     whether this is such a Mac.
    package init?(name: String, attributes: String, booleansAreCharacters: Bool? = nil) {
        guard attributes.hasPrefix("T") else { return nil }
        var depth = 0
        var isQuoted = false
        let encoding = attributes.dropFirst().prefix { character in
            switch character {
            case "\"": isQuoted.toggle()
            case "{", "(", "[": depth += 1
            case "}", ")", "]": depth -= 1
            default: break
            }
            return character != "," || isQuoted || depth > 0
        }
        self.name = name
        self.booleansAreCharacters = booleansAreCharacters ?? Self.isIntelMac
        self.encoding = String(encoding)
        isReadOnly = attributes.dropFirst(1 + encoding.count).split(separator: ",").contains("R")
    }

    /// Whether the property is a number or a Boolean, which cannot be nil.
    package var isScalar: Bool { !encoding.hasPrefix("@") }

    /// The type of the property; nil if it is not supported.
    var type: ObjectType? {
        switch encoding {
        case "B": .value(Bool.self)
        case "c": booleansAreCharacters ? .booleanOrInt8 : .value(Int8.self)
        case "s": .value(Int16.self)
        // On 64-bit platforms a C `long` is encoded as `q`, and this has 32 bits.
        case "i", "l": .value(Int32.self)
        case "q": .value(Int64.self)
        case "C": .value(UInt8.self)
        case "S": .value(UInt16.self)
        case "I", "L": .value(UInt32.self)
        case "Q": .value(UInt64.self)
        case "f": .value(Float.self)
        case "d": .value(Double.self)
        case "@": .anything
        case _ where encoding.hasPrefix("@\"") && encoding.hasSuffix("\""):
            ObjectType(className: String(encoding.dropFirst(2).dropLast()))
        default: nil
        }
    }

    /// The methods by which key-value coding reads the property. Without any of them, it would search for variables,
    /// and finally raise an exception.
    package var getters: [String] { ["get\(capitalizedName)", name, "is\(capitalizedName)", "_\(name)"] }

    /// The methods by which key-value coding sets the property.
    package var setters: [String] { ["set\(capitalizedName):", "_set\(capitalizedName):"] }

    private var capitalizedName: String { name.prefix(1).uppercased() + name.dropFirst() }

    private static var isIntelMac: Bool {
        #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
            true
        #else
            false
        #endif
    }
}
