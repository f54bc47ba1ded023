import PreferencesSchema

/// Compares the behavior of the program with the same values and the same code.
extension Comparer {
    mutating func compareBehavior() {
        var namespacesWithOtherHooks: Set<NamespacePath> = []
        // A namespace can be managed now, and one inside it no longer.
        var namespacesWithOtherManager: [Bool: Set<NamespacePath>] = [:]
        for index in old.keys.indices {
            guard let successor = successors[index] else { continue }
            // A value of another type cannot be the same.
            if !retyped.contains(index) { compareDefaults(of: index, successor) }
            compareUnits(of: index, successor)
            if old.keys[index].key.hooks != new.keys[successor].key.hooks,
                namespacesWithOtherHooks.insert(new.namespace(of: successor).namespacePath).inserted
            {
                reportHooks(of: index, successor, namespacesWithOtherHooks)
            }
            let isManaged = new.keys[successor].key.isManaged
            if old.keys[index].key.isManaged != isManaged {
                reportManaged(index, successor, &namespacesWithOtherManager[isManaged, default: []])
            }
        }
        compareFieldDefaults()
    }

    // MARK: - Defaults

    private mutating func compareDefaults(of oldKey: Int, _ newKey: Int) {
        let (before, now) = (old.keys[oldKey].key, new.keys[newKey].key)
        if before.defaultValue == now.defaultValue, before.type == now.type { return }
        func report(_ field: String..., on platform: String = "") {
            self.report(
                .defaultChanged,
                subject(ofKey: oldKey, newKey),
                at: new.places.place(of: field, in: now.name.place),
                "the default of \(description(ofKey: oldKey, newKey))\(platform) was "
                    + "\(old.defaultText(of: before, at: field)), and is now \(new.defaultText(of: now, at: field))",
                old: [(old.places.place(of: field, in: before.name.place), "the key is here in the old schema")],
                fix: (isAbsorbed(oldKey, by: newKey)
                    ? "give '\(old.keys[oldKey].path)' a key of its own" : "restore the default")
                    + ", or tell users: those who have not set the key get the new one"
            )
        }
        switch (before.defaultValue, now.defaultValue) {
        case (.expression(let first), .expression(let second)):
            if first != second { report("defaultExpression") }
        case (.expression, .value):
            report("default")
        case (.value, .expression):
            report("defaultExpression")
        case (.value(let first, let firstPlatforms), .value(let second, let secondPlatforms)):
            let isChanged = !isSame(first, before.type, second, now.type)
            if isChanged { report("default") }
            for platform in Platform.allCases {
                let own = firstPlatforms.first { $0.platform == platform }?.value
                let other = secondPlatforms.first { $0.platform == platform }?.value
                if own == nil, other == nil { continue }
                if !isSame(own ?? first, before.type, other ?? second, now.type) {
                    report("platformDefaults", platform.rawValue, on: " on \(platform.rawValue)")
                }
            }
        }
    }

    /// Returns whether two defaults are the same value. Cases of enums of the same name are the same if their names or
    /// their raw values are.
    private func isSame(_ first: DefaultValue, _ type: ValueType, _ second: DefaultValue, _ otherType: ValueType)
        -> Bool
    {
        if first == second, type == otherType { return true }
        guard let stored = old.storedForm(of: first, as: type), let other = new.storedForm(of: second, as: otherType)
        else {
            return false
        }
        return stored == other
    }

    private mutating func compareFieldDefaults() {
        for (name, key) in sharedTypes {
            guard let before = old.structure(name), let now = new.structure(name) else { continue }
            let oldFields = Dictionary(before.fields.map { ($0.name.text, $0) }) { first, _ in first }
            for field in now.fields {
                guard let other = oldFields[field.name.text], let value = field.defaultValue,
                    let former = other.defaultValue
                else { continue }
                // A field that is nil, and therefore not stored, gets the new default: a change of stored values.
                if former == DefaultValue.none || isSame(former, other.type, value, field.type) { continue }
                let texts = (
                    old.places.value(["default"], of: other.name.place)?.brief ?? "nil",
                    new.places.value(["default"], of: field.name.place)?.brief ?? "nil"
                )
                report(
                    .defaultChanged,
                    "\(name).\(field.name.text)",
                    at: new.places.place(of: ["default"], in: field.name.place),
                    "the default of field '\(field.name.text)' of '\(name)' was \(texts.0), and is now \(texts.1)",
                    old: [(other.name.place, "the field is here in the old schema")],
                    advice: ["key '\(new.keys[key].path)' stores such values"],
                    fix: "restore the default, or tell users: values without the field get the new one"
                )
            }
        }
    }

