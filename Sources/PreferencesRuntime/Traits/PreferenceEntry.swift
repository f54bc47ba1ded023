/// Where the value of a key is kept.
struct PreferenceEntry: Hashable, Sendable {
    /// The storage name.
    var name: String
    /// Those that it had before, newest first.
    var formerNames: [String] = []
    /// Whether it is in the secrets store.
    var isSecret = false

    init(_ name: String) {
        self.name = name
    }

    init<Value>(_ name: String, _ traits: [PreferenceTrait<Value>]) {
        self.name = name
        for trait in traits {
            switch trait.kind {
            case .constraint: break
            case .secret: isSecret = true
            case .formerNames(let names): formerNames += names
            }
        }
    }
}

extension PreferenceEntry {
    /// A name in one of the two stores.
    struct Place: Hashable {
        var name: String
        var isAmongSecrets = false
    }

    /// Where the value may be, the place that it belongs to first.
    var places: [Place] {
        // As nearly all are.
        if formerNames.isEmpty { return [Place(name: name, isAmongSecrets: isSecret)] }
        let names = [name] + formerNames
        guard isSecret else { return names.map { Place(name: $0) } }
        // A key that became a secret when it was renamed has its old value among the others.
        return names.map { Place(name: $0, isAmongSecrets: true) } + formerNames.map { Place(name: $0) }
    }
}
