import PreferencesRuntime

extension StoreCheck {
    static let persistence: [StoreCheck] = [
        StoreCheck("another store over the backend reads flushed changes", needs: .persistence) { trial in
            _ = try trial.change(["a": .set("1"), "b": .set("2")])
            try trial.expectInAnotherStore(exactly: ["a": "1", "b": "2"])
            _ = try trial.change(["a": .remove, "b": .set("3")])
            try trial.expectInAnotherStore(exactly: ["b": "3"])
        },

        StoreCheck("reloading preserves applied changes", needs: .writing) { trial in
            try trial.store.apply(["a": .set("1"), "b": .set("2")])
            try trial.store.reload()
            try trial.expect(exactly: ["a": "1", "b": "2"], "after reload()")
            try trial.store.flush()
            try trial.store.reload()
            try trial.expect(exactly: ["a": "1", "b": "2"], "after flush() and reload()")
        },

        StoreCheck("flushing succeeds twice, and without changes") { trial in
            try trial.store.flush()
            let changedStore = try trial.change(["a": .set("1")])
            try changedStore.flush()
            try changedStore.flush()
            try trial.expect(exactly: ["a": "1"], in: changedStore, "after flush()")
        },
    ]
}

extension StoreCheck {
    static let externalChanges: [StoreCheck] = [
        StoreCheck("observers are notified of external changes, and read the new values", needs: .persistence) {
            trial in
            guard trial.store.notifiesAllChanges else { return }
            let changedStore = try trial.change(["replaced": .set("old"), "removed": .set("old")])
            try changedStore.flush()
            let recorder = NotificationRecorder(of: changedStore, reading: ["replaced", "removed", "added"])
            let observation = changedStore.observe(recorder.record)
            defer { observation.cancel() }
            try trial.expect("old", under: "replaced", in: changedStore)
            recorder.removeAll()
            try trial.changeExternally(["replaced": .set("new"), "removed": .remove, "added": .set("new")])
            let expected: [String: PreferenceValue?] = ["replaced": "new", "removed": nil, "added": "new"]
            let isNotified = recorder.wait(timeout: trial.subject.timeout) { calls in
                calls.notify(of: Set(expected.keys)) && calls.last?.found == expected
            }
            if isNotified { return }
            let found =
                recorder.all.last?.found.sorted { $0.key < $1.key }.map { "\($1.summary) under \($0.quoted)" } ?? []
            let read = found.isEmpty ? "" : ", and read \(found.joined(separator: ", "))"
            throw ExpectationFailure(
                "expected to be notified of \"added\", \"removed\", \"replaced\" within \(trial.subject.timeout), and to read "
                    + "\"new\", nothing, \"new\" when notified; was notified of \(recorder.all.summary)\(read)"
            )
        },

        StoreCheck("external changes are read after reload", needs: .persistence) { trial in
            let changedStore = try trial.change(["replaced": .set("old"), "removed": .set("old")])
            try changedStore.flush()
            try trial.expect(exactly: ["replaced": "old", "removed": "old"], in: changedStore)
            let batch: [String: PreferenceEdit] = ["replaced": .set("new"), "removed": .remove, "added": .set("new")]
            // Another store makes the change if nothing else can.
            if trial.subject.changeExternally != nil || trial.isUnsupported(.writing) {
                try trial.changeExternally(batch)
            } else {
                let other = try trial.reopened()
                try other.apply(PreferenceBatch(batch))
                try other.flush()
            }
            try changedStore.reload()
            try trial.expect(exactly: ["replaced": "new", "added": "new"], in: changedStore, "after reload()")
        },

        StoreCheck("a batch preserves external changes of other names", needs: [.writing, .persistence]) { trial in
            try trial.store.apply(["a": .set("1"), "b": .set("2")])
            let other = try trial.reopened()
            try trial.expect(exactly: ["a": "1", "b": "2"], in: other)
            try trial.store.apply(["a": .set("3")])
            try trial.store.flush()
            try other.apply(["c": .set("4")])
            try other.flush()
            let all: [String: PreferenceValue] = ["a": "3", "b": "2", "c": "4"]
            try trial.expectInAnotherStore(exactly: all)
            try other.reload()
            try trial.expect(exactly: all, in: other, "after reload()")
        },
    ]
}

