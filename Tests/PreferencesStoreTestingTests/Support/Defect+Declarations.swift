import PreferencesRuntime

extension Defect {
    /// Defects of declarations and of reading.
    static let declarations: [Defect] = [
        Defect(
            "writes when it reads",
            fails: ["null is distinguished from a name that is not set", "reading writes nothing"]
        ) {
            $0.read = { store, name in
                let value = try store.correct.value(for: name)
                if value == nil, name == "absent" { try store.correct.write([name: .set("default")]) }
                return value
            }
        },
        Defect(
            "returns a source for a missing value",
            fails: [
                "a stored value has a source, and a missing value has none", "any name can be read from an empty store",
            ]
        ) { $0.source = { store, name in PreferenceSource(store: store.label, name: name) } },
        Defect(
            "returns no source",
            fails: [
                "a stored value has a source, and a missing value has none",
                "while the backend fails, reads return the stored value or throw a problem",
            ]
        ) { $0.source = { _, _ in nil } },
        Defect(
            "has no label",
            fails: ["a stored value has a source, and a missing value has none", "the store has a label"]
        ) {
            $0.label = ""
        },
        Defect(
            "reads text as numbers",
            fails: ["values are read as their own type, and text as another type only from stores of text"]
        ) {
            $0.readsNumbersFromText = true
        },
        Defect(
            "lists at most thirty names",
            fails: [
                "a batch of a thousand changes is applied completely", "dictionaries are stored with any keys",
                "names with dots, colons and spaces are distinguished",
                "strings are stored exactly, with any characters",
                "random values are stored exactly",
            ]
        ) {
            $0.names = { store in Set(try store.correct.names().sorted().prefix(30)) }
        },
        Defect(
            "declares listing unsupported, but lists",
            fails: ["names() lists the names of all values and no others"]
        ) {
            $0.unsupportedCapabilities = .listing
        },
        Defect(
            "declares persistence unsupported, but persists",
            fails: [
                "a batch preserves external changes of other names",
                "another store over the backend reads flushed changes",
                "external changes are read after reload",
                "observers are notified of external changes, and read the new values",
                "while the backend fails, writes are refused or preserved",
                "while the backend fails, reads return the stored value or throw a problem",
            ]
        ) { $0.unsupportedCapabilities = .persistence },
        Defect(
            "declares writing unsupported, but writes",
            fails: [
                "other threads see a batch completely or not at all",
                "a batch preserves external changes of other names",
                "a batch of a thousand changes is applied completely", "a batch sets, replaces and removes values",
                "a refused batch changes nothing", "canonically equivalent names are the same name",
                "a value can be replaced by one of another type",
                "a stored value has a source, and a missing value has none",
                "an empty batch changes nothing", "an observation ends when it is cancelled",
                "an observation ends when it is released",
                "an update reads the stored values, and its closure runs once",
                "an update whose closure throws changes nothing, and throws that error",
                "an update with an empty batch changes nothing", "another store over the backend reads flushed changes",
                "arrays and dictionaries are stored, including empty and nested ones",
                "external changes are read after reload",
                "observers are notified of external changes, and read the new values",
                "data is stored exactly", "dates are stored exactly",
                "dictionaries are stored with any keys",
                "eight threads may read, write, list and observe at the same time", "every observer is notified",
                "flushing succeeds twice, and without changes",
                "integers are stored exactly up to the limits of Int64 and UInt64", "names are case-sensitive",
                "names may contain characters of all scripts", "names may contain control characters",
                "names of ten thousand characters that differ at the end are distinguished",
                "names with dots, colons and spaces are distinguished",
                "names() lists the names of all values and no others",
                "null is distinguished from a name that is not set",
                "floating-point numbers are stored exactly",
                "observers are notified of all changed names on the writing thread before apply and update return",
                "observers, and other threads meanwhile, may read and write the store",
                "observers read the new values when they are notified", "reading writes nothing",
                "reloading preserves applied changes",
                "removing a name that is not set changes nothing", "strings are stored exactly, with any characters",
                "the closure of an update may read the store", "the empty name can be used",
                "concurrent updates of one store lose no change",
                "concurrent updates of two stores over one backend lose no change", "random values are stored exactly",
                "values are read as their own type, and text as another type only from stores of text",
                "values of a megabyte are stored", "values of different types are distinguished",
                "while the backend fails, writes are refused or preserved",
                "while the backend fails, reads return the stored value or throw a problem",
                "a writer is notified of its own batches unless the store excludes writers",
                "a writer is notified of the batches of other writers, and of those without one",
                "batches and updates with a writer have the effect of those without one",
                "observers other than the writer are notified as they are without a writer",
                "watchers of two Preferences over one store are notified of each change once",
                "writers on several threads are notified of each other's batches",
            ]
        ) { $0.unsupportedCapabilities = .writing },
        Defect(
            "declares null unsupported, but stores it",
            fails: [
                "null is distinguished from a name that is not set", "random values are stored exactly",
            ]
        ) { $0.unsupportedCapabilities = .null },
        Defect(
            "declares typed values unsupported, but stores them",
            fails: [
                "arrays and dictionaries are stored, including empty and nested ones", "data is stored exactly",
                "dates are stored exactly", "dictionaries are stored with any keys",
                "integers are stored exactly up to the limits of Int64 and UInt64",
                "floating-point numbers are stored exactly",
                "values are read as their own type, and text as another type only from stores of text",
                "random values are stored exactly", "values of a megabyte are stored",
                "values of different types are distinguished",
                "a value nested a thousand levels deep is stored or refused",
            ]
        ) { $0.unsupportedCapabilities = .typedValues },
        Defect("declares large values unsupported, but stores them", fails: ["values of a megabyte are stored"]) {
            $0.unsupportedCapabilities = .largeValues
        },
        Defect(
            "declares unusual names unsupported, but stores them",
            fails: [
                "names may contain control characters",
                "names of ten thousand characters that differ at the end are distinguished",
                "the empty name can be used",
            ]
        ) {
            $0.unsupportedCapabilities = [.emptyName, .longNames, .controlCharactersInNames]
        },
    ]
}
