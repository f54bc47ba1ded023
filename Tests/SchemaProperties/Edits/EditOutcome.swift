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
        /// The other names of a key that now reads these names too: a report that keys have become one is about the name
        /// whose value is read after the others.
        var mergedNames: Set<String> = []
        /// The declared types, cases and fields that a report may be about instead: `Level.low`.
        var members: Set<String> = []
        /// Whether a value is read as another one, and not only lost or refused.
        var isMisread = false
        /// Whether that is an older value of the key itself, which was stored under a former name.
        var isOutdated = false
        var text: String
        /// The identities of the key and its types, for their history.
        var identities: [Int] = []

        /// The rules that say that a value is read as another one, or as one without some of its parts.
        private static let rulesOfMisreading: Set<ChangeRule> = [
            .formerNameRemoved, .storageNameReused, .storageNamesMerged, .reservedNameRemoved, .typeChanged,
            .rawValueReused, .storedFieldRemoved, .storedFieldChanged,
        ]

        func isReported(by change: SchemaChange) -> Bool {
            if change.rule == .storageNamesMerged, mergedNames.contains(change.subject) { return true }
            return (names.contains(change.subject) || members.contains(change.subject))
                && (!isMisread || Self.rulesOfMisreading.contains(change.rule)
                    || isOutdated && change.rule == .storageNameRemoved)
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
            losses.append(Loss(names: [name], text: "'\(name)' is not reserved any more"))
        }
    }

    /// Finds the names of a removed key that are not reserved.
    private mutating func findLosses(ofRemoved key: DraftModule.Key) {
        let (old, new) = (fate.old, fate.new)
        let name = old.storageName(of: key)
        // A value that another key reads as its own former name is that key's loss.
        let names = new.reservedNames.union(new.keys.flatMap(\.formerNames).filter { $0 != name })
        let list = ([name] + key.formerNames).filter { !names.contains($0) }
        guard !list.isEmpty else { return }
        let merged = new.keys.map { [new.storageName(of: $0)] + $0.formerNames }.filter { $0.contains(name) }.joined()
        losses.append(
            Loss(
                names: Set(list + [name]),
                mergedNames: Set(merged),
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
        let oldTypes = former.map { old.declaredTypes(in: $0.type) } ?? []
        let types = new.declaredTypes(in: key.type)
        let members = fate.members(of: oldTypes, types)
        let title =
            former.map { "\(describe($0, in: old))\nis now\n\(describe(key, in: new))" }
            ?? "The new key\n\(describe(key, in: new))"
        let ownNames = Set([new.storageName(of: key)] + (former.map { [old.storageName(of: $0)] } ?? []))
        func names(_ key: DraftModule.Key) -> [String] { [old.storageName(of: key)] + key.formerNames }
        /// The names of other keys of the old version.
        let foreignNames = Set(old.keys.filter { $0.identity != key.identity }.flatMap(names))
            .subtracting(former.map(names) ?? [])
        let readNames = ownNames.union(key.formerNames.filter(foreignNames.contains))
        let identities = [key.identity] + Set((oldTypes + types).map(\.identity)).sorted()
        var found: [Loss] = []
        for (file, now) in read.enumerated() {
            let reading =
                "\(now.value), stored as '\(now.source ?? "-")'" + now.problems.map { "; \($0.text)" }.joined()
            var loss = Loss(names: readNames, text: title, identities: identities)
            if let source = now.source { loss.names.insert(source) }
            loss.isMisread = now.source != nil && now.problems.isEmpty
            if let before = written?[file], let source = before.source {
                guard before.problems.isEmpty else { continue }
                guard now.source == nil || !now.problems.isEmpty || !fate.isKept(before.value, now.value) else {
                    continue
                }
                loss.text += "\n  file \(file): \(before.value) was written; now \(reading)"
                loss.names.insert(source)
                loss.isOutdated = now.source != source && former?.formerNames.contains(now.source ?? "") == true
                // A value under the name of another key says nothing about types.
                if !loss.isMisread {
                    loss.members = fate.changedMembers(of: before.value)
                } else if !foreignNames.contains(now.source ?? "") {
                    loss.members = fate.misreadMembers(before.value, now.value)
                }
            } else {
                let sources = [now.source].compactMap(\.self) + now.problems.map { $0.name ?? "" }
                // A key reads the names in its `renamedFrom` on purpose, unless they belong to another key.
                guard !sources.allSatisfy({ key.formerNames.contains($0) && !foreignNames.contains($0) }) else {
                    continue
                }
                loss.text += "\n  file \(file): nothing was written; now \(reading)"
            }
            loss.members.formIntersection(members)
            let isKnown = found.contains {
                $0.names == loss.names && $0.members == loss.members && $0.isMisread == loss.isMisread
                    && $0.isOutdated == loss.isOutdated
            }
            if !isKnown { found.append(loss) }
        }
        losses += found
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
