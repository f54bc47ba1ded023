#if !canImport(Security)
    import Foundation
    import TestSupport

    extension DesktopSession {
        /// The items that `secret-tool search --all` finds.
        struct FoundItems {
            /// How many items there are.
            let count: Int
            /// The lines about all items, such as `label = Radar` and `attribute.account = radar:token`, sorted. Those with
            /// times are omitted.
            let lines: [String]
        }

        /// The failure of a program.
        struct ToolFailure: Error, CustomStringConvertible {
            let description: String
        }

        /// Returns the items with attributes, and their secrets.
        func items(_ attributes: String...) async throws -> FoundItems {
            let run = try await secretTool(["search", "--all"] + attributes)
            let lines = (run.output + run.errors).split(separator: "\n").map(String.init)
            return FoundItems(
                count: lines.count { $0.hasPrefix("[") },
                lines: lines.filter { line in
                    !["[", "created = ", "modified = "].contains { line.hasPrefix($0) }
                }.sorted()
            )
        }

        /// Returns what `secret-tool lookup` prints; nil if there is no such item.
        func lookup(_ name: String, service: String = "weather") async throws -> Data? {
            let run = try await secretTool(["lookup", "service", service, "account", name])
            return run.succeeded ? run.outputBytes : nil
        }

        /// Stores a secret with `secret-tool`.
        func toolStore(
            _ secret: String,
            _ name: String,
            service: String = "weather",
            label: String = "Radar",
            _ attributes: [String: String] = [:]
        ) async throws {
            let words = ["service", service, "account", name] + attributes.flatMap { [$0, $1] }
            try require(await secretTool(["store", "--label=\(label)"] + words, input: secret))
        }

        /// Deletes items with `secret-tool`.
        func toolClear(_ name: String, service: String = "weather") async throws {
            try require(await secretTool(["clear", "service", service, "account", name]))
        }

        func require(_ run: CommandLineRun) throws {
            if !run.succeeded { throw ToolFailure(description: run.errors) }
        }
    }
#endif
