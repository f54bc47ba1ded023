package import PreferencesRuntime
import Synchronization

/// Preferences in the properties of an object, whatever that is.
final class ObjectProperties: WriterExcludingStore {
    let label: String
    let unsupportedCapabilities: PreferenceStoreCapabilities = [
        .persistence, .exclusiveUpdates, .null, .emptyName, .longNames, .controlCharactersInNames,
    ]

    private let backend: any PropertyBackend
    private let access = PreferenceStoreAccess()
    /// What is being set through this store, which tells of it itself.
    private let own = Mutex<Set<String>>([])

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
            backend.observe(readableNames) { [weak self] in self?.note($0) }
        }
    }

    // MARK: - Properties

    private var readableNames: Set<String> { backend.names.filter { readable($0) != nil } }

    /// A property that key-value coding can read, and that is a preference value.
    private func readable(_ name: String) -> (PropertyDeclaration, ObjectType)? {
        guard let declaration = backend.declaration(of: name), let type = declaration.type,
            declaration.getters.contains(where: backend.responds)
        else { return nil }
        return (declaration, type)
    }

    /// - Throws: ``PreferenceProblem``, before anything is changed.
    private func write(_ batch: [String: PreferenceEdit]) throws {
        let properties = try batch.compactMap { name, edit in try change(of: name, by: edit) }
        own.withLock { $0 = Set(batch.keys) }
        defer { own.withLock { $0 = [] } }
        for (name, object) in properties { backend.setValue(object, of: name) }
    }

    /// What is to be set; nil where nothing is, as there is nothing to be removed.
    private func change(of name: String, by edit: PreferenceEdit) throws -> (name: String, object: Any?)? {
        guard let (declaration, type) = readable(name) else {
            if edit == .remove { return nil }
            let kind = "\(backend.className) has no property of this name"
            throw problem(of: name, "\(kind) that is a preference value and that Objective-C can use")
        }
        guard !declaration.isReadOnly, declaration.setters.contains(where: backend.responds) else {
            throw problem(of: name, "this property of \(backend.className) can only be read")
        }
        guard case .set(let value) = edit else {
            guard !declaration.isScalar else {
                let kind = "this property of \(backend.className) is a number or a boolean"
                throw problem(of: name, "\(kind), and is never without a value")
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

    private func note(_ name: String) {
        if own.withLock({ $0.contains(name) }) { return }
        access.afterUse { [weak self] in self?.access.observers.notify(.names([name])) }
    }
}

/// What the Objective-C runtime and key-value coding offer of one object.
package protocol PropertyBackend: Sendable {
    /// The object's class, for people.
    var className: String { get }

    /// The properties of the class and of those that it inherits from, without `NSObject`.
    var names: Set<String> { get }

    /// Nil for what is none of ``names``.
    func declaration(of name: String) -> PropertyDeclaration?

    /// Whether the object has a method: `setName:`.
    func responds(to method: String) -> Bool

    /// Ends the program for a property that key-value coding cannot read.
    func value(of name: String) -> Any?

    /// Ends the program for a property that key-value coding cannot set, and for nil where it takes none.
    func setValue(_ object: Any?, of name: String)

    /// Has a handler told of properties that change, on the threads that change them, also in the midst of `setValue`.
    func observe(_ names: Set<String>, _ handler: @escaping @Sendable (_ name: String) -> Void)
        -> PreferenceStoreObservation
}

/// A property as the Objective-C runtime describes it: `T@"NSString",C,N,V_name`.
package struct PropertyDeclaration {
    let name: String
    /// What it is in the encoding of `@encode`: `q`, `@"NSString"`.
    package let encoding: String
    /// Whether it is declared to be read only.
    let isReadOnly: Bool

    private let booleansAreCharacters: Bool

    /// - Parameters:
    ///   - name: Its name.
    ///   - attributes: What `property_getAttributes` gives. Its parts are separated by commas, and the first, which alone may
    ///     have commas in it, is the type.
    ///   - booleansAreCharacters: Whether `BOOL` is a `signed char`, as on Macs with processors of Intel; by default,
    ///     whether this is one.
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
        self.booleansAreCharacters = booleansAreCharacters ?? Self.isMacOfIntel
        self.encoding = String(encoding)
        isReadOnly = attributes.dropFirst(1 + encoding.count).split(separator: ",").contains("R")
    }

    /// Whether it is a number or a truth value, and never without one.
    package var isScalar: Bool { !encoding.hasPrefix("@") }

    /// What it takes; nil where that is no preference value.
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

    /// The methods that key-value coding looks for to read it. Where an object has none of them it would look for
    /// variables, and raise an exception in the end.
    package var getters: [String] { ["get\(capitalizedName)", name, "is\(capitalizedName)", "_\(name)"] }

    /// The methods that key-value coding looks for to set it.
    package var setters: [String] { ["set\(capitalizedName):", "_set\(capitalizedName):"] }

    private var capitalizedName: String { name.prefix(1).uppercased() + name.dropFirst() }

    private static var isMacOfIntel: Bool {
        #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
            true
        #else
            false
        #endif
    }
}
