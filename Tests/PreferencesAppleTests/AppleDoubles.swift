import AppleStoresTestSupport
import PreferencesRuntime
import Testing

@testable import PreferencesApple

private let recordException: @Sendable (String) -> Void = { Issue.record("\($0)") }

extension CloudDouble {
    convenience init() {
        self.init(onException: recordException)
    }

    /// Changes values as another device with this library does, and calls the handlers.
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
        isOnWrongThread: Bool = false,
        rule: @escaping @Sendable ([String: Any]) -> [ManagedValidationError] = { _ in [] }
    ) {
        self.init(attributes, row: row, isOnWrongThread: isOnWrongThread, rule: rule, onException: recordException)
    }
}
