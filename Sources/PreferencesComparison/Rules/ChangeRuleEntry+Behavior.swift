import PreferencesSchema

extension ChangeRuleEntry {
    static let defaultChanged = ChangeRuleEntry(
        "The default of a key or of a field has changed, on all platforms or on one.",
        "Users who have not set the key get another value.",
        "Keep the default, or tell users.",
        old: #""keys": { "unit": { "type": "String", "default": "celsius" } }"#,
        new: #""keys": { "unit": { "type": "String", "default": "kelvin" } }"#
    )

    static let secretMoved = ChangeRuleEntry(
        "A key has become secret under a new storage name.",
        "Its values are still read, and move to the secrets store when the key is set.",
        "Set the key to its own value once, so that no copy remains in the main store.",
        old: #""keys": { "token": { "type": "String?" } }"#,
        new:
            #""keys": { "token": { "type": "String?", "id": "token2", "renamedFrom": ["token"], "secret": true } }"#
    )

    static let hooksChanged = ChangeRuleEntry(
        "The type with the hooks of a namespace or a file has changed.",
        "Values that are set are processed, and changes are observed, by other code.",
        "Check that values which the former hooks have processed are still valid.",
        old: #""hooks": "WeatherHooks", "keys": { "wind": { "type": "Double?" } }"#,
        new: #""hooks": "WindHooks", "keys": { "wind": { "type": "Double?" } }"#
    )

    static let unitChanged = ChangeRuleEntry(
        "The unit of a key has changed.",
        "Stored numbers mean something else.",
        "Give values of the new unit a key of their own, and convert the others with a migration.",
        old: #""keys": { "distance": { "type": "Double?", "unit": "mi" } }"#,
        new: #""keys": { "distance": { "type": "Double?", "unit": "km" } }"#
    )

    static let managedAdded = ChangeRuleEntry(
        "An administrator can now fix a key.",
        "Values in managed layers, which had no effect, take precedence, and users cannot set such keys.",
        "Tell administrators, and show users which keys are fixed.",
        old: #""keys": { "proxy": { "type": "String?" } }"#,
        new: #""keys": { "proxy": { "type": "String?", "managed": true } }"#
    )

    static let managedRemoved = ChangeRuleEntry(
        "An administrator can no longer fix a key.",
        "Values that administrators have fixed have no effect any more.",
        "Keep the key managed.",
        old: #""keys": { "proxy": { "type": "String?", "managed": true } }"#,
        new: #""keys": { "proxy": { "type": "String?" } }"#
    )

    static let sharingAdded = ChangeRuleEntry(
        "The value of a key, which each machine had for itself, is shared.",
        "All machines of the user or the fleet get one of their values.",
        "Tell users, or share the values under a key of their own.",
        old: #""keys": { "unit": { "type": "String?" } }"#,
        new: #""keys": { "unit": { "type": "String?", "scope": "user" } }"#
    )

    static let mergeChanged = ChangeRuleEntry(
        "The merge rule of a shared key has changed.",
        "Concurrent changes become another value; machines with the former version merge by the former rule.",
        "Keep the rule, or give values that are merged by the new one a key of their own.",
        old: #""keys": { "opened": { "type": "Date?", "scope": "user" } }"#,
        new: #""keys": { "opened": { "type": "Date?", "scope": "user", "merge": "max" } }"#
    )
}
