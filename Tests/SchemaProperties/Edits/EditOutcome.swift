package import PreferencesComparison
package import PreferencesSchema

/// The losses of stored values after edits, and the changes that the comparison reports.
package struct EditOutcome {
    private let seed: UInt64
    private let fate: ValueFate
    private let history: [Int: [String]]
    /// The reported changes that lose stored values.
    package let changes: [SchemaChange]
    private var losses: [Loss] = []

    private struct Loss {
        /// The storage names under which a report about the loss is expected.
        var names: Set<String>
        /// The declared types that a report may be about instead.
        var types: Set<String>
        var text: String
        /// The identities of the key and its types, for their history.
        var identities: [Int]

        func isReported(by change: SchemaChange) -> Bool {
            names.contains(change.subject) || types.contains(String(change.subject.prefix { $0 != "." }))
        }
    }

    init(
        seed: UInt64,
        fate: ValueFate,
        written: [[AccessorProbe.Observation]],
        read: [[AccessorProbe.Observation]],
        changes: [SchemaChange],
        history: [Int: [String]]
    ) {
        self.seed = seed
        self.fate = fate
        self.history = history
        self.changes = changes.filter { $0.rule.changeClass == .storage }
        let (old, new) = (fate.old, fate.new)
        for (index, key) in new.keys.enumerated() {
            let former = old.keys.firstIndex { $0.identity == key.identity }
            findLosses(of: key, former.map { old.keys[$0] }, former.map { written[$0] }, read[index])
        }
        for key in old.keys where !new.keys.contains(where: { $0.identity == key.identity }) {
            findLosses(ofRemoved: key)
        }
        // A key with such a former name reads what it has been reserved for.
        let protected = new.reservedNames.union(new.keys.flatMap(\.formerNames))
        for name in old.reservedNames.subtracting(protected).sorted() {
            losses.append(Loss(names: [name], types: [], text: "'\(name)' is not reserved any more", identities: []))
        }
    }

    /// Finds the names of a removed key that are not reserved.
    private mutating func findLosses(ofRemoved key: DraftModule.Key) {
        let (old, new) = (fate.old, fate.new)
        let name = old.storageName(of: key)
        let reader = new.keys.first { $0.formerNames.contains(name) }
        var names = new.reservedNames
        if let reader {
            // It may read these values instead of those that it has had itself, but not besides.
            let own = old.keys.first { $0.identity == reader.identity }.map(old.storageName)
            if own.map({ $0 != new.storageName(of: reader) && !reader.formerNames.contains($0) }) ?? true {
                names.insert(name)
            }
        }
        names.formUnion(new.keys.flatMap(\.formerNames).filter { $0 != name })
        let lost = [name] + key.formerNames
        guard !names.isSuperset(of: lost) else { return }
        let list = lost.filter { !names.contains($0) }
        // A key with a former name of its own that takes this one over has become one with it.
        let merged = new.keys.first { new.storageName(of: $0) == name }
        losses.append(
            Loss(
                names: Set(list + [name] + (merged?.formerNames ?? [])),
                types: [],
                text: "\(describe(key, in: old))\nis removed, and not reserved are the names \(list)",
                identities: [key.identity]
            )
        )
    }

    /// Finds what is lost of a key that exists in the new version.
    private mutating func findLosses(
        of key: DraftModule.Key,
        _ former: DraftModule.Key?,
        _ written: [AccessorProbe.Observation]?,
        _ read: [AccessorProbe.Observation]
    ) {
        let (old, new) = (fate.old, fate.new)
        var names: Set = [new.storageName(of: key)]
        var faults: [String] = []
        for (file, now) in read.enumerated() {
            let reading =
                "\(now.value), stored as '\(now.source ?? "-")'" + now.problems.map { "; \($0.text)" }.joined()
            if let before = written?[file], let source = before.source {
                guard before.problems.isEmpty else { continue }
                guard now.source == nil || !now.problems.isEmpty || !fate.isKept(before.value, now.value) else {
                    continue
                }
                faults.append("  file \(file): \(before.value) was written; now \(reading)")
                names.insert(source)
            } else {
                // What `renamedFrom` names is read on purpose.
                let found = [now.source].compactMap(\.self) + now.problems.map { $0.name ?? "" }
                guard !found.allSatisfy(key.formerNames.contains) else { continue }
                faults.append("  file \(file): nothing was written; now \(reading)")
            }
        }
        guard !faults.isEmpty else { return }
        var types = new.declaredTypes(in: key.type)
        var text = describe(key, in: new)
        if let former {
            let name = old.storageName(of: former)
            names.insert(name)
            // Another key may name it as its former name, so that it seems to be the same.
            names.formUnion(new.keys.filter { $0.formerNames.contains(name) }.map(new.storageName))
            types += old.declaredTypes(in: former.type)
            text = describe(former, in: old) + "\nis now\n" + text
        } else {
            text = "The new key\n" + text
        }
        names.formUnion(key.formerNames.filter { name in read.contains { $0.source == name } })
        losses.append(
            Loss(
                names: names,
                types: Set(types.map(\.name)),
                text: ([text] + faults.prefix(5)).joined(separator: "\n"),
                identities: [key.identity] + types.map(\.identity)
            )
        )
    }

    /// The declaration of a key, and those of its types.
    private func describe(_ key: DraftModule.Key, in module: DraftModule) -> String {
        let types = module.declaredTypes(in: key.type).map { "\n    \($0.name): \(module.json(of: $0).text)" }.joined()
        let path = module.path(of: key).joined(separator: ".")
        return "  \(path), stored as '\(module.storageName(of: key))': \(module.json(of: key).text)\(types)"
    }

    // MARK: The judgement

    package var lossCount: Int { losses.count }

    /// The rules without which some loss would not be reported.
    package var neededRules: Set<ChangeRule> {
        Set(
            losses.compactMap { loss in
                let rules = Set(changes.filter(loss.isReported).map(\.rule))
                return rules.count == 1 ? rules.first : nil
            }
        )
    }

    /// The reported changes by which no sampled value was lost.
    package var changesWithoutLoss: [SchemaChange] {
        changes.filter { change in !losses.contains { $0.isReported(by: change) } }
    }

    /// The losses that no rule reports, and the reports about keys and types that have not changed.
    package var complaints: [String] { complaints(about: changes) }

    /// The complaints about a comparison that reports other changes.
    package func complaints(about reported: [SchemaChange]) -> [String] {
        let unreported = losses.filter { loss in !reported.contains(where: loss.isReported) }
        return unreported.map { loss in
            let edits = loss.identities.flatMap { history[$0] ?? [] }.joined(separator: "; ")
            return "seed \(seed): a loss is not reported:\n\(loss.text)\n  edits: \(edits)"
        }
            + reported.filter(isAboutNothing).map { change in
                "seed \(seed): '\(change.subject)' has not changed, but is reported: \(change.message) [\(change.rule.rawValue)]"
            }
    }

    /// Whether a change is about a key or a type that is the same in both versions.
    private func isAboutNothing(_ change: SchemaChange) -> Bool {
        let (old, new) = (fate.old, fate.new)
        func text(_ subject: String, _ module: DraftModule) -> String? {
            if let key = module.keys.first(where: { module.storageName(of: $0) == subject }) {
                return describe(key, in: module)
            }
            let name = String(subject.prefix { $0 != "." })
            return module.type(named: name).map { module.json(of: $0).text }
        }
        guard let before = text(change.subject, old), let after = text(change.subject, new) else { return false }
        return before == after
    }
}
