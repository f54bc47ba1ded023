import Foundation
import PreferencesRuntime

/// Another process that uses a file, for the tests of ``FileStore``.
@main
enum StoreChild {
    private static let usage = """
        usage: StoreChild set FILE NAME INT          sets a name
               StoreChild increment FILE count COUNT adds one to this key, so many times
               StoreChild transact FILE count COUNT  adds one to this key and others in a transaction, so many times,
                                                     and says each number when it is committed
               StoreChild follow FILE NAME INT       reads it until it is no less; it must never become less

        """

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 4, let number = arguments.last.flatMap({ Int64($0) }) else { exitWithUsage() }
        let words = Array(arguments)
        let store = FileStore(url: URL(filePath: words[1]))
        switch words[0] {
        case "set": try store.apply([words[2]: .set(.int(number))])
        case "increment" where words[2] == "count":
            let preferences = Preferences(store: store)
            for _ in 0..<number { try preferences.update(\.count) { $0 += 1 } }
        case "transact" where words[2] == "count":
            let preferences = Preferences(store: store)
            for _ in 0..<number {
                try preferences.transaction { preferences in
                    preferences.count += 1
                    for name in ["a", "b", "c"] { preferences.set(named: name, to: preferences.count) }
                }
                FileHandle.standardOutput.write(Data("\(preferences.count)\n".utf8))
            }
        case "follow": try follow(words[2], until: number, in: store)
        default: exitWithUsage()
        }
    }

    private static func follow(_ name: String, until end: Int64, in store: FileStore) throws {
        var last: Int64 = 0
        while last < end {
            try store.reload()
            let next = try number(store.value(for: name))
            guard next >= last else { fatalError("\(name) was \(last), and is \(next)") }
            last = next
        }
    }

    private static func number(_ value: PreferenceValue?) throws -> Int64 {
        switch value {
        case nil: 0
        case .int(let number): number
        case let value?: fatalError("this is no number: \(value)")
        }
    }

    private static func exitWithUsage() -> Never {
        FileHandle.standardError.write(Data(usage.utf8))
        exit(2)
    }
}

extension Preferences {
    fileprivate var count: Int {
        get { get("count", default: 0) }
        set { set("count", to: newValue) }
    }
}
