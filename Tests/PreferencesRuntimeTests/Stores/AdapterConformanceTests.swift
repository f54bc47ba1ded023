import Foundation
import PreferencesRuntime
import PreferencesStoreTesting
import TestSupport
import Testing
import PreferencesCompatibility

/// The stores over stores, and those of what is outside the program, held to every promise of a store.
struct AdapterConformanceTests {
    @Test(arguments: StoreCheck.all)
    func aPartOfAStoreKeepsItsPromises(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject {
                PrefixedStore(MemoryStore(["outside": 1, "part": 2, "parting": 3]), prefix: "part", separator: ".")
            }
        )
    }

    @Test(arguments: StoreCheck.all)
    func aPartOfAPartOfAFileKeepsItsPromises(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try FileStore(url: url, durability: .immediate).apply(["outside": .set(1)])
            let aside = MediumAside(url)
            @Sendable func part(_ base: any PreferenceStore) -> any PreferenceStore {
                PrefixedStore(PrefixedStore(base, prefix: "a"), prefix: "b")
            }
            try check.run(
                on: StoreSubject(
                    open: { part(FileStore(url: url)) },
                    changeFromOutside: { batch in
                        try FileStore.saveAsAnEditor(url) { try part($0).apply(batch) }
                    },
                    breakMedium: aside.put,
                    mendMedium: aside.putBack
                )
            )
        }
    }

    @Test(arguments: StoreCheck.all)
    func aStoreThatCanOnlyBeReadKeepsItsPromises(check: StoreCheck) throws {
        try check.run(on: .readOnly { ReadOnlyStore(MemoryStore($0.values)) })
    }

    @Test(arguments: StoreCheck.all)
    func aTransformedStoreKeepsItsPromises(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject {
                TransformedStore(MemoryStore()) { stored, _ in
                    guard case .array(let elements) = stored else { return nil }
                    return elements.first
                } write: { value, _ in
                    .array([value])
                }
            }
        )
    }

    @Test(arguments: StoreCheck.all)
    func layersOfWhichOneIsWrittenKeepTheirPromises(check: StoreCheck) throws {
        try check.run(on: StoreSubject { LayeredStore([ReadOnlyStore(MemoryStore()), MemoryStore(), MemoryStore()]) })
    }

    @Test(arguments: StoreCheck.all)
    func layersThatAreAllWrittenKeepTheirPromises(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject {
                LayeredStore([MemoryStore(), ReadOnlyStore(MemoryStore()), MemoryStore()], writingTo: .everyWritable)
            }
        )
    }

    @Test(arguments: StoreCheck.all)
    func layersOverAFileKeepTheirPromises(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let aside = MediumAside(url)
            try check.run(
                on: StoreSubject(
                    open: { LayeredStore([EnvironmentStore(prefix: "", environment: [:]), FileStore(url: url)]) },
                    changeFromOutside: { batch in try FileStore.saveAsAnEditor(url) { try $0.apply(batch) } },
                    breakMedium: aside.put,
                    mendMedium: aside.putBack
                )
            )
        }
    }

    @Test(arguments: StoreCheck.all)
    func theEnvironmentKeepsItsPromises(check: StoreCheck) throws {
        try check.run(on: .readOnly { EnvironmentStore(prefix: "", environment: $0.texts) })
    }

    // An option's name ends at the first equals sign.
    @Test(arguments: StoreCheck.all.filter { $0.name != "names with dots, colons and spaces are kept apart" })
    func argumentsKeepTheirPromises(check: StoreCheck) throws {
        try check.run(on: .readOnly { ArgumentsStore(arguments: $0.texts.map { "--\($0)=\($1)" }) })
    }

    @Test(arguments: StoreCheck.all)
    func aCollectionKeepsItsPromises(check: StoreCheck) throws {
        try check.run(
            on: .readOnly { medium in CollectionStore(medium.values, name: { $0.key }, value: { $0.value }) }
        )
    }

    @Test(arguments: StoreCheck.all)
    func aReflectionKeepsItsPromises(check: StoreCheck) throws {
        struct Anything: PreferenceConvertible {
            var value: PreferenceValue

            init(preferenceValue: PreferenceValue) { value = preferenceValue }
            func preferenceValue() -> PreferenceValue { value }
        }
        struct Subject: CustomReflectable {
            var values: [String: PreferenceValue]
            var customMirror: Mirror {
                Mirror(self, children: values.map { (label: $0.key, value: Anything(preferenceValue: $0.value)) })
            }
        }
        try check.run(on: .readOnly { ReflectingStore(reflecting: Subject(values: $0.values)) })
    }

    @Test(arguments: StoreCheck.all)
    func aBundleKeepsItsPromises(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            try check.run(
                on: .readOnly { medium in
                    // Foundation remembers the bundles of folders.
                    let bundle = folder.appending(component: UUID().uuidString)
                    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
                    let list = FileStore(url: bundle.appending(component: "Info.plist"), format: .binaryPropertyList)
                    try list.update { _ in medium.values.mapValues(PreferenceEdit.set) }
                    return BundleStore(try #require(Bundle(url: bundle)))
                }
            )
        }
    }

    @Test(arguments: StoreCheck.all)
    func aCacheKeepsItsPromises(check: StoreCheck) throws {
        try check.run(on: StoreSubject { CacheStore() })
    }

    @Test(arguments: StoreCheck.all)
    func aCoderThatIsFilledKeepsItsPromises(check: StoreCheck) throws {
        try check.run(on: StoreSubject { CoderStore(encodingInto: NSKeyedArchiver(requiringSecureCoding: true)) })
    }

    @Test(arguments: StoreCheck.all)
    func aCoderThatIsReadKeepsItsPromises(check: StoreCheck) throws {
        try check.run(
            on: .readOnly { medium in
                let archiver = NSKeyedArchiver(requiringSecureCoding: true)
                let store = CoderStore(encodingInto: archiver)
                try store.apply(medium.values.mapValues(PreferenceEdit.set))
                try store.flush()
                return CoderStore(decodingFrom: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData))
            }
        )
    }
}
