import PreferencesSchema

/// Something that is declared: a key, a case of an enum or a field of a struct.
struct Declared {
    /// Its identity, which edits keep.
    var identity: Int
    /// Its name in Swift.
    var name: String
    /// Its name in stored values.
    var storedName: String
    /// Its former names in stored values.
    var formerNames: [String] = []

    /// Returns the identities of declarations as far as the texts of two versions show them.
    ///
    /// Edits can make texts that others make, too. If two keys exchange all their names, nothing has changed; if one is
    /// removed and another takes its stored name, then this name was only renamed in Swift.
    ///
    /// - Returns: For each new declaration the identity of the old one, or nil if it is new.
    static func identities(of new: [Declared], in old: [Declared]) -> [Int?] {
        var result: [Int?] = new.map { _ in nil }
        var claimed: Set<Int> = []
        func claim(_ choose: (Declared) -> Declared?) {
            for (index, declared) in new.enumerated() where result[index] == nil {
                guard let chosen = choose(declared), claimed.insert(chosen.identity).inserted else { continue }
                result[index] = chosen.identity
            }
        }
        func own(_ declared: Declared) -> Declared? { old.first { $0.identity == declared.identity } }
        func namesake(_ declared: Declared) -> Declared? { old.first { $0.storedName == declared.storedName } }
        claim { declared in old.first { $0.name == declared.name && $0.storedName == declared.storedName } }
        claim { declared in own(declared).flatMap { $0.storedName == declared.storedName ? $0 : nil } }
        claim { declared in own(declared).flatMap { $0.name == declared.name ? $0 : nil } }
        claim { declared in own(declared).flatMap { declared.formerNames.contains($0.storedName) ? $0 : nil } }
        claim { declared in namesake(declared) }
        claim { declared in own(declared) }
        return result
    }
}

extension DraftModule {
    /// Gives everything that the texts show to be the same as in an older version the identity that it has there.
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
        let found = Declared.identities(of: declared(self), in: declared(old))
        for index in keys.indices {
            var identity = found[index]
            if identity == nil {
                // A new key with the former name of a removed one.
                let former = old.keys.first { key in
                    !found.contains(key.identity) && keys[index].formerNames.contains(old.storageName(of: key))
                }
                if let former, !keys[..<index].contains(where: { $0.identity == former.identity }) {
                    identity = former.identity
                }
            }
            replace(&keys[index].identity, with: identity)
        }
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
