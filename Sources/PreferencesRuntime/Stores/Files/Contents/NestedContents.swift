/// Contents whose entries can be objects with entries of their own.
protocol ObjectContents: StoreFileContents {
    /// Creates the contents of an object without entries.
    ///
    /// - Parameter depth: The number of objects around this one in the file.
    init(depth: Int)

    /// Returns the contents of an entry that is an object; nil for any other.
    func object(for name: String) -> Self?

    /// Replaces or adds entries that are objects.
    mutating func setObjects(_ objects: [String: Self]) throws

    /// Returns the line of an entry's value, from 1; nil if there is none, or the format has no lines.
    func line(of name: String) -> Int?

    /// Whether there are neither entries nor comments.
    var isBlank: Bool { get }

    /// - Parameter depth: The number of objects in the file around that of the entry.
    /// - Throws: ``StoreFileValueError`` if the format cannot represent the name or the value.
    static func check(_ name: String, _ value: PreferenceValue, depth: Int) throws
}

extension ObjectContents {
    static func check(_ name: String, _ value: PreferenceValue) throws { try check(name, value, depth: 0) }

    /// These contents in ``FileStore/Layout/nested``.
    static var nested: any StoreFileContents.Type { NestedContents<Self>.self }

    fileprivate func contains(_ name: String) -> Bool {
        // An entry that cannot be read exists.
        guard let value = try? Optional(value(for: name)) else { return true }
        return value != Optional.none
    }
}

/// The contents of a file in ``FileStore/Layout/nested``.
struct NestedContents<Object: ObjectContents>: StoreFileContents {
    private var object: Object
    private let depth: Int
    /// The entries that are objects, with copies of their contents.
    private var members: [String: NestedContents]

    init() {
        self.init(Object(), depth: 0)
    }

    init(parsing bytes: [UInt8]) throws {
        self.init(try Object(parsing: bytes), depth: 0)
    }

    private init(_ object: Object, depth: Int) {
        (self.object, self.depth, members) = (object, depth, [:])
        for name in object.names { updateMember(name) }
    }

    private mutating func updateMember(_ name: String) {
        members[name] = object.object(for: name).map { NestedContents($0, depth: depth + 1) }
    }

    /// Returns the ways to divide a name into that of an object and that of its entry, the longest object's name first.
    private static func divisions(of name: String) -> [(object: String, entry: String)] {
        name.divisionsAtColons.reversed().map { ($0.namespace, $0.rest) }
    }

    // MARK: - Reading

    var names: Set<String> {
        var names = object.names
        for (name, member) in members {
            if member.isEmptyButForComments { names.remove(name) }
            for entry in member.names { names.insert("\(name):\(entry)") }
        }
        return names
    }

    func value(for name: String) throws -> PreferenceValue? {
        // The comments that remain after all its entries were removed do not make an object a value.
        if members[name]?.isEmptyButForComments ?? false { return Optional.none }
        if let value = try object.value(for: name) { return members[name]?.pruned(value) ?? value }
        for division in Self.divisions(of: name) {
            guard let member = members[division.object] else { continue }
            do {
                if let value = try member.value(for: division.entry) { return value }
            } catch var error as StoreFileValueError {
                error.name = name
                error.line = error.line.map { line in line + (object.line(of: division.object) ?? 1) - 1 }
                throw error
            }
        }
        return nil
    }

    /// Whether there are comments, but no values, also in the objects in this one.
    private var isEmptyButForComments: Bool {
        !object.isBlank && object.names.allSatisfy { members[$0]?.isEmptyButForComments ?? false }
    }

    /// Returns the value of this object without the objects in it that have only comments.
    private func pruned(_ value: PreferenceValue) -> PreferenceValue {
        guard case .dictionary(var entries) = value else { return value }
        for (name, member) in members {
            guard let entry = entries[name] else { continue }
            entries[name] = member.isEmptyButForComments ? Optional.none : member.pruned(entry)
        }
        return .dictionary(entries)
    }

