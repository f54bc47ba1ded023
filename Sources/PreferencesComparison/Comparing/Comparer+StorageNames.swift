import PreferencesSchema

/// Which key reads the values that the old version has stored.
extension Comparer {
    mutating func compareStorageNames() {
        var removed: [Int] = []
        var readers: [Int: [Int]] = [:]
        /// The new keys that read the values of another key instead of their own.
        var misreading: Set<Int> = []
        for index in old.keys.indices {
            let name = old.keys[index].key.storageName
            guard let reader = new.reader(of: name) else {
                removed.append(index)
                continue
            }
            if isOtherKey(reader, than: index) {
                reportReuse(of: name, by: reader, oldKey: index)
                misreading.insert(reader)
                continue
            }
            successors[index] = reader
            readers[reader, default: []].append(index)
            compareSecrecy(of: index, reader)
        }
        // A reserved name says that its values are given up, but not that an accessor that still exists loses them.
        removed.removeAll { index in
            guard new.reserved[old.keys[index].key.storageName] != nil else { return false }
            return new.keyAtPath[old.keys[index].path].map(misreading.contains) ?? true
        }
        let merged = readers.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
        for (reader, keys) in merged { reportMerge(of: keys, into: reader) }
        let reported = Set(removed)
        reportRemoved(removed, readers: readers, misreading)
        for index in old.keys.indices {
            compareFormerNames(of: index, replacement: likelySuccessors[index], isRemoved: reported.contains(index))
        }
        compareReservedNames()
    }

    /// Returns whether the new key that reads the values of an old one is another key for its users. Accessors show this:
    /// one that both versions have is the same key, whatever its storage name.
    private func isOtherKey(_ reader: Int, than oldKey: Int) -> Bool {
        if let successor = new.keyAtPath[old.keys[oldKey].path] { return successor != reader }
        // The accessor of the old key is gone, so that the reader has probably replaced it, unless it had a storage name of
        // its own. If it still reads that, too, the keys have become one.
        guard let former = old.keyAtPath[new.keys[reader].path] else { return false }
        let name = old.keys[former].key.storageName
        return name != old.keys[oldKey].key.storageName && new.reader(of: name) != reader
    }

    private mutating func reportReuse(of name: String, by reader: Int, oldKey: Int) {
        let (key, user) = (old.keys[oldKey], new.keys[reader])
        let isFormer = user.key.storageName != name
        report(
            .storageNameReused,
            name,
            at: isFormer
                ? new.place(of: "renamedFrom", in: reader) : new.place(ofStorageNameOf: reader),
            "'\(name)' was the storage name of key '\(key.path)', and now belongs to key '\(user.path)', which reads "
                + "the values of '\(key.path)'",
            old: [(key.key.name.place, "key '\(key.path)' is here in the old schema")],
            fix: new.keyAtPath[key.path].map {
                renaming([name], ofKey: $0) + ", and give '\(user.path)' another storage name"
            } ?? old.keyAtPath[user.path].map { former in
                "store key '\(user.path)' as '\(old.keys[former].key.storageName)' again, and reserve '\(name)' if key "
                    + "'\(key.path)' is gone"
            } ?? "give key '\(user.path)' another storage name"
        )
    }

    private mutating func compareSecrecy(of oldKey: Int, _ newKey: Int) {
        let (before, now) = (old.keys[oldKey], new.keys[newKey])
        guard before.key.isSecret != now.key.isSecret else { return }
        let name = before.key.storageName
        let related = [(before.key.name.place, "the key is here in the old schema")]
        let place = new.place(of: "secret", in: newKey)
        guard now.key.isSecret else {
            report(
                .secretChanged,
                name,
                at: place,
                "key '\(now.path)' is no longer secret: its values stay in the secrets store, where it does not look "
                    + "for them",
                old: related,
                fix: #"add "secret": true to key '\#(now.path)' again"#
            )
            return
        }
        guard now.key.storageName == name else {
            report(
                .secretMoved,
                name,
                at: place,
                "key '\(now.path)' is now secret: values under its former name '\(name)' move to the secrets store "
                    + "when it is set",
                old: related,
                fix: "set the key to its own value once after the update, so that no copy remains in the main store",
                remains: true
            )
            return
        }
        report(
            .secretChanged,
            name,
            at: place,
            "key '\(now.path)' is now secret: its values stay in the main store, where it does not look for them",
            old: related,
            fix: #"move them with the migration step .move("\#(name)", to: "\#(name)", isSecret: true)"#,
            remains: true
        )
    }

