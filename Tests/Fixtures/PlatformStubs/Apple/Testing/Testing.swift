// https://developer.apple.com/documentation/testing/test
public struct Test: Sendable {
    // https://developer.apple.com/documentation/testing/test/case
    public struct Case: Sendable {}
}

// https://developer.apple.com/documentation/testing/trait
public protocol Trait: Sendable {}

// https://developer.apple.com/documentation/testing/testtrait
public protocol TestTrait: Trait {}

// https://developer.apple.com/documentation/testing/suitetrait
public protocol SuiteTrait: Trait {
    var isRecursive: Bool { get }
}

// https://developer.apple.com/documentation/testing/testscoping
public protocol TestScoping: Sendable {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws
}
