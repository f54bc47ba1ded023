package import Foundation

/// The manifest of a package, as `swift package dump-package` prints it.
package struct PackageManifest: Decodable, Sendable {
    package let targets: [Target]
    package let products: [Product]

    /// A target, with the parts of it that the tests use.
    package struct Target: Decodable, Sendable {
        package let name: String
        package let type: String
        package let settings: [Setting]
        /// The excluded files of its folder.
        package let exclude: [String]
        package let resources: [Resource]
        fileprivate let dependencies: [Dependency]
    }

    package struct Setting: Decodable, Sendable {
        package struct Argument: Decodable, Sendable {
            /// One value, or several compiler flags.
            package let values: [String]
            private enum CodingKeys: String, CodingKey { case values = "_0" }

            package init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let value = try? container.decode(String.self, forKey: .values)
                values = try value.map { [$0] } ?? container.decodeIfPresent([String].self, forKey: .values) ?? []
            }
        }
        /// Its argument, by its name.
        package let kind: [String: Argument]
    }

    package struct Resource: Decodable, Sendable {
        package let path: String
    }

    package struct Product: Decodable, Sendable {
        package let name: String
        package let targets: [String]
        fileprivate let type: [String: [String]?]
    }

    /// `{"byName": [NAME, null]}`. A dependency on another package's product is `{"product": [NAME, PACKAGE, …]}`.
    fileprivate struct Dependency: Decodable, Sendable {
        /// The name of a target of this package; nil for a product of another one.
        let target: String?

        private struct Kind: CodingKey {
            let stringValue: String
            init(stringValue: String) { self.stringValue = stringValue }
            var intValue: Int? { nil }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Kind.self)
            target = try ["byName", "target"].lazy.map(Kind.init(stringValue:)).filter(container.contains).first.map {
                var words = try container.nestedUnkeyedContainer(forKey: $0)
                return try words.decode(String.self)
            }
        }
    }

    /// Evaluates the manifest of a package.
    ///
    /// - Parameters:
    ///   - folder: The package's folder.
    ///   - scratch: The folder for SwiftPM's own files; nil for `.build`, which `swift test` has locked.
    package init(of folder: URL, scratch: URL? = nil) async throws {
        let options = scratch.map { ["--scratch-path", $0.path] } ?? []
        let run = try await CommandLineRun("swift", ["package"] + options + ["dump-package"], in: folder)
        guard run.succeeded else { throw Failure(description: "'swift package dump-package' failed:\n\(run.errors)") }
        self = try JSONDecoder().decode(Self.self, from: run.outputBytes)
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }
}

// MARK: - Closures

extension PackageManifest {
    /// The targets that the libraries of the package are linked from: those of each library product, and those that
    /// they depend on. The value is the name of one such product.
    package var linkedTargets: [String: String] {
        closures(of: products.filter { $0.type.keys.contains("library") }.map { ($0.name, $0.targets) })
    }

    /// The targets that the package's plugins run, and those that they depend on. The value is the name of one plugin.
    package var toolTargets: [String: String] {
        closures(of: targets.filter { $0.type == "plugin" }.map { ($0.name, [$0.name]) })
    }

    /// A message for each target that apps link and plugins run. Xcode builds it twice then, and fails to archive for
    /// Mac Catalyst: "Multiple commands produce …".
    package var sharedTargets: [String] {
        let tools = toolTargets
        return linkedTargets.sorted { $0.key < $1.key }.compactMap { target, product in
            tools[target].map { "the target \(target) is linked by the product \(product) and run by the plugin \($0)" }
        }
    }

    private func closures(of roots: [(name: String, targets: [String])]) -> [String: String] {
        let dependencies = Dictionary(
            uniqueKeysWithValues: targets.map { ($0.name, $0.dependencies.compactMap(\.target)) }
        )
        var owners: [String: String] = [:]
        func visit(_ target: String, _ owner: String) {
            guard let next = dependencies[target], owners[target] == nil else { return }
            owners[target] = owner
            for target in next { visit(target, owner) }
        }
        for (name, targets) in roots { for target in targets { visit(target, name) } }
        return owners
    }
}
