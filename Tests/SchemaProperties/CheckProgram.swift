import PreferencesSchema

/// The source of a program that reads and sets all keys of a module, and prints the differences from the expectations.
struct CheckProgram {
    var module: RandomModule

    /// The name of the type that schemas name as their hooks.
    static let hooks = "CheckedHooks"

    /// The file that runs the checks, and those of keys that are visible in the whole module.
    var main: String {
        let places = [nil] + module.hosts.sorted()
        let calls = { (step: String) in places.map { "        \(step)\(Self.suffix($0))(preferences)\n" }.joined() }
        return """
            import Foundation
            import PreferencesCatalogue
            @testable import PreferencesRuntime

            nonisolated enum \(Self.hooks): PreferenceHooks {
                static let additions = AtomicCounter()

                static func addHooks(to preferences: Preferences) { additions.increment() }
            }

            \(RandomTypes.externalSource)
            \(checks(in: nil))

            @main
            nonisolated struct CheckProgram {
                /// `CheckProgram set|read FOLDER`
                static func main() throws {
                    let folder = URL(filePath: CommandLine.arguments[2])
                    let preferences = Preferences(
                        store: FileStore(url: folder.appending(path: "Values.json")),
                        secrets: FileStore(url: folder.appending(path: "Secrets.json"))
                    )
                    if CommandLine.arguments[1] == "set" {
            \(calls("findEntries"))\(calls("readDefaults"))\(calls("setSamples"))            try preferences.flush()
                        expect("\\(\(Self.hooks).additions.value)", "\(hookAdditions)", "number of times that hooks were added")
                    }
            \(calls("readSamples"))\(calls("compareDescriptions"))        }
            }

            \(Self.describe)
            """
    }

    /// The number of times that hooks are added: once if any key is set, since all keys are read before.
    private var hookAdditions: Int { module.hasHooks && module.keys.contains { !$0.isReadOnly } ? 1 : 0 }

    /// The types of a host file, with empty regions.
    func owners(in host: String) -> String {
        module.owners.filter { $0.host == host }.map { owner in
            """
            private nonisolated \(owner.isClass ? "final class" : "struct") \(owner.name): PreferenceAccessors {
                let preferences: Preferences

                init(preferences: Preferences) {
                    self.preferences = preferences
                }

                // preferences:begin \(owner.schema) \(owner.namespace)
                // preferences:end
            }

            """
        }.joined(separator: "\n")
    }

    /// The functions that check the keys that are visible in one file.
    ///
    /// - Parameter host: The host file that sees them alone; nil for the keys that the whole module sees.
    func checks(in host: String?) -> String {
        let keys = module.keys.filter { $0.host == host }
        return function("findEntries", host, keys.map(Self.entryCheck))
            + function("readDefaults", host, keys.map(Self.defaultCheck))
            + function("setSamples", host, keys.filter { !$0.isReadOnly }.map(Self.assignment))
            + function("readSamples", host, keys.map { $0.isReadOnly ? Self.defaultCheck($0) : Self.sampleCheck($0) })
            + function("compareDescriptions", host, keys.compactMap(descriptionCheck))
    }

    private static func suffix(_ host: String?) -> String { host.map { "In\($0.prefix { $0 != "." })" } ?? "" }

    /// A function of statements, deprecated so that it can use deprecated keys.
    private func function(_ name: String, _ host: String?, _ statements: [String]) -> String {
        let name = name + Self.suffix(host)
        // The compiler's time grows with a function's length.
        let parts = stride(from: 0, to: statements.count, by: 20).map {
            statements[$0..<min($0 + 20, statements.count)]
        }
        let functions = parts.enumerated().map { index, part in
            """
            @available(*, deprecated)
            private nonisolated func \(name)\(index)(_ checkedPreferences: Preferences) {
                \(part.joined(separator: "\n    "))
            }

            """
        }
        // A protocol's requirement can be called without a warning that its implementation is deprecated.
        return """
            private nonisolated struct Deprecated\(name): PreferenceCheck {
                @available(*, deprecated)
                func run(_ preferences: Preferences) {
                    \(parts.indices.map { "\(name)\($0)(preferences)" }.joined(separator: "\n        "))
                }
            }

            nonisolated func \(name)(_ preferences: Preferences) {
                let check: any PreferenceCheck = Deprecated\(name)()
                check.run(preferences)
            }

            \(functions.joined(separator: "\n"))

            """
    }

