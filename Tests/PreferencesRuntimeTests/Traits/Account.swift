import Foundation
import PreferencesRuntime

/// Accessors of secrets, in the form of generated code, and of other keys.
struct Account: PreferenceAccessors {
    let preferences: Preferences

    var token: String? {
        get { get("token", default: nil, [.secret]) }
        nonmutating set { set("token", to: newValue, [.secret]) }
    }

    var hint: String? {
        get { get("hint", default: "none", [.secret]) }
        nonmutating set { set("hint", to: newValue, default: "none", [.secret]) }
    }

    var pin: Int {
        get { get("pin", default: 0, [.range(0...9999), .secret]) }
        nonmutating set { set("pin", to: newValue, [.range(0...9999), .secret]) }
    }

    var answers: [String: String] {
        get { get("answers", default: [:], [.eachValue(.length(...3)), .secret]) }
        nonmutating set { set("answers", to: newValue, [.eachValue(.length(...3)), .secret]) }
    }

    var locale: Locale? {
        get { get(codable: "locale", default: nil, [.secret]) }
        nonmutating set { set(codable: "locale", to: newValue, [.secret]) }
    }

    var stubborn: Stubborn {
        get { get("stubborn", default: Stubborn(), [.secret]) }
        nonmutating set { set("stubborn", to: newValue, [.secret]) }
    }

    var name: String {
        get { get("name", default: "") }
        nonmutating set { set("name", to: newValue) }
    }

    var summary: String { "\(name) \(token ?? "")" }
}

/// A type that cannot be encoded, and whose error contains a secret.
struct Stubborn: PreferenceConvertible {
    struct Refusal: Error, CustomStringConvertible {
        let description = "hunter2 is not for you"
    }

    init() {}

    init(preferenceValue: PreferenceValue) throws { throw Refusal() }

    func preferenceValue() throws -> PreferenceValue { throw Refusal() }
}
