import PreferencesRuntime
import Testing

/// A constraint, with values that keep it and one that breaks it.
struct ConstraintCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is said of the bad value.
    let message: String
    /// The bad value as a store has it.
    let bad: PreferenceValue
    let setBad: @Sendable (Preferences) -> Void
    let throwBad: @Sendable (Preferences) throws -> Void
    /// Sets each good value, and gives whether it is read again.
    let acceptsGood: @Sendable (Preferences) -> [Bool]
    let setGood: @Sendable (Preferences) -> Void
    let readsDefault: @Sendable (Preferences) -> Bool

    /// - Parameter good: What is allowed; the first is the default.
    init<Value: PreferenceConvertible & Equatable>(
        _ name: String,
        _ trait: PreferenceTrait<Value>,
        good: [Value],
        bad: Value,
        _ message: String
    ) {
        testDescription = name
        self.message = message
        self.bad = (try? bad.preferenceValue()) ?? .null
        let home = { @Sendable (preferences: Preferences) in
            Home(preferences: preferences, fallback: good[0], trait: trait)
        }
        setBad = { home($0).value = bad }
        throwBad = { try home($0).set(\.value, to: bad) }
        acceptsGood = { preferences in
            good.map { value in
                home(preferences).value = value
                let isNil = (try? value.preferenceValue()) == .null
                return home(preferences).value == value && home(preferences).isSet(\.value) != isNil
            }
        }
        setGood = { home($0).value = good[0] }
        readsDefault = { home($0).value == good[0] }
    }

    private struct Home<Value: PreferenceConvertible>: PreferenceAccessors {
        let preferences: Preferences
        let fallback: Value
        let trait: PreferenceTrait<Value>

        var value: Value {
            get { get("key", default: fallback, [trait]) }
            nonmutating set { set("key", to: newValue, [trait]) }
        }
    }
}
