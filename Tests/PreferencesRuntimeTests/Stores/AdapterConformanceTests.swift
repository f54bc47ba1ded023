import Foundation
import PreferencesCompatibility
import PreferencesRuntime
import PreferencesStoreTesting
import StoreTestSupport
import TestSupport
import Testing

/// The conformance checks of adapters, and of stores over data from outside the program.
struct AdapterConformanceTests {
    @Test("PrefixedStore passes the conformance checks", arguments: StoreCheck.all)
    func prefixedStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject {
                PrefixedStore(MemoryStore(["outside": 1, "part": 2, "parting": 3]), prefix: "part", separator: ".")
            }
        )
    }

    @Test("PrefixedStore over PrefixedStore over a file passes the conformance checks", arguments: StoreCheck.all)
    func prefixedStoreOverPrefixedStoreOverAFilePassesTheConformanceChecks(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            try FileStore(url: url, durability: .immediate).apply(["outside": .set(1)])
            let aside = UnreachableFile(url)
            @Sendable func part(_ base: any PreferenceStore) -> any PreferenceStore {
                PrefixedStore(PrefixedStore(base, prefix: "a"), prefix: "b")
            }
            try check.run(
                on: StoreSubject(
                    open: { part(FileStore(url: url)) },
                    changeExternally: { batch in
                        try FileStore.saveAsAnEditor(url) { try part($0).commit(PreferenceBatch(batch)) }
                    },
                    breakBackend: aside.put,
                    repairBackend: aside.putBack
                )
            )
        }
    }

    @Test("ReadOnlyStore passes the conformance checks", arguments: StoreCheck.all)
    func readOnlyStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(on: .readOnly { ReadOnlyStore(MemoryStore($0.values)) })
    }

    @Test("TransformedStore passes the conformance checks", arguments: StoreCheck.all)
    func transformedStorePassesTheConformanceChecks(check: StoreCheck) throws {
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

    @Test("LayeredStore that writes one layer passes the conformance checks", arguments: StoreCheck.all)
    func layeredStoreThatWritesOneLayerPassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(on: StoreSubject { LayeredStore([ReadOnlyStore(MemoryStore()), MemoryStore(), MemoryStore()]) })
    }

    @Test("LayeredStore that writes all layers passes the conformance checks", arguments: StoreCheck.all)
    func layeredStoreThatWritesAllLayersPassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject {
                LayeredStore([MemoryStore(), ReadOnlyStore(MemoryStore()), MemoryStore()], writingTo: .everyWritable)
            }
        )
    }

    @Test("ManagedStore passes the conformance checks", arguments: StoreCheck.all, [false, true])
    func managedStorePassesTheConformanceChecks(check: StoreCheck, hasLocks: Bool) throws {
        try check.run(
            on: .readOnly { backend in
                let store = MemoryStore(backend.values)
                return hasLocks ? ManagedStore(store, locks: Array(backend.values.keys)) : ManagedStore(store)
            }
        )
    }

    @Test("LayeredStore with a ManagedStore passes the conformance checks", arguments: StoreCheck.all)
    func layeredStoreWithAManagedStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(
            on: StoreSubject {
                let policy = ManagedStore(.memory(["fixed": 1, "a": 2]))
                policy.declareManaged("fixed", formerNames: [])
                return LayeredStore([policy, MemoryStore()]).prefixed("part.")
            }
        )
    }

    @Test("LayeredStore over a file passes the conformance checks", arguments: StoreCheck.all)
    func layeredStoreOverAFilePassesTheConformanceChecks(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            let url = folder.appending(component: "preferences.json")
            let aside = UnreachableFile(url)
            try check.run(
                on: StoreSubject(
                    open: { LayeredStore([EnvironmentStore(prefix: "", environment: [:]), FileStore(url: url)]) },
                    changeExternally: { batch in
                        try FileStore.saveAsAnEditor(url) { try $0.apply(PreferenceBatch(batch)) }
                    },
                    breakBackend: aside.put,
                    repairBackend: aside.putBack
                )
            )
        }
    }

    @Test("EnvironmentStore passes the conformance checks", arguments: StoreCheck.all)
    func environmentStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(on: .readOnly { EnvironmentStore(prefix: "", environment: $0.texts) })
    }

    // An option's name ends at the first equals sign.
    @Test(
        "ArgumentsStore passes the conformance checks",
        arguments: StoreCheck.all.filter { $0.name != "names with dots, colons and spaces are distinguished" }
    )
    func argumentsStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(on: .readOnly { ArgumentsStore(arguments: $0.texts.map { "--\($0)=\($1)" }) })
    }

    @Test("CollectionStore passes the conformance checks", arguments: StoreCheck.all)
    func collectionStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(
            on: .readOnly { backend in CollectionStore(backend.values, name: { $0.key }, value: { $0.value }) }
        )
    }

    @Test("ReflectingStore passes the conformance checks", arguments: StoreCheck.all)
    func reflectingStorePassesTheConformanceChecks(check: StoreCheck) throws {
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

    @Test("BundleStore passes the conformance checks", arguments: StoreCheck.all)
    func bundleStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try withTemporaryDirectory { folder in
            try check.run(
                on: .readOnly { backend in
                    // A new folder is needed, because Foundation caches bundles by their folders.
                    let bundle = folder.appending(component: UUID().uuidString)
                    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
                    let list = FileStore(url: bundle.appending(component: "Info.plist"), format: .binaryPropertyList)
                    try list.update { _ in PreferenceBatch(backend.values.mapValues(PreferenceEdit.set)) }
                    return BundleStore(try #require(Bundle(url: bundle)))
                }
            )
        }
    }

    @Test("CacheStore passes the conformance checks", arguments: StoreCheck.all)
    func cacheStorePassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(on: StoreSubject { CacheStore() })
    }

    @Test("CoderStore over an encoder passes the conformance checks", arguments: StoreCheck.all)
    func coderStoreOverAnEncoderPassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(on: StoreSubject { CoderStore(encodingInto: NSKeyedArchiver(requiringSecureCoding: true)) })
    }

    @Test("CoderStore over a decoder passes the conformance checks", arguments: StoreCheck.all)
    func coderStoreOverADecoderPassesTheConformanceChecks(check: StoreCheck) throws {
        try check.run(
            on: .readOnly { backend in
                let archiver = NSKeyedArchiver(requiringSecureCoding: true)
                let store = CoderStore(encodingInto: archiver)
                try store.apply(PreferenceBatch(backend.values.mapValues(PreferenceEdit.set)))
                try store.flush()
                return CoderStore(decodingFrom: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData))
            }
        )
    }
}
