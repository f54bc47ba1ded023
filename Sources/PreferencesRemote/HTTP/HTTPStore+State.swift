import Foundation
import PreferencesRuntime

extension HTTPStore {
    /// What the store knows.
    struct State: Sendable {
        /// Those in force; nil before there are any.
        var values: ServedValues?
        /// That of the values. None where they are to be fetched again, as the cache does not have them.
        var version: ServedVersion?
        /// When the values were fetched.
        var date: Date?
        /// What is wrong with the cache, until it is told.
        var cacheFault: String?
        /// The failure that was told last, until a refresh succeeds.
        var toldFailure: PreferenceProblem?

        init(readFrom copy: ServedCopy?, layout: Layout) {
            do {
                try takeOver(copy?.read(), layout)
            } catch {
                cacheFault = Self.words(error)
            }
        }

        /// - Throws: Where the document is not in its format.
        private mutating func takeOver(_ served: Served?, _ layout: Layout) throws {
            guard let served else { return }
            values = try served.values(in: layout)
            (version, date) = (served.version, served.date)
        }

        /// An error's reason.
        static func words(_ error: any Error) -> String {
            switch error {
            case let problem as PreferenceProblem: problem.message
            case let fault as StoreDocument.Fault: fault.message
            default: String(describing: error)
            }
        }
    }
}
