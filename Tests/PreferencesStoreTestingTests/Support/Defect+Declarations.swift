import PreferencesRuntime

extension Defect {
    /// Of what stores say of themselves, and of reading.
    static let declarations: [Defect] = [
        Defect("writes on reading", fails: ["null is told from a name that is not set", "reading writes nothing"]) {
            $0.read = { store, name in
                let value = try store.right.value(for: name)
                if value == nil, name == "absent" { try store.right.write([name: .set("default")]) }
                return value
            }
        },
        Defect(
            "names a source of nothing",
            fails: [
                "a value's source is named, and nothing has none", "any name can be read where nothing is kept",
            ]
        ) { $0.source = { store, _ in store.label } },
        Defect(
            "names no source",
            fails: [
                "a value's source is named, and nothing has none",
                "while the medium fails, what was known is read or a problem thrown",
            ]
        ) { $0.source = { _, _ in nil } },
        Defect("has no label", fails: ["a value's source is named, and nothing has none", "the store has a label"]) {
            $0.label = ""
        },
        Defect(
            "takes text for numbers",
            fails: ["values are read as what they are, and from text where there is nothing else"]
        ) {
            $0.readsNumbersFromText = true
        },
        Defect(
            "lists no more than thirty names",
            fails: [
                "a batch of a thousand changes is made whole", "dictionaries keep whatever names are in them",
                "names with dots, colons and spaces are kept apart", "text is kept, whatever its characters",
                "values made at random are kept",
            ]
        ) {
            $0.names = { store in Set(try store.right.names().sorted().prefix(30)) }
        },
        Defect("lacks listing, and lists", fails: ["names() has the names of all values, and no others"]) {
            $0.unsupportedCapabilities = .listing
        },
        Defect(
            "lacks persistence, and has it",
            fails: [
                "a batch leaves alone what was changed outside", "another store over the medium has what was flushed",
                "changes made outside are read after reload", "changes made outside are told, and read by then",
                "what is written while the medium fails is refused, or there when it is mended",
                "while the medium fails, what was known is read or a problem thrown",
            ]
        ) { $0.unsupportedCapabilities = .persistence },
        Defect(
            "lacks writing, and writes",
            fails: [
                "a batch is seen whole by other threads", "a batch leaves alone what was changed outside",
                "a batch of a thousand changes is made whole", "a batch sets, replaces and removes",
                "a batch that is refused changes nothing", "a name is one in both normal forms of Unicode",
                "a value is replaced by one of another kind", "a value's source is named, and nothing has none",
                "an empty batch changes nothing", "an observation ends when it is cancelled",
                "an observation ends when it is gone",
                "an update is made from what is kept, and its closure runs once",
                "an update whose closure throws changes nothing, and throws the same",
                "an update with an empty batch changes nothing", "another store over the medium has what was flushed",
                "arrays and dictionaries are kept, empty and nested ones too",
                "changes made outside are read after reload", "changes made outside are told, and read by then",
                "data is kept byte for byte", "dates are kept to the bit",
                "dictionaries keep whatever names are in them",
                "eight threads may read, write, list and observe at the same time", "every observer is told",
                "flushing twice, and flushing nothing, does no harm",
                "integers are kept up to the limits of Int64 and UInt64", "names are told apart by case",
                "names may have characters of all scripts", "names may have control characters",
                "names of ten thousand characters are kept apart at their ends",
                "names with dots, colons and spaces are kept apart",
                "names() has the names of all values, and no others", "null is told from a name that is not set",
                "numbers with fractions are kept to the bit",
                "observers are told of all changed names before apply and update return, on that thread",
                "observers may read and write the store, and so may other threads meanwhile",
                "observers read what they are told of", "reading writes nothing", "reloading keeps what was applied",
                "removing what is not set changes nothing", "text is kept, whatever its characters",
                "the closure of an update may read the store", "the empty name is a name",
                "threads that count in one store lose nothing",
                "threads that count in two stores over one medium lose nothing", "values made at random are kept",
                "values are read as what they are, and from text where there is nothing else",
                "values of a megabyte are kept", "values of different kinds are kept apart",
                "what is written while the medium fails is refused, or there when it is mended",
                "while the medium fails, what was known is read or a problem thrown",
                "a writer is notified of its own batches unless the store excludes writers",
                "a writer is notified of the batches of other writers, and of those without one",
                "a writer's batches and updates are made as those without a writer",
                "observers other than the writer are notified as of a batch without a writer",
                "watchers of two Preferences over one store are notified of each change once",
                "writers on several threads are notified of each other's batches",
            ]
        ) { $0.unsupportedCapabilities = .writing },
        Defect(
            "lacks null, and keeps it",
            fails: [
                "null is told from a name that is not set", "values made at random are kept",
            ]
        ) { $0.unsupportedCapabilities = .null },
        Defect(
            "lacks typed values, and keeps them",
            fails: [
                "arrays and dictionaries are kept, empty and nested ones too", "data is kept byte for byte",
                "dates are kept to the bit", "dictionaries keep whatever names are in them",
                "integers are kept up to the limits of Int64 and UInt64",
                "numbers with fractions are kept to the bit",
                "values are read as what they are, and from text where there is nothing else",
                "values made at random are kept", "values of a megabyte are kept",
                "values of different kinds are kept apart",
                "what is nested a thousand levels deep is kept or refused",
            ]
        ) { $0.unsupportedCapabilities = .typedValues },
        Defect("lacks large values, and keeps them", fails: ["values of a megabyte are kept"]) {
            $0.unsupportedCapabilities = .largeValues
        },
        Defect(
            "lacks odd names, and keeps them",
            fails: [
                "names may have control characters", "names of ten thousand characters are kept apart at their ends",
                "the empty name is a name",
            ]
        ) {
            $0.unsupportedCapabilities = [.emptyName, .longNames, .controlCharactersInNames]
        },
    ]
}