    /// - Parameter keys: The old keys whose values one new key reads.
    private mutating func reportMerge(of keys: [Int], into reader: Int) {
        let key = new.keys[reader]
        // The value under the present name takes precedence, then those under the former ones in their order.
        let order = [key.key.storageName] + key.key.formerNames
        let ranks = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        let sorted = keys.sorted { first, second in
            let names = (old.keys[first].key.storageName, old.keys[second].key.storageName)
            return (ranks[names.0] ?? .max, first) < (ranks[names.1] ?? .max, second)
        }
        guard let first = sorted.first else { return }
        for index in sorted.dropFirst() {
            let name = old.keys[index].key.storageName
            // Two keys of a faulty schema can have the same storage name.
            guard name != old.keys[first].key.storageName else { continue }
            report(
                .storageNamesMerged,
                name,
                at: new.place(of: "renamedFrom", in: reader),
                "keys '\(old.keys[first].path)' and '\(old.keys[index].path)' are now one key '\(key.path)': where "
                    + "both are set, the value of '\(name)' is lost",
                old: [(old.keys[index].key.name.place, "key '\(old.keys[index].path)' is here in the old schema")],
                fix: "give the values of '\(name)' a key of their own, or remove the name from 'renamedFrom', and "
                    + reserving([name], ofKey: index).fix
            )
        }
    }

    // MARK: - Names that no key reads

    /// - Parameter misreading: The new keys that read the values of another key instead of their own.
    private mutating func reportRemoved(_ removed: [Int], readers: [Int: [Int]], _ misreading: Set<Int>) {
        if removed.isEmpty { return }
        let renamedNamespaces = renamedNamespaces(of: removed)
        var candidates = SuccessorCandidates(new, taken: Set(readers.keys)) { old.keyStoredAs[$0] != nil }
        for key in renamedNamespaces.values.flatMap(\.keys.values) { candidates.take(key) }
        for index in removed {
            let (path, key) = (old.keys[index].path, old.keys[index].key)
            let isReserved = new.reserved[key.storageName] != nil
            let names =
                [key.storageName] + key.formerNames.filter { new.reader(of: $0) == nil && new.reserved[$0] == nil }
            let successor = new.keyAtPath[path]
            let isMisreading = successor.map(misreading.contains) ?? false
            let keepsAccessor = isReserved || isMisreading
            let renamed = keepsAccessor ? nil : renamedNamespaces[old.keys[index].namespace]
            let sameKey = renamed?.keys[index]
            let candidate =
                keepsAccessor
                ? successor
                : sameKey ?? candidates.takeSuccessor(of: old.keys[index], namespace: old.namespace(of: index).path)
            likelySuccessors[index] = candidate
            let place =
                if let key = successor ?? candidate {
                    new.place(ofStorageNameOf: key)
                } else {
                    placeOfMissing(path, schema: old.namespace(of: index).schema)
                }
            let message =
                if let successor {
                    "key '\(path)' was stored as '\(key.storageName)', and is now stored as "
                        + "'\(new.keys[successor].key.storageName)': its stored values are lost"
                } else {
                    "no key is stored as '\(key.storageName)' any more: the stored values of '\(path)' are lost"
                }
            report(
                .storageNameRemoved,
                key.storageName,
                at: place,
                message,
                old: [(old.place(ofStorageNameOf: index), "key '\(path)' is here in the old schema")],
                fix: isMisreading
                    ? "store key '\(path)' as '\(key.storageName)' again"
                    : sameKey != nil
                        ? renamed?.fix ?? ""
                        : candidate.map {
                            renaming(names, ofKey: $0)
                                + (isReserved ? ", and remove '\(key.storageName)' from 'reserved'" : "")
                        } ?? keepingReserved(names, ofKey: index)
            )
            if candidate == nil, !new.schemas.isEmpty { reserve(reserving(names, ofKey: index)) }
        }
    }

