import Foundation
import PreferencesRuntime

/// An operation that can be repeated in a process that does nothing else, so that its instructions and allocations can be
/// counted: the difference of two counts leaves out what the process does once.
enum Operation: String, CaseIterable {
    case dictionarySet
    case set
    case setText
    case setNamed
    case setOneOfHundred
    case setInFile
    case setWatched
    case setWatchedByTen
    case update
    case readText
    case readNamed

    /// Repeats the operation.
    func run(count: Int) throws {
        let preferences = Samples.makePreferences()
        let sample = preferences.sample
        switch self {
        case .dictionarySet:
            let dictionary = MutexDictionary()
            for number in 0..<count { dictionary[Peers.count] = number }
        case .set: for number in 0..<count { sample.count = number }
        case .setText: for number in 0..<count { sample.path = number & 1 == 0 ? Samples.path : Samples.otherPath }
        case .setNamed: for number in 0..<count { preferences.set(named: Peers.count, to: number) }
        case .setOneOfHundred:
            for number in 0..<count / 100 {
                try preferences.transaction { preferences in
                    for name in Writes.names { preferences.set(named: name, to: number) }
                }
            }
        case .setInFile:
            let file = FileManager.default.temporaryDirectory.appending(path: "operation-\(UUID().uuidString)")
            let store = FileStore(url: file, durability: .coalesced(milliseconds: 1_000_000))
            let sample = Preferences(store: store).sample
            for number in 0..<count { sample.count = number }
            sample.preferences.resetAllQuietly()
            withExtendedLifetime(store) {}
            try? FileManager.default.removeItem(at: file)
        case .setWatched, .setWatchedByTen:
            let told = Told()
            for _ in 0..<(self == .setWatched ? 1 : 10) { sample.watch(\.count) { told.sum &+= $0.new } }
            for number in 0..<count { sample.count = number }
        case .update: for _ in 0..<count { try sample.update(\.count) { $0 &+= 1 } }
        case .readText: keep(sum(of: count) { sample.code.utf8.count })
        case .readNamed: keep(sum(of: count) { preferences.get(named: Peers.count, default: 0) })
        }
    }
}

extension Preferences {
    /// Leaves a file with nothing but what removing its values takes.
    fileprivate func resetAllQuietly() {
        try? resetAll()
    }
}
