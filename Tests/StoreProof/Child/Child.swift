import Foundation

/// What the program does as a child of itself.
enum Child {
    struct UnknownTask: Error {}

    /// - Parameter words: The task, the store's name, the path of a file or folder, and what the task takes besides.
    static func run(_ words: [String]) throws {
        guard words.count >= 3, let store = ProvenStore(rawValue: words[1]) else { throw UnknownTask() }
        let url = URL(filePath: words[2])
        let numbers = words.dropFirst(3).compactMap { Int($0) }
        switch (words[0], numbers.count) {
        case ("write", 4):
            try WritingTask(store, url, keyCount: numbers[0], first: numbers[1], seed: numbers[2]).run(
                endsByItself: numbers[3] == 1
            )
        case ("count", 2): try CountingTask.run(store, url, index: numbers[0], keyCount: numbers[1])
        case ("cases", 4):
            guard let suite = CaseSuite(rawValue: words.last ?? "") else { throw UnknownTask() }
            let form = CaseForm(isLong: numbers[1] == 1, seed: UInt64(numbers[0]))
            try suite.run(store, form, in: url, from: numbers[2], count: numbers[3])
        default: throw UnknownTask()
        }
    }
}
