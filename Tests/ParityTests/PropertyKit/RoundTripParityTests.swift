import Foundation
import PreferencesRuntime
import StoreTestSupport
import TestSupport
import Testing

@Suite("PropertyKit: round trips")
struct RoundTripParityTests {
    /// Sets a value, and reads it again from the file.
    private func roundTrip<Value: PreferenceConvertible>(_ value: Value, _ empty: Value) throws -> Value {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let preferences = Preferences(store: FileStore(url: url))
            preferences.set(named: "value", to: value)
            try preferences.flush()
            return Preferences(store: FileStore(url: url)).get(named: "value", default: empty)
        }
    }

    @Test("round trips: 123, Float 123.1, Double 123.1, \"a string\", true, Date(), [1,2,3,4], a person with a child")
    func roundTrips() throws {
        #expect(try roundTrip(123, 0) == 123)
        #expect(try roundTrip(123.1 as Float, 0) == 123.1)
        #expect(try roundTrip(123.1 as Double, 0) == 123.1)
        #expect(try roundTrip("a string", "") == "a string")
        #expect(try roundTrip(true, false))
        let now = Date()
        #expect(try roundTrip(now, .distantPast) == now)
        #expect(try roundTrip([1, 2, 3, 4], []) == [1, 2, 3, 4])
        let person = Person(name: "Ada", child: Person.Child(name: "Byron", age: 9))
        #expect(try roundTrip(person, Person(name: "")) == person)
    }

    /// Cannot be encoded.
    private struct Refusing: Codable, Equatable, PreferenceConvertible {
        struct Refusal: Error, CustomStringConvertible {
            let description = "refused"
        }

        var number = 1

        func encode(to encoder: any Encoder) throws {
            if number < 0 { throw Refusal() }
            try number.encode(to: encoder)
        }

        init(number: Int) { self.number = number }
        init(from decoder: any Decoder) throws { number = try Int(from: decoder) }
    }

    @Test("round trips: encoding errors are not swallowed")
    func encodingErrors() async {
        let preferences = Preferences.inMemory()
        preferences.set(named: "value", to: Refusing(number: 2))
        preferences.set(named: "value", to: Refusing(number: -1))
        #expect(preferences.get(named: "value", default: Refusing(number: 0)) == Refusing(number: 2))
        let problem = await preferences.firstProblem()
        #expect(problem?.description == "memory: 'value': this Refusing cannot be stored: refused; it was not set")
    }
}
