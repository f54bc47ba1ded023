import PreferencesSchema

/// Something that is declared: a key, a case of an enum or a field of a struct.
private struct Declared {
    /// Its identity, which edits keep.
    var identity: Int
    /// Its name in Swift.
    var name: String
    /// Its name in stored values.
    var storedName: String
    /// Its former names in stored values.
    var formerNames: [String] = []

    /// Returns what declarations are to their users: code knows them by their names in Swift.
    ///
    /// A declaration that both versions have by name is the same, whatever it reads. One with a new name is the old one
    /// that was stored under its stored name, or under a former one, unless that still exists by its own name.
    ///
    /// - Parameter reserved: The stored names whose values are given up, unless their declarations still exist by name.
    /// - Returns: For each new declaration the identity of the old one, or nil if it is new.
    static func identities(of new: [Declared], in old: [Declared], reserved: Set<String> = []) -> [Int?] {
        let (names, oldNames) = (Set(new.map(\.name)), Set(old.map(\.name)))
        var result: [Int?] = new.map { declared in old.first { $0.name == declared.name }?.identity }
        var claimed = Set(result.compactMap(\.self))
        func claim(_ isSame: (_ new: Declared, _ old: Declared) -> Bool) {
            for (index, declared) in new.enumerated() where result[index] == nil && !oldNames.contains(declared.name) {
                let found = old.first { other in
                    !names.contains(other.name) && !claimed.contains(other.identity) && isSame(declared, other)
                }
                guard let found else { continue }
                claimed.insert(found.identity)
                result[index] = found.identity
            }
        }
        claim { $0.storedName == $1.storedName }
        claim { $0.formerNames.contains($1.storedName) }
        claim { $0.identity == $1.identity && !reserved.contains($1.storedName) }
        return result
    }
}

extension DraftModule {
    /// Gives each declaration the identity that it has in an older version for its users, and another one if it is new.
    mutating func identify(with old: DraftModule) {
        func replace(_ identity: inout Int, with found: Int?) {
            // Identities of the new version alone are negative.
            identity = found ?? -1 - identity
        }
        func declared(_ module: DraftModule) -> [Declared] {
            module.keys.map { key in
                Declared(
                    identity: key.identity,
                    name: module.path(of: key).joined(separator: "."),
                    storedName: module.storageName(of: key),
                    formerNames: key.formerNames
                )
            }
        }
        let found = Declared.identities(of: declared(self), in: declared(old), reserved: reservedNames)
        for index in keys.indices { replace(&keys[index].identity, with: found[index]) }
        for index in types.indices {
            guard let type = old.types.first(where: { $0.identity == types[index].identity }) else { continue }
            switch types[index].contents {
            case .enumeration(var cases):
                let declared = { (cases: [DraftType.Case]) in
                    cases.map { Declared(identity: $0.identity, name: $0.name, storedName: "\($0.rawValue)") }
                }
                let found = Declared.identities(of: declared(cases), in: declared(type.cases))
                for index in cases.indices { replace(&cases[index].identity, with: found[index]) }
                types[index].contents = .enumeration(cases)
            case .structure(var fields):
                let declared = { (fields: [DraftType.Field]) in
                    fields.map { Declared(identity: $0.identity, name: $0.name, storedName: $0.storedName) }
                }
                let found = Declared.identities(of: declared(fields), in: declared(type.fields))
                for index in fields.indices { replace(&fields[index].identity, with: found[index]) }
                types[index].contents = .structure(fields)
            }
        }
    }
}
