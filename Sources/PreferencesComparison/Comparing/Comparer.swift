import PreferencesSchema

/// Compares the schemas of a module, and collects the changes.
struct Comparer {
    let old: ModuleIndex
    let new: ModuleIndex
    private(set) var changes: [SchemaChange] = []
    /// For each key of the old schemas, the one of the new schemas that reads its values; nil if none does.
    var successors: [Int?]
    /// The new keys that have probably replaced old keys whose values nothing reads.
    var likelySuccessors: [Int: Int] = [:]
    /// The names that the fixes of changes reserve.
    private var reservations: [(change: Int, reservation: Reservation)] = []
    /// The declared types whose stored values both versions read, with the index of the first new key that does, in the
    /// order in which they are found.
    var sharedTypes: [(name: String, key: Int)] = []
    var sharedTypeNames: Set<String> = []
    /// The raw values of such enums that may be stored, with the index of the first new key that reads them.
    var storedCases: [String: [StoredForm: Int]] = [:]
    /// The old keys of which some values are not read as the same values because of the type.
    var retyped: Set<Int> = []
    /// The old schemas whose access level is wider than that of the new file of the same name.
    var narrowedFiles: Set<Int> = []

    init(from old: SchemaSet, to new: SchemaSet) {
        self.old = ModuleIndex(old)
        self.new = ModuleIndex(new)
        successors = Array(repeating: nil, count: self.old.keys.count)
    }

    mutating func compare() {
        compareStorageNames()
        joinReservations()
        compareValues()
        compareStoredTypes()
        compareAccessors()
        compareBehavior()
        compareSharing()
    }

    /// - Parameters:
    ///   - place: The place in the new schemas.
    ///   - related: Places in the old schemas, with notes about them.
    ///   - advice: Notes without a place of their own.
    ///   - remains: Whether the change is still reported after the fix, which is outside of the schema. Default: false.
    mutating func report(
        _ rule: ChangeRule,
        _ subject: String,
        at place: Place,
        _ message: String,
        old related: [(place: Place, message: String)] = [],
        advice: [String] = [],
        fix: String,
        remains: Bool = false
    ) {
        let (path, position) = new.places.position(of: place)
        var notes = related.map { note in
            let (path, position) = old.places.position(of: note.place)
            return Diagnostic.Note(path: path, position: position, message: note.message)
        }
        notes += advice.map { Diagnostic.Note(path: path, position: position, message: $0) }
        changes.append(
            SchemaChange(
                rule: rule,
                subject: subject,
                path: path,
                position: position,
                message: Diagnostic.text(message),
                notes: notes,
                fix: Diagnostic.text(fix),
                remainsAfterFix: remains
            )
        )
    }

    // MARK: - Reserved names

    /// Makes a reservation the fix of the last change. The fixes of all changes with the same target have all names,
    /// because a second 'reserved' would be a duplicate member.
    mutating func reserve(_ reservation: Reservation) {
        reservations.append((changes.count - 1, reservation))
    }

    private mutating func joinReservations() {
        let groups = Dictionary(grouping: reservations) { $0.reservation.target }
        for group in groups.values where group.count > 1 {
            var names: [String] = []
            var seen: Set<String> = []
            for name in group.flatMap(\.reservation.names) where seen.insert(name).inserted { names.append(name) }
            // One text for all: thousands of keys can be gone.
            let fix = Diagnostic.text(Reservation(target: group[0].reservation.target, names: names).fix)
            for (change, _) in group { changes[change].fix = fix }
        }
    }

    /// Returns the place in the new schemas that corresponds to a declaration that is gone: the namespace around it, or
    /// its file.
    ///
    /// - Parameters:
    ///   - path: The dotted path of a key or a namespace.
    ///   - schema: The index of its schema in the old ones.
    func placeOfMissing(_ path: String, schema: Int) -> Place {
        if let index = new.namespace(around: path), let name = new.namespaces[index].namespace.path.last {
            return name.place
        }
        return placeOfFile(schema)
    }

    /// Returns the place of the file that replaces one of the old schemas.
    func placeOfFile(_ schema: Int) -> Place {
        let name = old.schemas[schema].fileName
        let source = (new.schemas.first { $0.fileName == name } ?? new.schemas.first)?.source ?? 0
        return new.places.root(ofSource: source)
    }
}

extension Comparer {
    /// Describes an old key and the new one that reads its values.
    func description(ofKey oldKey: Int, _ newKey: Int) -> String {
        let (path, newPath) = (old.keys[oldKey].path, new.keys[newKey].path)
        return path == newPath ? "key '\(path)'" : "key '\(path)', now '\(newPath)',"
    }

    /// Returns the subject of changes of an old key and the new one that reads its values: the storage name of the new key.
    /// If that is what another old key has become, it is the storage name of the old key, so that the changes of both are
    /// accepted apart.
    func subject(ofKey oldKey: Int, _ newKey: Int) -> String {
        isAbsorbed(oldKey, by: newKey) ? old.keys[oldKey].key.storageName : new.keys[newKey].key.storageName
    }

    /// Returns whether the new key is what another old key has become.
    func isAbsorbed(_ oldKey: Int, by newKey: Int) -> Bool {
        old.keyAtPath[new.keys[newKey].path].map { $0 != oldKey && successors[$0] == newKey } ?? false
    }

    /// Describes a namespace, or the file for the root.
    func description(ofNamespace index: Int, in module: ModuleIndex) -> String {
        let namespace = module.namespaces[index]
        return namespace.path.isEmpty
            ? "'\(module.schemas[namespace.schema].fileName)'" : "namespace '\(namespace.path)'"
    }
}

/// Names to add to the `reserved` of a namespace or a file.
struct Reservation {
    struct Target: Hashable {
        /// The namespace, or the file, in messages.
        var name: String
        /// The source of the file.
        var source: Int
        /// Whether it has a `reserved`.
        var hasNames: Bool
    }

    var target: Target
    /// The names, without the ids of the target.
    var names: [String]

    /// The fix, as an imperative sentence without a full stop.
    var fix: String {
        target.hasNames
            ? "add \(names.jsonElements) to the 'reserved' of \(target.name)"
            : #"add "reserved": [\#(names.jsonElements)] to \#(target.name)"#
    }
}

extension Sequence<String> {
    /// The texts as elements of a JSON array: `"a", "b"`.
    var jsonElements: String { map(\.jsonLiteral).joined(separator: ", ") }
}
