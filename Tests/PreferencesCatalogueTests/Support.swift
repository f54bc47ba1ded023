import PreferencesCatalogue
import PreferencesRuntime

extension PreferenceKeyDescription {
    /// Creates the description of a key with the path `weather.NAME`, stored as `weather:NAME`.
    static func weather(
        _ name: String,
        _ type: PreferenceType,
        default value: PreferenceValue = .null,
        _ constraints: [PreferenceConstraint] = [],
        isSecret: Bool = false,
        isManageable: Bool = false,
        scope: PreferenceScope = .machine,
        mergeRule: PreferenceMergeRule = .last,
        formerNames: [String] = []
    ) -> PreferenceKeyDescription {
        PreferenceKeyDescription(
            "weather.\(name)",
            storageName: "weather:\(name)",
            type: type,
            default: .value(value),
            constraints: constraints,
            isSecret: isSecret,
            isManageable: isManageable,
            scope: scope,
            mergeRule: mergeRule,
            formerNames: formerNames
        )
    }
}

extension PreferenceType {
    /// The type of the key `unit` in several tests, which the program does not have.
    static let unit = PreferenceType.enumeration(
        .init("Unit", cases: [.init("celsius", rawValue: "celsius"), .init("fahrenheit", rawValue: "F")])
    )
}

/// A store that cannot be read.
struct UnreadableStore: PreferenceStore {
    var label: String { "broken" }

    func value(for name: String) throws -> PreferenceValue? { throw problem }
    func names() throws -> Set<String> { throw problem }

    private var problem: PreferenceProblem {
        PreferenceProblem(.storeUnreadable, store: label, message: "it cannot be read", isMessagePublic: true)
    }
}
