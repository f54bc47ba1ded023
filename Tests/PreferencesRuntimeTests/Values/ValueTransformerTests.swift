import Testing

@testable import PreferencesRuntime

/// A transformer that adds a number, and refuses everything else, as those of the framework do by returning nil.
private struct Adding: ReversibleTransformer {
    let number: Int
    var allowsReverse = true

    func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 + number } }

    func reverseTransformedValue(_ value: Any?) -> Any? {
        if !allowsReverse { Issue.record("this would raise an exception") }
        return (value as? Int).map { $0 - number }
    }
}

/// Transformations by what is registered with Foundation, over a double of that.
struct ValueTransformerTests {
    @Test("Values are transformed when written, and reversed when read")
    func valuesAreTransformedInBothDirections() throws {
        let adding = PreferenceTransformation<Int, Int>(transformer: "Adding") { Adding(number: 3) }
        #expect(try adding.write(5) == 8)
        #expect(try adding.read(8) == 5)
    }

    @Test("An unregistered transformer is an error")
    func anUnregisteredTransformerIsAnError() {
        let missing = PreferenceTransformation<Int, Int>(transformer: "Missing") { nil }
        let error = PreferenceTransformationError("no value transformer 'Missing' is registered")
        #expect(throws: error) { try missing.write(5) }
        #expect(throws: error) { try missing.read(5) }
    }

    @Test("A transformer without a reverse is not asked for it")
    func aTransformerWithoutAReverseIsNotAskedForIt() {
        let adding = PreferenceTransformation<Int, Int>(transformer: "Adding") {
            Adding(number: 3, allowsReverse: false)
        }
        #expect(
            throws: PreferenceTransformationError(
                "the value transformer 'Adding' does not support the reverse transformation"
            )
        ) {
            try adding.read(5)
        }
    }

    @Test("A result of another type is an error")
    func aResultOfAnotherTypeIsAnError() {
        let adding = PreferenceTransformation<String, Int>(transformer: "Adding") { Adding(number: 3) }
        #expect(throws: PreferenceTransformationError("'Adding' does not return String")) { try adding.write(5) }
        #expect(throws: PreferenceTransformationError("'Adding' does not return Int")) { try adding.read("5") }
    }
}