    private func contains(_ name: String) -> Bool {
        object.contains(name)
            || Self.divisions(of: name).contains { members[$0.object]?.contains($0.entry) ?? false }
    }

    // MARK: - Writing

    static func check(_ name: String, _ value: PreferenceValue) throws {
        try Object.check(name, value, depth: name.utf8.count { $0 == UInt8(ascii: ":") })
    }

    mutating func apply(_ batch: [String: PreferenceEdit]) throws -> Bool {
        var ownEdits: [String: PreferenceEdit] = [:]
        var memberEdits: [String: [String: PreferenceEdit]] = [:]
        for (name, edit) in batch {
            let divisions = Self.divisions(of: name)
            if edit == .remove {
                // Everywhere: otherwise a value that this one has hidden would appear. An object is removed with its last
                // entry, unless there are comments in it.
                if let entries = members[name]?.object.names, !entries.isEmpty {
                    // Another edit of the batch may set an entry.
                    for entry in entries where memberEdits[name]?[entry] == nil {
                        memberEdits[name, default: [:]][entry] = edit
                    }
                } else if !(members[name]?.isEmptyButForComments ?? false) {
                    ownEdits[name] = edit
                }
                for (object, entry) in divisions where members[object] != nil {
                    memberEdits[object, default: [:]][entry] = edit
                }
            } else if let (object, entry) = place(of: name, divisions) {
                memberEdits[object, default: [:]][entry] = edit
            } else {
                ownEdits[name] = edit
            }
        }
        // An empty dictionary would be equal to an object with only comments.
        let replaced = ownEdits.keys.filter { members[$0]?.isEmptyButForComments ?? false }
        _ = try object.apply(Dictionary(uniqueKeysWithValues: replaced.map { ($0, .remove) }))
        var isChanged = try object.apply(ownEdits)
        for name in ownEdits.keys { updateMember(name) }
        var changedObjects: [String: Object] = [:]
        var removals: [String: PreferenceEdit] = [:]
        for (name, edits) in memberEdits.sorted(by: { $0.key < $1.key }) {
            if members[name] == nil, object.contains(name) {
                // The same batch has set another value under the object's name.
                let flatEdits = edits.map { ("\(name):\($0.key)", $0.value) }
                isChanged = try object.apply(Dictionary(uniqueKeysWithValues: flatEdits)) || isChanged
                for (name, _) in flatEdits { updateMember(name) }
                continue
            }
            var member = members[name] ?? NestedContents(Object(depth: depth + 1), depth: depth + 1)
            guard try member.apply(edits) else { continue }
            isChanged = true
            if member.object.isBlank {
                members[name] = nil
                removals[name] = .remove
            } else {
                members[name] = member
                changedObjects[name] = member.object
            }
        }
        if !removals.isEmpty { _ = try object.apply(removals) }
        if !changedObjects.isEmpty { try object.setObjects(changedObjects) }
        return isChanged
    }

    /// Returns the object that has a name's value, or is to get it, and the name in it; nil if that is this object.
    private func place(
        of name: String,
        _ divisions: [(object: String, entry: String)]
    ) -> (object: String, entry: String)? {
        if divisions.isEmpty || object.contains(name) { return nil }
        let existing = divisions.filter { members[$0.object] != nil }
        if let place = existing.first(where: { members[$0.object]?.contains($0.entry) ?? false }) { return place }
        // A new entry that is a tag would change the meaning of its object.
        let divisions = divisions.filter { !$0.entry.hasPrefix("$") }
        if let place = divisions.first(where: { members[$0.object] != nil }) { return place }
        // A new object, unless its name is that of another value, or it would be taken for the beginning of the names
        // that migrations use (`::version`).
        guard let place = divisions.last, !place.object.isEmpty, !place.entry.isEmpty, !object.contains(place.object)
        else { return nil }
        return place
    }

    func encoded() throws -> [UInt8] { try object.encoded() }
}
