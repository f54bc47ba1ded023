import PreferencesRuntime
import PreferencesStoreTesting
import Testing

/// Checks of stores that are right, and of those that are wrong.
struct StoreCheckTests {
    @Test(arguments: StoreCheck.all)
    func aRightStorePasses(check: StoreCheck) throws {
        try check.run(on: .right())
    }

    @Test(
        arguments: [
            .writing, .listing, .persistence, .crashSafety, .exclusiveUpdates, .null, .typedValues, .largeValues,
            .emptyName, .longNames, .controlCharactersInNames, [.writing, .persistence],
            [.null, .typedValues, .largeValues, .emptyName, .longNames, .controlCharactersInNames],
        ] as [PreferenceStoreCapabilities]
    )
    func aStorePassesThatLacksWhatItSays(lacks: PreferenceStoreCapabilities) throws {
        let failing = try StoreCheck.failing { _ in .right(lacks: lacks) }
        #expect(failing.isEmpty, "\(failing.sorted())")
    }

    @Test func aStorePassesThatLacksNullAloneAndKeepsItInArraysAndDictionaries() throws {
        let failing = try StoreCheck.failing { _ in
            let medium = Medium()
            return StoreSubject(
                open: { NullRefusingStore(base: RightStore(medium)) },
                changeFromOutside: medium.edit,
                breakMedium: { medium.setBroken(true) },
                mendMedium: { medium.setBroken(false) }
            )
        }
        #expect(failing.isEmpty, "\(failing.sorted())")
    }

    @Test(arguments: Defect.all)
    func aDefectIsFoundByTheChecksOfItsPromise(defect: Defect) throws {
        let failing = try StoreCheck.failing { .defective(defect, for: $0.name) }
        #expect(failing == defect.failing, "\(failing.sorted())")
    }

    @Test func everyCheckFindsSomeDefect() {
        let found = Defect.all.reduce(into: Set<String>()) { $0.formUnion($1.failing) }
        #expect(found == Set(StoreCheck.all.map(\.name)))
    }

    @Test func noTwoChecksHaveOneName() {
        #expect(Set(StoreCheck.all.map(\.name)).count == StoreCheck.all.count)
    }
}

/// Refuses null as a value of its own.
private struct NullRefusingStore: PreferenceStoreAdapter {
    let base: any PreferenceStore

    var lacks: PreferenceStoreCapabilities { .null }

    func baseValue(of value: PreferenceValue, for name: String) throws -> PreferenceValue {
        guard case .null = value else { return value }
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: "no null")
    }
}