    // MARK: - Managed keys

    /// - Parameter reported: The new namespaces of which the change of all keys was reported.
    private mutating func reportManaged(_ oldKey: Int, _ newKey: Int, _ reported: inout Set<NamespacePath>) {
        let now = new.keys[newKey].key
        guard let owner = owner(ofChanged: \.isManaged, inherited: \.isManaged, of: oldKey, newKey, &reported) else {
            return
        }
        report(
            now.isManaged ? .managedAdded : .managedRemoved,
            owner.isNamespace ? owner.path : now.storageName,
            at: new.places.place(of: ["managed"], in: owner.name.place),
            now.isManaged
                ? "an administrator can now fix \(owner.keys): values in managed layers take precedence"
                : "an administrator can no longer fix \(owner.keys): values in managed layers have no effect",
            old: [owner.oldKey],
            fix: now.isManaged
                ? "remove 'managed', or tell administrators" : #"add "managed": true to \#(owner.description)"#
        )
    }

    // MARK: - Units and hooks

    private mutating func compareUnits(of oldKey: Int, _ newKey: Int) {
        let (before, now) = (old.keys[oldKey].key, new.keys[newKey].key)
        // A unit that is added or removed may be documentation alone.
        guard let unit = before.documentation.unit, let other = now.documentation.unit, unit != other else { return }
        report(
            .unitChanged,
            subject(ofKey: oldKey, newKey),
            at: new.place(of: "unit", in: newKey),
            "the unit of \(description(ofKey: oldKey, newKey)) was '\(unit)', and is now '\(other)': stored numbers mean "
                + "something else",
            old: [(old.place(of: "unit", in: oldKey), "the unit is '\(unit)' in the old schema")],
            fix: "give values of the new unit a key of their own, and convert those of the former one with a migration"
        )
    }

    /// Reports the hooks of a namespace at its first key, unless they are those of a namespace around it.
    private mutating func reportHooks(of oldKey: Int, _ newKey: Int, _ reported: Set<NamespacePath>) {
        let (before, now) = (old.keys[oldKey].key.hooks, new.keys[newKey].key.hooks)
        let namespace = new.namespace(of: newKey)
        let path = namespace.namespace.path
        if namespace.namespacePath.isInside(reported) { return }
        let kind = description(ofNamespace: new.keys[newKey].namespace, in: new)
        let oldNamespace = old.namespace(of: oldKey).namespace
        let place = path.last.map { new.places.place(of: ["hooks"], in: $0.place) }
        report(
            .hooksChanged,
            path.isEmpty ? new.schemas[namespace.schema].fileName : namespace.path,
            at: place ?? new.places.place(ofField: "hooks", inSource: new.schemas[namespace.schema].source),
            "the hooks of \(kind) were \(before.hookList), and are now \(now.hookList)",
            old: [
                (
                    oldNamespace.path.last?.place ?? old.keys[oldKey].key.name.place,
                    "the keys are here in the old schema"
                )
            ],
            fix: "restore the 'hooks', or check that values which the former ones processed are still valid"
        )
    }
}

extension [String] {
    fileprivate var hookList: String { isEmpty ? "none" : quotedList }
}

extension ModuleIndex {
    /// Returns a default in messages.
    ///
    /// - Parameter field: The path of the field that differs from the other version, which this one may not have.
    fileprivate func defaultText(of key: Key, at field: [String]) -> String {
        if case .expression(let text) = key.defaultValue { return "'\(text)'" }
        let value = places.value(field, of: key.name.place) ?? places.value(["default"], of: key.name.place)
        // Only an optional key need not have a default.
        return value.map { $0.brief == "null" ? "nil" : $0.brief } ?? "nil"
    }
}
