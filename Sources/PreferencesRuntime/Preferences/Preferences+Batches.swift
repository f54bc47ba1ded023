/// Changes of entries as batches of the stores.
extension Preferences {
    /// Makes changes: of one store all or none.
    func commit(_ edits: [PreferenceEntry: PreferenceEdit]) throws(PreferenceProblem) {
        var batch: [String: PreferenceEdit] = [:]
        var secretBatch: [String: PreferenceEdit] = [:]
        var named: [String: PreferenceEdit] = [:]
        var namedSecrets: [String: PreferenceEdit] = [:]
        for (entry, edit) in edits {
            for name in entry.formerNames { batch[name] = .remove }
            if entry.isSecret {
                for name in entry.formerNames { secretBatch[name] = .remove }
                secretBatch[entry.name] = edit
                namedSecrets[entry.name] = edit
            } else {
                batch[entry.name] = edit
                named[entry.name] = edit
            }
        }
        // Secrets first: what they replace elsewhere is removed only when they are kept.
        if !secretBatch.isEmpty, let secrets {
            try apply(secretBatch, to: secrets, isAmongSecrets: true) { error in
                PreferenceProblem(
                    writing: namedSecrets,
                    failed: PreferenceProblem.withoutContents(
                        error,
                        ofValue: "its value, which is secret, cannot be kept there"
                    ),
                    in: secrets
                )
            }
        }
        guard !batch.isEmpty else { return }
        try apply(batch, to: store, isAmongSecrets: false) { error in
            named.isEmpty
                ? PreferenceProblem(removing: Array(batch.keys), of: Array(namedSecrets.keys), failed: error, in: store)
                : PreferenceProblem(writing: named, failed: error, in: store)
        }
    }

    private func apply(
        _ batch: [String: PreferenceEdit],
        to store: any PreferenceStore,
        isAmongSecrets: Bool,
        problem: (any Error) -> PreferenceProblem
    ) throws(PreferenceProblem) {
        func noteChanged() {
            for name in batch.keys {
                reporter.noteChanged(ProblemSubject(key: name, isAmongSecrets: isAmongSecrets))
            }
        }
        do {
            try store.apply(batch)
        } catch {
            let problem = problem(error)
            if problem.code == .notDurable { noteChanged() }
            throw problem
        }
        noteChanged()
    }
}
