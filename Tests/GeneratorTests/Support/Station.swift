import Foundation

/// A schema whose key is in a host file.
enum Station {
    static let schema = """
        {
          "formatVersion": 1,
          "namespaces": {
            "station": {
              "host": "Station.swift",
              "keys": { "token": { "type": "String?", "access": "fileprivate" }, "name": { "type": "String?" } }
            }
          }
        }

        """
    static let source = "import PreferencesRuntime\n\nlet code = 1\n"
}

/// A folder with a schema, and a host file without a region.
func withStation(_ body: (Folder) async throws -> Void) async throws {
    try await withFolder { folder in
        try folder.write(Station.schema, to: "Station.preferences.json")
        try folder.write(Station.source, to: "Sources/Station.swift")
        try await body(folder)
    }
}
