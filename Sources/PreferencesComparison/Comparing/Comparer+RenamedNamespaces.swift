import PreferencesSchema

/// A namespace whose id has changed, and with it the storage names of its keys.
struct RenamedNamespace {
    /// The new keys with the same ids, by the old ones.
    var keys: [Int: Int]
    /// The fix that restores the id, as an imperative sentence without a full stop.
    var fix: String
}

extension Comparer {
    /// Finding the namespaces of thousands among as many others would take too long.
    private static let maximumCandidates = 50

    /// Returns the namespaces, by their index in the old schemas, of whose keys most are found under the same ids in one
    /// new namespace that differs in one id.
    ///
    /// - Parameter removed: The old keys whose values nothing reads.
    func renamedNamespaces(of removed: [Int]) -> [Int: RenamedNamespace] {
        let known = Set(old.namespaces.flatMap { Self.prefixes(of: $0.namespace.ids) })
        let present = Set(new.namespaces.flatMap { Self.prefixes(of: $0.namespace.ids) })
        var candidates: [DifferingIDs: [Int]] = [:]
        for (index, namespace) in new.namespaces.enumerated() {
            let ids = namespace.namespace.ids
            // A namespace with the id of a former one must keep it.
            for position in ids.indices where !known.contains(Array(ids[...position])) {
                candidates[DifferingIDs(ids, at: position), default: []].append(index)
            }
        }
        if candidates.isEmpty { return [:] }
        let claimed = claimedPrefixes()
        var found: [Int: RenamedNamespace] = [:]
        for (namespace, keys) in Dictionary(grouping: removed, by: { old.keys[$0].namespace }) {
            let ids = old.namespaces[namespace].namespace.ids
            var best: (keys: [Int: Int], namespace: Int, position: Int)?
            for position in ids.indices {
                let former = Array(ids[...position])
                guard !present.contains(former), !claimed.contains(former.map { $0 + ":" }.joined()) else { continue }
                let others = candidates[DifferingIDs(ids, at: position)] ?? []
                for other in others.prefix(Self.maximumCandidates) {
                    let matches = matches(of: keys, from: ids, to: new.namespaces[other].namespace.ids)
                    if matches.count * 2 > keys.count, matches.count > best?.keys.count ?? 0 {
                        best = (matches, other, position)
                    }
                }
            }
            guard let best else { continue }
            let fix = restoringID(ids[best.position], ofNamespace: best.namespace, at: best.position)
            found[namespace] = RenamedNamespace(keys: best.keys, fix: fix)
        }
        return found
    }

    /// The ids of a namespace with a wildcard at one position.
    private struct DifferingIDs: Hashable {
        var before: [String]
        var after: [String]

        init(_ ids: [String], at position: Int) {
            before = Array(ids[..<position])
            after = Array(ids[(position + 1)...])
        }
    }

    /// Returns the beginnings, up to a colon, of the storage names of old keys that are former names of new ones. A key
    /// whose namespace gets back the id in its former name would have that name itself.
    private func claimedPrefixes() -> Set<String> {
        var found: Set<String> = []
        for name in new.keyFormerlyStoredAs.keys where old.keyStoredAs[name] != nil {
            let bytes = Array(name.utf8)
            for index in bytes.indices where bytes[index] == UInt8(ascii: ":") {
                found.insert(String(decoding: bytes[...index], as: UTF8.self))
            }
        }
        return found
    }

    private static func prefixes(of ids: [String]) -> [[String]] { ids.indices.map { Array(ids[...$0]) } }

    /// Returns the new keys of the same type with the same ids in another namespace.
    private func matches(of keys: [Int], from ids: [String], to others: [String]) -> [Int: Int] {
        let (prefix, newPrefix) = (ids.map { $0 + ":" }.joined(), others.map { $0 + ":" }.joined())
        var found: [Int: Int] = [:]
        for index in keys {
            let key = old.keys[index].key
            guard key.storageName.utf8.starts(with: prefix.utf8) else { continue }
            let id = String(decoding: key.storageName.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            guard let other = new.keyStoredAs[newPrefix + id], new.keys[other].key.type == key.type else { continue }
            found[index] = other
        }
        return found
    }

    /// Returns the fix that gives a namespace, or one around it, its former id.
    private func restoringID(_ id: String, ofNamespace index: Int, at position: Int) -> String {
        let names = new.namespaces[index].namespace.path[...position]
        let path = names.map(\.text).joined(separator: ".")
        let hasID = names.last.map { new.places.value(["id"], of: $0.place) != nil } ?? false
        return hasID
            ? #"set the "id" of namespace '\#(path)' to \#(id.jsonLiteral) again"#
            : #"add "id": \#(id.jsonLiteral) to namespace '\#(path)'"#
    }
}
