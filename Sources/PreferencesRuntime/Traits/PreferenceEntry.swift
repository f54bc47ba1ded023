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