    /// The value that has the accessor, and the path from this value to the key.
    private static func accessor(_ key: RandomModule.Key) -> (owner: String, path: String) {
        if let owner = key.owner, let name = key.path.last {
            return ("\(owner)(preferences: checkedPreferences)", ".`\(name)`")
        }
        return ("checkedPreferences", key.path.map { ".`\($0)`" }.joined())
    }

    private static func entryCheck(_ key: RandomModule.Key) -> String {
        let (owner, path) = accessor(key)
        let names = ([key.storageName] + key.formerNames).map(RandomTypes.literal).joined(separator: ", ")
        let what = RandomTypes.literal("entry of \(key.path.joined(separator: "."))")
        return "expectEntry(of: \\\(path), in: \(owner), [\(names)], isSecret: \(key.isSecret), \(what))"
    }

    /// Compares a key's accessor with a reference to its description; nil if the schema has no catalogue.
    private func descriptionCheck(_ key: RandomModule.Key) -> String? {
        guard let catalogue = module.catalogues[key.schema] else { return nil }
        let (owner, path) = (key.owner ?? "Preferences", Self.accessor(key).path)
        let names = ([key.storageName] + key.formerNames).map(RandomTypes.literal).joined(separator: ", ")
        let description = RandomTypes.literal(
            "\(key.path.joined(separator: ".")), secret: \(key.isSecret), managed: \(key.isManaged), "
                + "scope: \(key.scope), merge: \(key.mergeRule), "
                + "read-only: \(key.isReadOnly), "
                + "deprecated: \(key.isDeprecated), type: \(key.type.swiftName)"
        )
        let isKnown = key.host == nil || key.defaultValue != nil && key.types.isLiteral(key.type)
        return """
            expectDescription(of: \\\(path), in: \(owner).self, { \(key.owner.map { "\($0)(preferences: $0)" } ?? "$0") }, \
            checkedPreferences, PreferenceCatalogue.`\(catalogue)`, [\(names)], \(description), isKnown: \(isKnown))
            """
    }

    private static func defaultCheck(_ key: RandomModule.Key) -> String {
        let text = key.defaultValue.map { key.types.description(of: $0, as: key.type) } ?? key.defaultText
        return check(key, "default", text)
    }

    private static func sampleCheck(_ key: RandomModule.Key) -> String {
        check(key, "value that was set", key.types.description(of: key.sample, as: key.type))
    }

    private static func assignment(_ key: RandomModule.Key) -> String {
        let (owner, path) = accessor(key)
        return "\(owner)\(path) = \(key.types.swift(key.sample, as: key.type))"
    }

    private static func check(_ key: RandomModule.Key, _ what: String, _ text: String) -> String {
        let (owner, path) = accessor(key)
        let name = RandomTypes.literal("\(what) of \(key.path.joined(separator: "."))")
        return "expect(describe(\(owner)\(path)), \(RandomTypes.literal(text)), \(name))"
    }

    private static let describe = #"""
        // Where an optional is expected, the compiler looks up members in `Optional` first.
        nonisolated extension Optional {
            init() { self = nil }
        }

        nonisolated extension Optional where Wrapped == Foundation.Date {
            init(timeIntervalSinceReferenceDate: Foundation.TimeInterval) { self = nil }
        }

        nonisolated extension Optional where Wrapped == Foundation.URL {
            init?(string: Swift.String) { self = nil }
        }

        nonisolated extension Optional where Wrapped == Swift.Duration {
            static func seconds(_ count: Swift.Int) -> Self { nil }
        }