extension StoreCheck {
    static let backendFailures: [StoreCheck] = [
        StoreCheck("while the backend fails, reads return the stored value or throw a problem", needs: .persistence) {
            trial in
            let changedStore = try trial.change(["a": .set("1")])
            try changedStore.flush()
            try trial.expect("1", under: "a", in: changedStore)
            let fault = try trial.whileBackendFails {
                try [changedStore, trial.opened()].lazy.compactMap { try trial.failureWhileBackendFails(in: $0) }.first
            }
            switch (fault, trial.isUnsupported(.faultDetection)) {
            case (let fault?, false): throw ExpectationFailure(fault)
            case (nil, true):
                throw ExpectationFailure(
                    "the store declares .faultDetection unsupported, but reported that its backend failed"
                )
            case (nil, false), (_?, true): break
            }
            try changedStore.reload()
            try trial.expect(exactly: ["a": "1"], in: changedStore, "after the backend was repaired")
            try trial.expect(exactly: ["a": "1"], in: trial.opened(), "after the backend was repaired")
        },

        StoreCheck(
            "while the backend fails, writes are refused or preserved",
            needs: [.writing, .persistence]
        ) { trial in
            let store = trial.store
            try store.apply(["a": .set("1")])
            try store.flush()
            var expected: [String: PreferenceValue] = ["a": "1"]
            try trial.whileBackendFails {
                if try trial.isAcknowledged("apply", { try store.apply(["b": .set("2")]) }) { expected["b"] = "2" }
                let isUpdated = try trial.isAcknowledged("update") { try store.update { _ in ["c": .set("3")] } }
                if isUpdated { expected["c"] = "3" }
                try trial.catchingProblem("flush()") { try store.flush() }
            }
            try store.reload()
            try trial.expect(exactly: expected, "after the backend was repaired")
            try store.apply(["d": .set("4")])
            expected["d"] = "4"
            try trial.expect(exactly: expected, "after the backend was repaired")
            try trial.expect(
                exactly: expected,
                in: trial.reopened(),
                "in another store, after the backend was repaired"
            )
        },
    ]
}

extension StoreTrial {
    /// Returns a message if a store with the value "1" for "a" returns anything else while its backend fails.
    fileprivate func failureWhileBackendFails(in store: any PreferenceStore) throws -> String? {
        try catchingProblem("reload()") { try store.reload() }
        if let found = try catchingProblem("value(for:)", { try store.value(for: "a") }), found != "1" {
            return "expected \"1\" under \"a\" or a PreferenceProblem while the backend fails, found \(found.summary)"
        }
        if let found = try catchingProblem("source(of:)", { try store.origin(of: "a") }), found == nil {
            return "expected a source of \"a\" or a PreferenceProblem while the backend fails, found nothing"
        }
        if !isUnsupported(.listing), let found = try catchingProblem("names()", { try store.names() }), found != ["a"] {
            let names = found.sorted().map(\.quoted).joined(separator: ", ")
            return "expected names() to list \"a\" or a PreferenceProblem while the backend fails, found [\(names)]"
        }
        return nil
    }

    /// Calls a closure while the backend fails.
    fileprivate func whileBackendFails<Value>(_ body: () throws -> Value) throws -> Value {
        guard let breakBackend = subject.breakBackend, let repairBackend = subject.repairBackend else {
            throw ExpectationFailure(
                "the store is persistent; pass 'breakBackend' and 'repairBackend' to its StoreSubject, or declare "
                    + ".persistence unsupported if its values do not outlive it"
            )
        }
        try breakBackend()
        let outcome = Result { try body() }
        try repairBackend()
        return try outcome.get()
    }

    /// Makes a call that may throw only a ``PreferenceProblem``.
    ///
    /// - Returns: The call's result; nil if it threw.
    @discardableResult
    fileprivate func catchingProblem<Value>(_ call: String, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch is PreferenceProblem {
            return nil
        } catch let error as ExpectationFailure {
            throw error
        } catch {
            throw ExpectationFailure(
                "expected \(call) to throw a PreferenceProblem while the backend fails, found \(error)"
            )
        }
    }

    /// Whether the store reported that it made a change.
    fileprivate func isAcknowledged(_ call: String, _ body: () throws -> Void) throws -> Bool {
        let made: Void? = try catchingProblem(call) {
            do {
                try body()
            } catch let problem as PreferenceProblem where problem.code == .notDurable {}
        }
        return made != nil
    }
}
