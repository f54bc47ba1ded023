import Foundation
import TestSupport

/// A folder with a git repository, in which `prefs schema diff` runs.
extension Folder {
    /// Lines of a shell that make git independent of the machine, and of a repository whose hook runs the tests.
    private static let environment = """
        unset $(git rev-parse --local-env-vars)
        export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$(dirname "$PWD")
        export GIT_AUTHOR_NAME=Grace GIT_AUTHOR_EMAIL=grace@example.org
        export GIT_COMMITTER_NAME=Grace GIT_COMMITTER_EMAIL=grace@example.org

        """

    /// Runs a script in the folder. Standard error is not merged.
    func git(_ script: String) async throws -> Prefs { try await run(shell: Self.environment + script) }

    /// Runs a script, which must succeed.
    func prepare(_ script: String) async throws {
        let run = try await git("set -e\n" + script)
        guard run.status == 0 else { throw UnpreparedRepository(errors: run.errors) }
    }

    /// Commits all files of a new or present repository under a tag.
    func release(_ tag: String) async throws {
        try await prepare(
            """
            git init -q -b main .
            git add -A && git commit -q --allow-empty -m \(tag) && git tag \(tag)
            """
        )
    }

    private struct UnpreparedRepository: Error {
        var errors: String
    }
}

/// Schemas with a change of the storage, and one of the behavior.
enum Version {
    static let old = schema(#""scale": { "type": "Double?" }"#, unit: "celsius")
    static let new = schema(#""factor": { "type": "Double?" }"#, unit: "fahrenheit")

    /// Returns a schema in which the first key is in line 7.
    static func schema(_ key: String, unit: String, members: String = "") -> String {
        """
        {
          "formatVersion": 1,\(members)
          "types": { "TemperatureUnit": { "enum": ["celsius", "fahrenheit"] } },
          "namespaces": {
            "weather": {
              "keys": {
                \(key),
                "unit": { "type": "TemperatureUnit", "default": "\(unit)" }
              }
            }
          }
        }

        """
    }

    /// Returns the report of the changes.
    ///
    /// - Parameters:
    ///   - old: The path of the old schema.
    ///   - new: The path of the new schema.
    ///   - name: The name of the old version.
    static func report(_ old: String, _ new: String, _ name: String) -> String {
        """
        \(storage(old, new))\(behavior(old, new))compared with \(name): 1 storage change, 1 behavior change

        """
    }

    static func storage(_ old: String, _ new: String) -> String {
        """
        \(new):7:9: error: no key is stored as 'weather:scale' any more: the stored values of 'weather.scale' are lost \
        [storage: storage-name-removed]
        \(old):7:9: note: key 'weather.scale' is here in the old schema
        \(new):7:9: note: add "renamedFrom": ["weather:scale"] to key 'weather.factor'
        \(new):7:9: note: to accept it, add { "rule": "storage-name-removed", "subject": "weather:scale", "reason": "…" } \
        to 'acceptedChanges'

        """
    }

    static func behavior(_ old: String, _ new: String) -> String {
        """
        \(new):8:57: error: the default of key 'weather.unit' was "celsius", and is now "fahrenheit" \
        [behavior: default-changed]
        \(old):8:57: note: the key is here in the old schema
        \(new):8:57: note: restore the default, or tell users: those who have not set the key get the new one
        \(new):8:57: note: to accept it, add { "rule": "default-changed", "subject": "weather:unit", "reason": "…" } \
        to 'acceptedChanges'

        """
    }
}
