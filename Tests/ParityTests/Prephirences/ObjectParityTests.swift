import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import StoreTestSupport
import Testing

/// An object that encodes its state by a store.
final class ArchivedPlayer: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let volume: Int
    let isMuted: Bool
    let balance: Double
    let titles: [String]

    init(volume: Int, isMuted: Bool, balance: Double, titles: [String]) {
        (self.volume, self.isMuted, self.balance, self.titles) = (volume, isMuted, balance, titles)
    }

    func encode(with coder: NSCoder) {
        let preferences = Preferences(store: CoderStore(encodingInto: coder))
        preferences.set(named: "volume", to: volume)
        preferences.set(named: "isMuted", to: isMuted)
        preferences.set(named: "balance", to: balance)
        preferences.set(named: "titles", to: titles)
        #expect(throws: Never.self) { try preferences.flush() }
    }

    init?(coder: NSCoder) {
        let preferences = Preferences(store: CoderStore(decodingFrom: coder))
        volume = preferences.get(named: "volume", default: 50)
        isMuted = preferences.get(named: "isMuted", default: true)
        balance = preferences.get(named: "balance", default: 1)
        titles = preferences.get(named: "titles", default: [])
    }
}

/// An object that reads the state of an `ArchivedPlayer` without this library.
final class PlainPlayer: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let volume: Int
    let isMuted: Bool
    let balance: Double
    let titles: [String]

    func encode(with coder: NSCoder) {}

    init?(coder: NSCoder) {
        volume = coder.decodeInteger(forKey: "volume")
        isMuted = coder.decodeBool(forKey: "isMuted")
        balance = coder.decodeDouble(forKey: "balance")
        titles = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "titles") as? [String] ?? []
    }
}

@Suite("Prephirences: objects and variables")
struct ObjectParityTests {
    @Test("reflection over a local variable that changes: the change is read")
    func reflection() {
        struct Theme {
            var color = "red"
            var age: Int? = 33
        }
        @Reflected var theme = Theme()
        let preferences = Preferences(store: $theme)
        #expect(preferences.get(named: "color", default: "") == "red")
        #expect($theme.names() == ["color", "age"])
        theme.color = "blue"
        theme.age = nil
        #expect(preferences.get(named: "color", default: "") == "blue")
        #expect(!preferences.isSet(named: "age"))
        #expect($theme.names() == ["color"])
        theme = Theme()
        #expect(preferences.get(named: "age", default: 0) == 33)
    }

    @Test("A value that is replaced may use the variable when it is released")
    func releasedValue() {
        final class Owner: Sendable {
            let atRelease: @Sendable () -> Void
            init(atRelease: @escaping @Sendable () -> Void) { self.atRelease = atRelease }
            deinit { atRelease() }
        }
        struct Theme: Sendable {
            var color = "red"
            var owner: Owner?
        }
        let seen = Recorder<String>()
        @Reflected var theme = Theme()
        let variable = _theme
        theme.owner = Owner { seen.add(variable.wrappedValue.color) }
        theme = Theme(color: "blue")
        #expect(seen.all == ["blue"])
    }

    @Test(
        "NSCoder in init(coder:) and encode(with:): reads and writes; integers readable by plain Foundation calls",
        arguments: [false, true]
    )
    func coder(isSecure: Bool) throws {
        let player = ArchivedPlayer(volume: .max, isMuted: false, balance: 0.25, titles: ["a", "b"])
        let data = try NSKeyedArchiver.archivedData(withRootObject: player, requiringSecureCoding: isSecure)
        let unarchived = try NSKeyedUnarchiver.unarchivedObject(ofClass: ArchivedPlayer.self, from: data)
        let read = try #require(unarchived)
        #expect(read.volume == .max && !read.isMuted && read.balance == 0.25 && read.titles == ["a", "b"])

        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = isSecure
        unarchiver.setClass(PlainPlayer.self, forClassName: NSStringFromClass(ArchivedPlayer.self))
        let object = unarchiver.decodeObject(of: PlainPlayer.self, forKey: NSKeyedArchiveRootObjectKey)
        let plain = try #require(object)
        #expect(plain.volume == .max && !plain.isMuted && plain.balance == 0.25 && plain.titles == ["a", "b"])
    }
}
