import Foundation
import PreferencesRemote
import PreferencesRuntime
import TestSupport
import Testing

@Suite("The local file of an app whose values roam")
struct RoamingFileTests {
    private static let schema = """
        {
          "formatVersion": 1,
          "namespaces": {
            "reader": {
              "keys": {
                "unit": { "type": "String", "default": "celsius", "scope": "user" },
                "starts": { "type": "Int", "default": 0, "scope": "user", "merge": "sum" },
                "width": { "type": "Int", "default": 800 }
              }
            }
          }
        }
        """

    /// Calls a body with a folder that has a schema, and the file of an app that has changed `reader.unit` and
    /// `reader.width`.
    private func withReader(
        sharing users: any PreferenceStore = MemoryStore(),
        _ body: (Folder, RoamingStore) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try folder.write(Self.schema, to: "Reader.preferences.json")
            let file = FileStore(url: folder.url.appending(component: "reader.json"))
            let roaming = RoamingStore(local: file, shared: [.user: users], synchronizesAutomatically: false)
            roaming.declareShared("reader:unit", formerNames: [], scope: .user, mergeRule: .last)
            try roaming.apply(["reader:unit": .set("kelvin"), "reader:width": .set(1_200)])
            try roaming.flush()
            try await body(folder, roaming)
        }
    }

    private func prefs(_ arguments: String..., in folder: Folder) async throws -> Prefs {
        let stores = ["--schema", "Reader.preferences.json", "-s", "reader.json"]
        return try await Prefs("prefs", [arguments[0]] + stores + arguments.dropFirst(), in: folder.url)
    }

    private func note(_ count: String, in folder: Folder) -> String {
        let file = folder.url.appending(component: "reader.json").path(percentEncoded: false)
        return
            "\(count) \(count == "1 key" ? "is" : "are") shared with other machines; \(file) has only changes that are not shared yet: specify the app's "
            + "shared store after it, for example '-s etcd:URL/PREFIX'\n"
    }

    @Test("has the pending changes of shared keys, and a note about them")
    func pendingChangesAreShown() async throws {
        try await withReader { folder, _ in
            let unit = try await prefs("get", "reader.unit", in: folder)
            #expect(unit.output == "kelvin\n")
            #expect(unit.errors == note("1 key", in: folder))
            let width = try await prefs("get", "reader.width", in: folder)
            #expect(width.output == "1200\n")
            #expect(width.errors == "")
            let list = try await prefs("list", in: folder)
            #expect(list.output == "reader.unit kelvin\nreader.starts 0\nreader.width 1200\n")
            #expect(list.errors == note("2 keys", in: folder))
            let dump = try await prefs("dump", in: folder)
            #expect(!dump.output.contains("::roaming"))
            #expect(dump.output.contains("\"reader:unit\""))
            #expect(dump.errors == note("2 keys", in: folder))
            let explanation = try await prefs("explain", "reader.unit", in: folder)
            #expect(explanation.output.contains("not shared with the app's other machines yet"))
            let check = try await prefs("check", in: folder)
            #expect(check.status == 0, "\(check.output)")
            #expect(check.output == "3 keys: no problems\n")
        }
    }

    @Test("is changed for keys of the machine, and refuses the others")
    func sharedKeysAreNotSet() async throws {
        try await withReader { folder, roaming in
            let width = try await prefs("set", "reader.width", "900", in: folder)
            #expect(width.status == 0, "\(width.errors)")
            let file = folder.url.appending(component: "reader.json")
            let before = try Data(contentsOf: file)
            let path = file.path(percentEncoded: false)
            let calls = [
                (["set", "reader.unit", "celsius"], "it was not set"),
                (["reset", "reader.unit"], "it was not reset"),
                (["reset", "--all"], "none of these was changed: 'reader:starts', 'reader:unit', 'reader:width'"),
            ]
            for (arguments, consequence) in calls {
                let run = try await Prefs(
                    "prefs",
                    [arguments[0], "--schema", "Reader.preferences.json", "-s", "reader.json"] + arguments.dropFirst(),
                    in: folder.url
                )
                #expect(run.status == 3)
                #expect(
                    run.errors
                        == "prefs: error: \(path): 'reader:unit': it is shared with other machines, and is not set in "
                        + "the local file of its app; set it in the app, or in the app's shared store, for example "
                        + "with '-s etcd:URL/PREFIX'; \(consequence)\n"
                )
                #expect(try Data(contentsOf: file) == before)
            }
            // A key that is not set here need not be reset.
            #expect(try await prefs("reset", "reader.starts", in: folder).status == 0)
            try roaming.reload()
            #expect(try roaming.value(for: "reader:width") == 900)
            #expect(try roaming.pendingNames() == ["reader:unit"])
        }
    }

    @Test("is read as by the app if the shared store follows it")
    func sharedStoreFollows() async throws {
        try await EtcdCluster.run(configure: { $0.syncsWrites = false }) { cluster in
            try await withReader { folder, _ in
                for (name, value) in [("unit", "\"fahrenheit\""), ("starts", "7")] {
                    _ = try await cluster.etcdctl(["put", "users/ann/reader:\(name)", value])
                }
                let etcd = "etcd:\(cluster.endpoints[0])/users/ann"
                let list = try await prefs("list", "-s", etcd, in: folder)
                #expect(list.output == "reader.unit kelvin\nreader.starts 7\nreader.width 1200\n")
                #expect(list.errors == "")
            }
        }
    }
}