        /// A store that records the scopes of shared keys. Its conformance to `Sendable` is unchecked, since the program
        /// has one thread.
        nonisolated final class CheckedScopes: PreferenceStoreAdapter, @unchecked Sendable {
            let base: any PreferenceStore = MemoryStore()
            var declarations: [String: String] = [:]

            func declareShared(
                _ name: String,
                formerNames: [String],
                scope: PreferenceScope,
                mergeRule: PreferenceMergeRule
            ) {
                declarations[name] = "\(scope) \(mergeRule) \(formerNames)"
            }
        }

        nonisolated protocol PreferenceCheck {
            func run(_ preferences: Preferences)
        }

        nonisolated func expect(_ text: String, _ expected: String, _ what: String) {
            // By scalars, as canonically equivalent strings are equal.
            if !text.unicodeScalars.elementsEqual(expected.unicodeScalars) { Swift.print("\(what): \(text), not \(expected)") }
        }

        /// - Parameter names: The storage name and the former ones.
        nonisolated func expectEntry<Owner: PreferenceAccessors, Value>(
            of key: KeyPath<Owner, Value>, in owner: Owner, _ names: [String], isSecret: Bool, _ what: String
        ) {
            func text(_ names: [String], _ isSecret: Bool) -> String {
                (isSecret ? "secret " : "") + names.map(literal).joined(separator: ", formerly ")
            }
            let entries = owner.entries(of: key).map { text([$0.name] + $0.formerNames, $0.isSecret) }
            expect(entries.joined(separator: " and "), text(names, isSecret), what)
        }

