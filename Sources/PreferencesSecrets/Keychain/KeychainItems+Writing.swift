import Foundation
import PreferencesRuntime

/// A batch has failed, and what was changed before could not be put back.
struct HalfMadeBatch: Error {
    /// With the names in its message.
    let problem: PreferenceProblem
    /// What is another value now, or none.
    let names: Set<String>
}

extension KeychainItems {
    /// What becomes of one item.
    private struct Step {
        let name: String
        let account: String
        /// Nil where it is to be removed.
        let contents: KeychainContents?
    }

    /// - Throws: ``PreferenceProblem`` where all is as it was; ``HalfMadeBatch`` where it is not.
    func write(_ batch: [String: PreferenceEdit]) throws {
        let contents = try batch.mapValues { $0.value }.map { name, value in
            (name, try value.map { try newContents($0, for: name) })
        }
        // What is removed comes last: putting that back takes making it anew.
        let steps = try contents.sorted { ($0.1 == nil ? 1 : 0, $0.0) < ($1.1 == nil ? 1 : 0, $1.0) }
            .flatMap { name, contents in try self.steps(of: name, contents) }
        var done: [(Step, old: KeychainItem?)] = []
        for step in steps {
            do {
                // The last one is not put back, so nobody has to be asked for what it was.
                let old = done.count + 1 < steps.count ? try item(of: step.account) : nil
                try take(step)
                done.append((step, old))
            } catch let failure as KeychainFailure {
                throw putBack(done, after: problem(failure, isReading: false, account: step.name))
            } catch let problem as PreferenceProblem {
                throw putBack(done, after: problem)
            }
        }
    }

    private func steps(of name: String, _ contents: KeychainContents?) throws -> [Step] {
        let accounts = accounts(of: name)
        guard let contents else { return accounts.map { Step(name: name, account: $0, contents: nil) } }
        // An item keeps its account, by which others may know it. That of ASCII has one form.
        let account = accounts.count == 1 ? name : try presentAccount(of: name) ?? name
        return [Step(name: name, account: account, contents: contents)]
    }

    private func newContents(_ value: PreferenceValue, for name: String) throws -> KeychainContents {
        let reason: String
        do {
            let plain = try ValueBytes(value)
            guard let refusal = refusal(of: name) else {
                return contents(plain.bytes, KeychainMarker.mark(of: plain.kind))
            }
            reason = refusal
        } catch {
            reason = String(describing: error)
        }
        throw PreferenceProblem(.unsupportedValue, key: name, store: label, message: reason)
    }

    private func contents(_ data: Data, _ generic: Data?) -> KeychainContents {
        KeychainContents(
            data: data,
            generic: generic,
            label: options.label,
            comment: options.comment,
            protection: KeychainProtection(
                accessibility: options.accessibility,
                constraint: options.authentication?.constraint
            )
        )
    }

    private func take(_ step: Step) throws(KeychainFailure) {
        let query = query(account: step.account)
        guard let contents = step.contents else {
            let status = medium.delete(query)
            if status != .success, status != .itemNotFound { throw KeychainFailure(status) }
            return
        }
        // Others may add or remove it in between.
        for _ in 0..<3 {
            let update = medium.update(query, contents)
            if update == .success { return }
            if update != .itemNotFound { throw KeychainFailure(update) }
            let addition = medium.add(query, contents)
            if addition == .success { return }
            if addition != .duplicateItem { throw KeychainFailure(addition) }
        }
        throw KeychainFailure(.duplicateItem)
    }

    /// Undoes what was done, and gives what is to be thrown.
    private func putBack(_ done: [(step: Step, old: KeychainItem?)], after problem: PreferenceProblem) -> any Error {
        let lost = done.reversed().filter { step, old in
            do {
                try take(Step(name: step.name, account: step.account, contents: old.map { contents(of: $0) }))
                return false
            } catch {
                return true
            }
        }
        guard !lost.isEmpty else { return problem }
        let names = Set(lost.map(\.step.name))
        let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let message = "\(problem.message); but \(list), changed before that, could not be put back"
        return HalfMadeBatch(
            problem: PreferenceProblem(
                problem.code,
                key: problem.key,
                store: problem.store,
                message: message,
                isMessagePublic: problem.isMessagePublic
            ),
            names: names
        )
    }

    /// What an item had. What it asked of a person the keychain does not say, so that is what the options ask.
    private func contents(of item: KeychainItem) -> KeychainContents {
        // One that had no marker must not keep the one that it was given.
        var contents = contents(item.data ?? Data(), item.generic ?? Data())
        contents.label = item.label
        contents.comment = item.comment
        contents.protection.accessibility = item.accessibility ?? options.accessibility
        return contents
    }
}