    /// - Parameters:
    ///   - replacement: The new key that has probably replaced a key whose storage name is gone.
    ///   - isRemoved: Whether it was reported that the storage name is gone.
    private mutating func compareFormerNames(of index: Int, replacement: Int?, isRemoved: Bool) {
        let names = old.keys[index].key.formerNames
        if names.isEmpty { return }
        let path = old.keys[index].path
        for name in names {
            let place = old.place(of: "renamedFrom", in: index)
            let related = [(place, "key '\(path)' has this former name in the old schema")]
            if let reader = new.reader(of: name) {
                // A key that reads its own former name loses nothing. That another key replaces it is reported by
                // another rule.
                guard reader != successors[index] ?? replacement, new.keys[reader].path != path else { continue }
                report(
                    .storageNameReused,
                    name,
                    at: new.keys[reader].key.storageName == name
                        ? new.place(ofStorageNameOf: reader) : new.place(of: "renamedFrom", in: reader),
                    "'\(name)' was a former name of key '\(path)', and now belongs to key '\(new.keys[reader].path)', "
                        + "which reads the values of '\(path)' that were not set since",
                    old: related,
                    fix: successors[index].map {
                        renaming([name], ofKey: $0) + ", and give '\(new.keys[reader].path)' another storage name"
                    } ?? "give key '\(new.keys[reader].path)' another storage name"
                )
                continue
            }
            // With the storage name itself, the former ones are part of its report.
            guard new.reserved[name] == nil, !isRemoved else { continue }
            report(
                .formerNameRemoved,
                name,
                at: successors[index].map { new.place(of: "renamedFrom", in: $0) }
                    ?? placeOfMissing(path, schema: old.namespace(of: index).schema),
                "'\(name)' is no longer a former name of key '\(path)': values that were not set since are lost",
                old: related,
                fix: successors[index].map { renaming([name], ofKey: $0) } ?? reserving([name], ofKey: index).fix
            )
            if successors[index] == nil { reserve(reserving([name], ofKey: index)) }
        }
        // Its accessor reads the former names, even if nothing reads its storage name any more.
        if let successor = successors[index] ?? new.keyAtPath[path] {
            compareOrder(ofFormerNames: names, index, successor)
        }
    }

    /// Reports the first former name that another one precedes now.
    private mutating func compareOrder(ofFormerNames names: [String], _ oldKey: Int, _ newKey: Int) {
        let (path, now) = (new.keys[newKey].path, new.keys[newKey].key.formerNames)
        let kept = names.filter(Set(now).contains)
        guard let (name, other) = zip(kept, now.filter(Set(kept).contains)).first(where: { $0 != $1 }) else { return }
        report(
            .formerNameRemoved,
            name,
            at: new.place(of: "renamedFrom", in: newKey),
            "the former name '\(other)' of key '\(path)' is now before '\(name)': where both are set, the value of '\(name)' "
                + "is lost",
            old: [(old.place(of: "renamedFrom", in: oldKey), "the former names are here in the old schema")],
            fix: "put '\(name)' before '\(other)' again: the newest name comes first"
        )
    }

    private mutating func compareReservedNames() {
        for (name, place) in old.reserved.sorted(by: { $0.key < $1.key }) where new.reserved[name] == nil {
            let related = [(place, "it is reserved here in the old schema")]
            if let user = new.keyStoredAs[name] {
                report(
                    .reservedNameRemoved,
                    name,
                    at: new.place(ofStorageNameOf: user),
                    "'\(name)' is no longer reserved: key '\(new.keys[user].path)' reads what an earlier version "
                        + "stored under it",
                    old: related,
                    fix: "reserve the name again, and give key '\(new.keys[user].path)' another storage name"
                )
            } else if new.keyFormerlyStoredAs[name] == nil {
                let file = new.schemas.first.map { new.places.root(ofSource: $0.source) } ?? placeOfNothing
                let reservation = Reservation(target: reservationTarget(ofFileAt: file), names: [name])
                // A key that names it in 'renamedFrom' asks for its values.
                report(
                    .reservedNameRemoved,
                    name,
                    at: file,
                    "'\(name)' is no longer reserved: a key that gets this storage name would read what an earlier "
                        + "version stored under it",
                    old: related,
                    fix: new.schemas.isEmpty ? keeping([name]) : reservation.fix
                )
                if !new.schemas.isEmpty { reserve(reservation) }
            }
        }
    }

    // MARK: - Fixes

    /// Returns the fix that gives former names to a new key.
    private func renaming(_ names: [String], ofKey index: Int) -> String {
        let key = new.keys[index]
        if key.key.formerNames.isEmpty {
            return #"add "renamedFrom": [\#(names.jsonElements)] to key '\#(key.path)'"#
        }
        return "add \(names.jsonElements) to the 'renamedFrom' of key '\(key.path)'"
    }

    /// Returns the fix that reserves the storage names of a key that is gone.
    private func keepingReserved(_ names: [String], ofKey index: Int) -> String {
        new.schemas.isEmpty ? keeping(names) : reserving(names, ofKey: index).fix
    }