        /// Checks the description of a key, and that a reference to it returns the same value, default and problems as the
        /// accessor, whatever is stored.
        ///
        /// - Parameters:
        ///   - names: The storage name and the former ones.
        ///   - isKnown: Whether the catalogue has the type and the default, which can be private in a host file.
        nonisolated func expectDescription<Owner: PreferenceAccessors, Value>(
            of key: KeyPath<Owner, Value>, in _: Owner.Type, _ owner: (Preferences) -> Owner, _ preferences: Preferences,
            _ catalogue: PreferenceCatalogue, _ names: [String], _ description: String, isKnown: Bool
        ) {
            guard let found = catalogue[storageName: names[0]] else { return Swift.print("no description of \(names[0])") }
            expect(
                "\(found.keyPath), secret: \(found.isSecret), managed: \(found.isManageable), "
                    + "scope: \(found.scope), merge: \(found.mergeRule), "
                    + "read-only: \(found.isReadOnly), "
                    + "deprecated: \(found.deprecation != nil), type: \(found.type)",
                description,
                "description of \(names[0])"
            )
            expect("\([found.storageName] + found.formerNames)", "\(names)", "names of \(names[0])")
            let policy = ManagedStore(MemoryStore(), locks: [names[0]])
            let fixed = Preferences(store: LayeredStore([policy]), secrets: MemoryStore())
            expect("\(owner(fixed).isManaged(key))", "\(found.isManageable)", "isManaged of \(names[0])")
            expect("\(fixed.reference(to: found).isManaged)", "\(found.isManageable)", "managed \(names[0])")
            let scopes = CheckedScopes()
            _ = owner(Preferences(store: scopes, secrets: MemoryStore()))[keyPath: key]
            expect(
                scopes.declarations[names[0]] ?? "machine",
                found.scope == .machine ? "machine" : "\(found.scope) \(found.mergeRule) \(found.formerNames)",
                "scope of \(names[0])"
            )
            guard isKnown else { return }
            func compare(_ preferences: Preferences, _ others: Preferences, _ state: String) {
                let problems = (preferences.problems, others.problems)
                let owner = owner(preferences)
                let reference = others.reference(to: found)
                func expectSame(_ text: String, _ expected: String, _ what: String) {
                    expect(text, expected, "\(what) of the reference to \(names[0]) \(state)")
                }
                let resolution = owner.resolution(of: key)
                expectSame(decoded(reference.value, as: Value.self), describe(owner[keyPath: key]), "value")
                expectSame(decoded(reference.defaultValue, as: Value.self), describe(owner.defaultValue(key)), "default")
                expectSame("\(reference.isSet)", "\(owner.isSet(key))", "isSet")
                // The messages about external types differ.
                let hasMessages = Value.self is any PreferenceConvertible.Type
                expectSame(
                    texts(of: reference.resolution.problems, hasMessages),
                    texts(of: resolution.problems, hasMessages),
                    "problems"
                )
                expectSame("\(reference.resolution.source, default: "-")", "\(resolution.source, default: "-")", "source")
                withExtendedLifetime(problems) {}
            }
            compare(preferences, preferences, "as it was set")
            let values: [PreferenceValue] = [
                .null, .bool(true), .int(-7), .int(3), .int(1_000_000), .double(0.5), .double(1e30), .string(""), .string("7"),
                .string("text that is wrong"), .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 5)), .array([]),
                .array([.null]), .array([.int(1), .int(1)]), .array([.string("a")]), .dictionary([:]), .dictionary(["a": .null]),
                .dictionary(["x": .int(1)]),
            ]
            for value in values {
                for name in names {
                    // Each has its own cache.
                    let both = [0, 1].map { _ in
                        Preferences(store: MemoryStore([name: value]), secrets: MemoryStore([name: value]))
                    }
                    compare(both[0], both[1], "with \(value)")
                }
            }
        }

        /// Describes problems without the default, which the problems of references do not contain, and without the range
        /// of a constraint, whose bounds an accessor checks one by one if they are long.
        nonisolated func texts(of problems: [PreferenceProblem], _ hasMessages: Bool) -> String {
            problems.map { problem in
                let message = hasMessages && problem.code == .typeMismatch ? problem.message : ""
                let end = message.range(of: "; using ")?.lowerBound ?? message.endIndex
                return "\(problem.code.rawValue) of \(problem.key ?? "-") in \(problem.store): \(message[..<end])"
            }.joined(separator: "; ")
        }

        /// Describes a stored value as one of its type.
        nonisolated func decoded<Value>(_ value: PreferenceValue?, as _: Value.Type) -> String {
            guard let value else { return "unknown" }
            do {
                if let type = Value.self as? any PreferenceConvertible.Type {
                    return describe(any: try type.init(preferenceValue: value))
                }
                guard let type = Value.self as? any Decodable.Type else { return "not decodable" }
                return describe(any: try PreferenceValueDecoder().decode(type, from: value))
            } catch {
                return "\(error)"
            }
        }

        nonisolated func describe<Value>(_ value: Value) -> String { describe(any: value as Any) }

        nonisolated func describe(any value: Any) -> String {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional { return mirror.children.first.map { describe(any: $0.value) } ?? "nil" }
            switch value {
            case let value as Bool: return "\(value)"
            case let value as any BinaryInteger: return "\(value)"
            case let value as Float: return "f\(String(value.bitPattern, radix: 16))"
            case let value as Double: return "d\(String(value.bitPattern, radix: 16))"
            case let value as String: return literal(value)
            case let value as Data: return "b\(Array(value))"
            case let value as Date: return "t\(String(value.timeIntervalSinceReferenceDate.bitPattern, radix: 16))"
            case let value as URL: return "u\(value.absoluteString)"
            case let value as UUID: return value.uuidString
            case let value as Duration:
                let (seconds, rest) = value.components
                return "a\(Int128(seconds) * 1_000_000_000_000_000_000 + Int128(rest))"
            case let value as [String: Any]:
                return "{\(value.map { "\(literal($0.key)): \(describe(any: $0.value))" }.sorted().joined(separator: ", "))}"
            default: break
            }
            switch mirror.displayStyle {
            case .enum: return ".\(value)"
            case .collection: return "[\(mirror.children.map { describe(any: $0.value) }.joined(separator: ", "))]"
            case .set: return "{\(mirror.children.map { describe(any: $0.value) }.sorted().joined(separator: ", "))}"
            default:
                return "(\(mirror.children.map { "\($0.label ?? ""): \(describe(any: $0.value))" }.joined(separator: ", ")))"
            }
        }

        nonisolated func literal(_ text: String) -> String {
            "\"" + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case " "..."~": String(scalar)
                default: "\\u{\(String(scalar.value, radix: 16))}"
                }
            }.joined() + "\""
        }

        """#
}
