import PreferencesSystem
import Foundation
import PreferencesRuntime

extension HTTPStore {
    /// Takes over what another process that has the same cache has fetched since. The server is not asked:
    /// ``refresh()`` does that.
    ///
    /// - Throws: ``/PreferencesRuntime/PreferenceProblem`` where the cache cannot be read. Values stay.
    public func reload() throws {
        guard let copy else { return }
        let changed: Set<String> = try replacing.withLock {
            let known = state.withLock { $0.date }
            do {
                guard let served = try copy.read(), known.map({ $0 < served.date }) ?? true else { return [] }
                return putInForce(served, try served.values(in: layout))
            } catch {
                let message = "the cache \(copy.file.path) cannot be read (\(State.words(error))); \(whatStays)"
                throw PreferenceProblem(
                    (error as? PreferenceProblem)?.code ?? .storeMalformed,
                    store: label,
                    message: message
                )
            }
        }
        tell(of: changed)
    }

    /// Has readers given a document that was fetched, and keeps it.
    ///
    /// - Returns: Whether any value is another.
    /// - Throws: Where the document cannot be used, or the task was cancelled.
    func replaceValues(with served: Served) throws -> Bool {
        let values: ServedValues
        do {
            values = try served.values(in: layout)
        } catch {
            throw failure(.storeMalformed, "the answer cannot be read as \(served.format.words): \(error.message)")
        }
        let (changed, isKept) = try replacing.withLock {
            // One that is cancelled may have been overtaken by another.
            try Task.checkCancellation()
            let known = state.withLock { $0.version }
            let changed = putInForce(served, values)
            return (changed, changed.isEmpty && known == served.version)
        }
        // Before anything that takes as long as a disk: `Preferences` remember values until they are told.
        tell(of: changed)
        if let copy, !isKept { keep(served, in: copy) }
        return !changed.isEmpty
    }

    private func keep(_ served: Served, in copy: ServedCopy) {
        let untold = Untold()
        replacing.withLock {
            guard state.withLock({ $0.date }) == served.date else { return }
            do {
                try copy.write(served, tell: observers.isEmpty ? nil : untold.note)
            } catch {
                state.withLock { $0.version = nil }
                untold.note(unkept(error, in: copy))
            }
        }
        for problem in untold.all { tell(of: problem) }
    }

    /// With `replacing` held.
    private func putInForce(_ served: Served, _ values: ServedValues) -> Set<String> {
        let old = state.withLock { $0.values }
        let changed = values.namesChanged(since: old)
        state.withLock { state in
            (state.values, state.version, state.date) = (values, served.version, served.date)
        }
        return changed
    }

    private func tell(of changed: Set<String>) {
        if !changed.isEmpty { observers.notify(.names(changed)) }
    }

    /// Tells of what nobody can be given as an error.
    func tell(of problem: PreferenceProblem) {
        if observers.isEmpty { return ProblemLog.write(problem) }
        observers.notify(.problem(problem))
    }

    private func unkept(_ error: any Error, in copy: ServedCopy) -> PreferenceProblem {
        let cause = error as? PreferenceProblem
        let message =
            "the values are in force, but could not be kept in \(copy.file.path) (\(State.words(error))); "
            + "the next refresh tries it again"
        return PreferenceProblem(cause?.code ?? .storeUnwritable, store: label, message: message)
    }

    /// A refresh that came to nothing.
    func failure(_ code: PreferenceProblem.Code, _ message: String) -> PreferenceProblem {
        PreferenceProblem(code, store: label, message: "\(message); \(whatStays)")
    }

    private var whatStays: String {
        state.withLock { $0.values } == nil
            ? "there are no values from before, so that keys read as their defaults"
            : "the values from before stay in force"
    }
}

/// Problems that are told when no lock is held any more.
private final class Untold: Sendable {
    private let problems = Locked<[PreferenceProblem]>([])

    var all: [PreferenceProblem] { problems.withLock { $0 } }

    @Sendable func note(_ problem: PreferenceProblem) {
        problems.withLock { $0.append(problem) }
    }
}
