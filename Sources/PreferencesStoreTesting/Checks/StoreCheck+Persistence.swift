import PreferencesRuntime

extension StoreCheck {
    static let persistence: [StoreCheck] = [
        StoreCheck("another store over the medium has what was flushed", needs: .persistence) { trial in
            _ = try trial.change(["a": .set("1"), "b": .set("2")])
            try trial.expectInAnotherStore(exactly: ["a": "1", "b": "2"])
            _ = try trial.change(["a": .remove, "b": .set("3")])
            try trial.expectInAnotherStore(exactly: ["b": "3"])
        },

        StoreCheck("reloading keeps what was applied", needs: .writing) { trial in
            try trial.store.apply(["a": .set("1"), "b": .set("2")])
            try trial.store.reload()
            try trial.expect(exactly: ["a": "1", "b": "2"], "after reload()")
            try trial.store.flush()
            try trial.store.reload()
            try trial.expect(exactly: ["a": "1", "b": "2"], "after flush() and reload()")
        },

        StoreCheck("flushing twice, and flushing nothing, does no harm") { trial in
            try trial.store.flush()
            let holder = try trial.change(["a": .set("1")])
            try holder.flush()
            try holder.flush()
            try trial.expect(exactly: ["a": "1"], in: holder, "after flush()")
        },
    ]
}
