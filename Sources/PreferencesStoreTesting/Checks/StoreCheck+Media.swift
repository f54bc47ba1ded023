import PreferencesRuntime

extension StoreCheck {
    static let media: [StoreCheck] = [
        StoreCheck("while the medium fails, what was known is read or a problem thrown", needs: .persistence) { trial in
            let holder = try trial.change(["a": .set("1")])
            try holder.flush()
            try trial.expect("1", under: "a", in: holder)
            let fault = try trial.whileBroken {
                try [holder, trial.opened()].lazy.compactMap { try trial.faultWhileBroken(in: $0) }.first
            }
            switch (fault, trial.isUnsupported(.faultDetection)) {
            case (let fault?, false): throw BrokenPromise(fault)
            case (nil, true): throw BrokenPromise("the store lacks .faultDetection, but told that its medium failed")
            case (nil, false), (_?, true): break
            }
            try holder.reload()
            try trial.expect(exactly: ["a": "1"], in: holder, "after the medium was mended")
            try trial.expect(exactly: ["a": "1"], in: trial.opened(), "after the medium was mended")
        },

        StoreCheck(
            "what is written while the medium fails is refused, or there when it is mended",
            needs: [.writing, .persistence]
        ) { trial in
            let store = trial.store
            try store.apply(["a": .set("1")])
            try store.flush()
            var expected: [String: PreferenceValue] = ["a": "1"]
            try trial.whileBroken {
                if try trial.isAcknowledged("apply", { try store.apply(["b": .set("2")]) }) { expected["b"] = "2" }
                let isUpdated = try trial.isAcknowledged("update") { try store.update { _ in ["c": .set("3")] } }
                if isUpdated { expected["c"] = "3" }
                try trial.unlessProblem("flush()") { try store.flush() }
            }
            try store.reload()
            try trial.expect(exactly: expected, "after the medium was mended")
            try store.apply(["d": .set("4")])
            expected["d"] = "4"
            try trial.expect(exactly: expected, "after the medium was mended")
            try trial.expect(exactly: expected, in: trial.reopened(), "in another store, after the medium was mended")
        },
    ]
}

extension StoreTrial {
    /// What a store that has "1" under "a" says else, while its medium fails; nil where it does not.
    fileprivate func faultWhileBroken(in store: any PreferenceStore) throws -> String? {
        try unlessProblem("reload()") { try store.reload() }
        if let found = try unlessProblem("value(for:)", { try store.value(for: "a") }), found != "1" {
            return "expected \"1\" under \"a\" or a PreferenceProblem while the medium fails, found \(found.words)"
        }
        if let found = try unlessProblem("source(of:)", { try store.origin(of: "a") }), found == nil {
            return "expected a source of \"a\" or a PreferenceProblem while the medium fails, found nothing"
        }
        if !isUnsupported(.listing), let found = try unlessProblem("names()", { try store.names() }), found != ["a"] {
            let names = found.sorted().map(\.quoted).joined(separator: ", ")
            return "expected names() to list \"a\" or a PreferenceProblem while the medium fails, found [\(names)]"
        }
        return nil
    }

    /// Runs a body while the medium fails.
    fileprivate func whileBroken<Value>(_ body: () throws -> Value) throws -> Value {
        guard let breakMedium = subject.breakMedium, let mendMedium = subject.mendMedium else {
            throw BrokenPromise(
                "the store does not lack .persistence; give its StoreSubject 'breakMedium', which has its medium fail, and "
                    + "'mendMedium', or have it declare that it 'lacks' it, if it keeps nothing beyond itself"
            )
        }
        try breakMedium()
        let outcome = Result { try body() }
        try mendMedium()
        return try outcome.get()
    }

    /// Runs a call that may throw a ``PreferenceProblem`` and nothing else.
    ///
    /// - Returns: What it returns; nil where it threw.
    @discardableResult
    fileprivate func unlessProblem<Value>(_ call: String, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch is PreferenceProblem {
            return nil
        } catch let error as BrokenPromise {
            throw error
        } catch {
            throw BrokenPromise("expected \(call) to throw a PreferenceProblem while the medium fails, found \(error)")
        }
    }

    /// Whether a change was made, for all that the store says.
    fileprivate func isAcknowledged(_ call: String, _ body: () throws -> Void) throws -> Bool {
        let made: Void? = try unlessProblem(call) {
            do {
                try body()
            } catch let problem as PreferenceProblem where problem.code == .notDurable {}
        }
        return made != nil
    }
}
