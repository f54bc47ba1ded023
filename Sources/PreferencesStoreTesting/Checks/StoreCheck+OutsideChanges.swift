import PreferencesRuntime

extension StoreCheck {
    static let outsideChanges: [StoreCheck] = [
        StoreCheck("changes made outside are told, and read by then", needs: .persistence) { trial in
            guard trial.store.notifiesAllChanges else { return }
            let holder = try trial.change(["replaced": .set("old"), "removed": .set("old")])
            try holder.flush()
            let told = ToldChanges(of: holder, reading: ["replaced", "removed", "added"])
            let observation = holder.observe(told.tell)
            defer { observation.cancel() }
            try trial.expect("old", under: "replaced", in: holder)
            told.forget()
            try trial.changeFromOutside(["replaced": .set("new"), "removed": .remove, "added": .set("new")])
            let expected: [String: PreferenceValue?] = ["replaced": "new", "removed": nil, "added": "new"]
            let isTold = told.wait(atMost: trial.subject.patience) { calls in
                calls.tell(of: Set(expected.keys)) && calls.last?.found == expected
            }
            if isTold { return }
            let found = told.all.last?.found.sorted { $0.key < $1.key }.map { "\($1.words) under \($0.quoted)" } ?? []
            let read = found.isEmpty ? "" : ", and read \(found.joined(separator: ", "))"
            throw BrokenPromise(
                "expected to be told of \"added\", \"removed\", \"replaced\" within \(trial.subject.patience), and to read "
                    + "\"new\", nothing, \"new\" when told; was told of \(told.all.words)\(read)"
            )
        },

        StoreCheck("changes made outside are read after reload", needs: .persistence) { trial in
            let holder = try trial.change(["replaced": .set("old"), "removed": .set("old")])
            try holder.flush()
            try trial.expect(exactly: ["replaced": "old", "removed": "old"], in: holder)
            let batch: [String: PreferenceEdit] = ["replaced": .set("new"), "removed": .remove, "added": .set("new")]
            // Where nobody else can get at the medium, another store can.
            if trial.subject.changeFromOutside != nil || trial.isUnsupported(.writing) {
                try trial.changeFromOutside(batch)
            } else {
                let other = try trial.reopened()
                try other.apply(PreferenceBatch(batch))
                try other.flush()
            }
            try holder.reload()
            try trial.expect(exactly: ["replaced": "new", "added": "new"], in: holder, "after reload()")
        },

        StoreCheck("a batch leaves alone what was changed outside", needs: [.writing, .persistence]) { trial in
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
