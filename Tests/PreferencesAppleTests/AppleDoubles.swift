import AppleStoresTestSupport
import Testing

@testable import PreferencesApple
import PreferencesRuntime

private let recordException: @Sendable (String) -> Void = { Issue.record("\($0)") }

extension CloudDouble {
    convenience init() {
        self.init(onException: recordException)
    }

    /// Changes values as another device does that has this library, and tells of it.
    func change(_ batch: [String: PreferenceEdit], reason: Int? = 0, names: [String]?) throws {
        let objects = try batch.mapValues { edit in try edit.value.map { try $0.propertyListObject() } }
        change(objects, reason: reason, names: names)
    }
}

extension PropertyDouble {
    convenience init() {
        self.init(onException: recordException)
    }

    convenience init(_ attributes: [String: String], values: [String: Any] = [:], methods: Set<String>? = nil) {
        self.init(attributes, values: values, methods: methods, onException: recordException)
    }
}

extension ManagedDouble {
    convenience init(
        _ attributes: [String: (UInt, Bool, Bool)]?,
        row: ManagedRowDouble,
        isForOther: Bool = false,
        rule: @escaping @Sendable ([String: Any]) -> [ManagedFault] = { _ in [] }
    ) {
        self.init(attributes, row: row, isForOther: isForOther, rule: rule, onException: recordException)
    }
}
