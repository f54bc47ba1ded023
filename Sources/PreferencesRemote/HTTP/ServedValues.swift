import PreferencesRuntime

/// The values of a document, by the names that they are read under.
struct ServedValues: Sendable {
    typealias Member = Result<PreferenceValue, StoreDocument.Fault>

    private let members: [String: Member]
    private let layout: HTTPStore.Layout

    init(of document: StoreDocument, layout: HTTPStore.Layout) {
        members = document.values
        self.layout = layout
    }

    /// - Throws: Where the value, or an object that it may be in, cannot be read.
    func value(for name: String) throws(StoreDocument.Fault) -> PreferenceValue? {
        try Self.value(for: name, in: layout) { members[$0] }
    }

    private static func value(
        for name: String,
        in layout: HTTPStore.Layout,
        _ member: (String) -> Member?
    ) throws(StoreDocument.Fault) -> PreferenceValue? {
        if let member = member(name) { return try member.get() }
        guard layout == .nested else { return nil }
        // By UTF-8, as a colon is one also where a character follows that joins what is before it.
        for colon in name.utf8.indices.reversed() where name.utf8[colon] == UInt8(ascii: ":") {
            guard case .dictionary(let entries)? = try member(String(name[..<colon]))?.get() else { continue }
            let rest = String(name[name.utf8.index(after: colon)...])
            if let value = try value(for: rest, in: layout, { entries[$0].map { .success($0) } }) { return value }
        }
        return nil
    }

    var names: Set<String> {
        var names = Set(members.keys)
        guard layout == .nested else { return names }
        for (name, member) in members { Self.insertNames(in: try? member.get(), below: name, into: &names) }
        return names
    }

    private static func insertNames(in value: PreferenceValue?, below name: String, into names: inout Set<String>) {
        guard case .dictionary(let entries)? = value else { return }
        for (part, value) in entries {
            names.insert("\(name):\(part)")
            insertNames(in: value, below: "\(name):\(part)", into: &names)
        }
    }

    /// The names that have other values here than in some older ones, or a value in one of them alone.
    func namesChanged(since old: ServedValues?) -> Set<String> {
        var names: Set<String> = []
        let oldMembers = old?.members ?? [:]
        for name in Set(members.keys).union(oldMembers.keys) where members[name] != oldMembers[name] {
            names.insert(name)
            if layout == .flat { continue }
            Self.insertChanges(try? members[name]?.get(), try? oldMembers[name]?.get(), below: name, into: &names)
        }
        return names
    }

    private static func insertChanges(
        _ new: PreferenceValue?,
        _ old: PreferenceValue?,
        below name: String,
        into names: inout Set<String>
    ) {
        let (newEntries, oldEntries) = (new?.entries ?? [:], old?.entries ?? [:])
        for part in Set(newEntries.keys).union(oldEntries.keys) where newEntries[part] != oldEntries[part] {
            names.insert("\(name):\(part)")
            insertChanges(newEntries[part], oldEntries[part], below: "\(name):\(part)", into: &names)
        }
    }
}

extension PreferenceValue {
    /// What a dictionary has in it.
    fileprivate var entries: [String: PreferenceValue]? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries
    }
}