    /// Returns the reservation of the storage names of a key that is gone.
    private func reserving(_ names: [String], ofKey index: Int) -> Reservation {
        let namespace = new.namespace(around: old.namespace(of: index).path)
        let prefix = namespace.map { new.namespaces[$0].namespace.ids.map { $0 + ":" }.joined() } ?? ""
        let isLocal = names.allSatisfy { $0.utf8.starts(with: prefix.utf8) && $0.utf8.count > prefix.utf8.count }
        guard let namespace, isLocal, let name = new.namespaces[namespace].namespace.path.last else {
            let file = placeOfMissing(old.keys[index].path, schema: old.namespace(of: index).schema)
            return Reservation(target: reservationTarget(ofFileAt: file), names: names)
        }
        // By bytes, because a colon that is followed by a combining mark is not a `Character` of its own.
        let local = names.map { String(decoding: $0.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) }
        return Reservation(
            target: Reservation.Target(
                name: "namespace '\(new.namespaces[namespace].path)'",
                source: name.place.source,
                hasNames: new.places.value(["reserved"], of: name.place) != nil
            ),
            names: local
        )
    }

    private func reservationTarget(ofFileAt place: Place) -> Reservation.Target {
        Reservation.Target(
            name: "the file",
            source: place.source,
            hasNames: new.places.value(ofField: "reserved", inSource: place.source) != nil
        )
    }

    /// Returns the fix that reserves storage names in a module that has no file any more.
    private func keeping(_ names: [String]) -> String {
        #"keep a file with "formatVersion": 1 and "reserved": [\#(names.jsonElements)]"#
    }

    /// A place for changes of a module without schemas.
    private var placeOfNothing: Place { Place(source: 0, range: 0..<0) }
}

extension ModuleIndex {
    func namespace(of key: Int) -> IndexedNamespace { namespaces[keys[key].namespace] }

    /// Returns the place that determines the last part of a key's storage name.
    func place(ofStorageNameOf key: Int) -> Place {
        keys[key].key.storageNamePlace ?? place(of: "id", in: key)
    }
}

/// The new keys that may be what a removed key has become.
private struct SuccessorCandidates {
    private let new: ModuleIndex
    private var available: Set<Int>
    /// The keys by their own names.
    private var byName: [String: [Int]] = [:]
    /// The keys by namespace and type.
    private var byKind: [Kind: [Int]] = [:]
    private var suggestions = Suggestions()

    private struct Kind: Hashable {
        var namespace: String
        var type: ValueType
    }

    /// Comparing the names of thousands of removed keys with those of many others would take too long.
    private static let maximumCandidates = 50
    private static let maximumComparedKeys = 100
    private var comparedKeys = 0

    /// - Parameters:
    ///   - taken: The keys that read the values of an old key.
    ///   - isKnown: Returns whether the old schemas have a storage name.
    init(_ new: ModuleIndex, taken: Set<Int>, isKnown: (String) -> Bool) {
        self.new = new
        available = Set(new.keys.indices.filter { !taken.contains($0) && !isKnown(new.keys[$0].key.storageName) })
        for index in new.keys.indices where available.contains(index) {
            let key = new.keys[index]
            byName[key.key.name.text, default: []].append(index)
            byKind[Kind(namespace: new.namespace(of: index).path, type: key.key.type), default: []].append(index)
        }
    }

    /// Returns the most likely successor of a key, which is not returned again: the key with the same accessor, one of
    /// the same name and type elsewhere, or one of the same namespace and type with a similar name.
    mutating func takeSuccessor(of old: ModuleIndex.IndexedKey, namespace: String) -> Int? {
        guard let index = successor(of: old, namespace: namespace) else { return nil }
        available.remove(index)
        return index
    }

    /// Removes a key that is known to be what another one has become.
    mutating func take(_ key: Int) { available.remove(key) }

    private mutating func successor(of old: ModuleIndex.IndexedKey, namespace: String) -> Int? {
        func isPossible(_ index: Int) -> Bool {
            // A key that is not secret finds no secret.
            available.contains(index) && (new.keys[index].key.isSecret || !old.key.isSecret)
        }
        if let index = new.keyAtPath[old.path], isPossible(index) { return index }
        let namesakes = byName[old.key.name.text]?.prefix(Self.maximumCandidates) ?? []
        if let index = namesakes.first(where: { isPossible($0) && new.keys[$0].key.type == old.key.type }) {
            return index
        }
        comparedKeys += 1
        guard comparedKeys <= Self.maximumComparedKeys else { return nil }
        let kind = Kind(namespace: namespace, type: old.key.type)
        let similar = (byKind[kind]?.prefix(Self.maximumCandidates) ?? []).filter(isPossible)
        if similar.count == 1 { return similar[0] }
        let names = similar.map { new.keys[$0].key.name.text }
        guard let name = suggestions.nearest(to: old.key.name.text, among: names) else { return nil }
        return similar.first { new.keys[$0].key.name.text == name }
    }
}
