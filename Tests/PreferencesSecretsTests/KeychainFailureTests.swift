import Foundation
import KeychainTestSupport
import PreferencesRuntime
import PreferencesSecrets
import StoreTestSupport
import Testing

/// Errors of the keychain, and their effect on values.
struct KeychainFailureTests {
    private let keychain = KeychainDouble()
    private let query = KeychainQuery(service: "weather")
    private let label = "keychain 'weather'"

    private var store: KeychainItems { KeychainItems(keychain, service: "weather", options: KeychainOptions()) }

    private static let advice: [(status: KeychainStatus, code: PreferenceProblem.Code?, message: String)] = [
        (
            .interactionNotAllowed, .keychainLocked,
            "(status -25308: User interaction is not allowed); the device is locked: try again when it is unlocked, or "
                + "set the value with the accessibility 'afterFirstUnlock'"
        ),
        (
            .authenticationFailed, .authenticationFailed,
            "(status -25293: The user name or passphrase you entered is not correct); the user or the program was "
                + "not authenticated: ask again, or allow the program to use the item in Keychain Access"
        ),
        (
            .userCanceled, .authenticationCancelled,
            "(status -128: User canceled the operation); the user cancelled the authentication: ask again when the value is needed"
        ),
        (
            .missingEntitlement, .missingEntitlement,
            "(status -34018: A required entitlement isn't present); sign the program with the capability Keychain "
                + "Sharing and this access group; a Mac program without it can use the login keychain, with "
                + "'usesDataProtectionKeychain: false'"
        ),
        (
            .invalidParameter, nil,
            "(status -50: One or more parameters passed to a function were not valid); the options exclude each other: "
                + "values in iCloud Keychain cannot be for this device only, nor require authentication"
        ),
        (KeychainStatus(rawValue: -25_291), nil, "(status -25291)"),
    ]

    @Test("Every failure gives its status and advice", arguments: advice.indices)
    func failuresGiveStatusAndAdvice(index: Int) throws {
        let (status, code, message) = Self.advice[index]
        try store.apply(["token": .set("hunter2")])
        keychain.failAll(status)
        func problem(_ operation: String, _ general: PreferenceProblem.Code, _ name: String?) -> PreferenceProblem {
            PreferenceProblem(
                code ?? general,
                key: name,
                store: label,
                message: "\(operation) \(message)",
                status: status.rawValue
            )
        }
        let reading = "the keychain cannot be read"
        let writing = "the keychain was not changed"
        #expect(throws: problem(reading, .storeUnreadable, "token")) { try store.value(for: "token") }
        #expect(throws: problem(reading, .storeUnreadable, "token")) { try store.source(of: "token") }
        #expect(throws: problem(reading, .storeUnreadable, nil)) { try store.names() }
        #expect(throws: problem(writing, .storeUnwritable, "token")) { try store.apply(["token": .set("hunter3")]) }
        #expect(throws: problem(writing, .storeUnwritable, "token")) { try store.apply(["token": .remove]) }
        keychain.failAll(nil)
        #expect(try store.value(for: "token") == "hunter2")
    }

    @Test("A missing item is nil")
    func missingItemIsNil() throws {
        #expect(try store.value(for: "token") == nil)
        #expect(try store.source(of: "token") == nil)
        #expect(try store.names() == [])
    }

    @Test("A failed update loses nothing")
    func failedUpdateLosesNothing() throws {
        try store.apply(["token": .set("old")])
        keychain.forgetCalls()
        keychain.fail("update token", KeychainStatus(rawValue: -25_291))
        #expect(throws: PreferenceProblem.self) { try store.apply(["token": .set("new")]) }
        #expect(keychain.calls == ["update token"])
        #expect(try store.value(for: "token") == "old")
    }

    @Test("A failed addition leaves nothing")
    func failedAdditionLeavesNothing() throws {
        keychain.fail("add token", .interactionNotAllowed)
        #expect(throws: PreferenceProblem.self) { try store.apply(["token": .set("new")]) }
        #expect(try store.value(for: "token") == nil)
    }

    @Test("An item that another program adds at the same time is updated")
    func itemAddedConcurrentlyIsUpdated() throws {
        keychain.before("add token") { $0.put("token", KeychainContents(data: Data("theirs".utf8)), for: .weather) }
        try store.apply(["token": .set("mine")])
        #expect(keychain.calls == ["update token", "add token", "update token"])
        #expect(try store.value(for: "token") == "mine")
    }

    @Test("An item that keeps appearing and disappearing is reported after three attempts")
    func conflictIsReportedAfterThreeAttempts() throws {
        keychain.fail("add token", .duplicateItem, .duplicateItem, .duplicateItem)
        let message =
            "the keychain was not changed (status -25299: The specified item already exists in the keychain); another "
            + "program changes the same item at the same time: try again"
        let problem = PreferenceProblem(
            .storeUnwritable,
            key: "token",
            store: label,
            message: message,
            status: -25_299
        )
        #expect(throws: problem) { try store.apply(["token": .set("mine")]) }
        #expect(keychain.calls.count == 6)
    }
}

extension KeychainQuery {
    fileprivate static let weather = KeychainQuery(service: "weather")
}
