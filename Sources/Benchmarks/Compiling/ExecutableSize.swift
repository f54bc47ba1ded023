import Foundation

/// The size of a program, and how much each library of this package adds to it.
///
/// The programs are targets of a package that depends on this one, built by SwiftPM in release mode as an app is, and
/// stripped. Swift's and the system's own libraries are linked dynamically, and therefore do not count.
enum ExecutableSize {
    /// A library product, and statements that use it. To measure another product, add it to ``products``.
    struct Product: Equatable {
        var name: String
        /// Swift statements in a program that imports Foundation, PreferencesRuntime and the product.
        var statements: String
    }

    static let products = [
        Product(
            name: "PreferencesSQLite",
            statements: "use(SQLiteStore(url: URL(filePath: file + \".sqlite\")))"
        ),
        Product(
            name: "PreferencesSecrets",
            statements: """
                let key = try EncryptionKey(data: Data(count: 32))
                use(EncryptedStore(FileStore(url: URL(filePath: file)), key: key))
                """
        ),
        Product(
            name: "PreferencesRemote",
            statements: "use(HTTPStore(url: URL(filePath: file)))"
        ),
        Product(
            name: "PreferencesCompatibility",
            statements: "use(LegacyStore(MemoryStore(), decoding: LegacyEncoding.allCases))"
        ),
        Product(
            name: "PreferencesObjects",
            statements: "print(PersistentObject<[Int]>(named: \"numbers\", in: MemoryStore()).hasUnsavedChange)"
        ),
        // Its stores exist on Apple platforms only. Elsewhere, this is the size of the code that SwiftPM links
        // regardless.
        Product(
            name: "PreferencesApple",
            statements: """
                #if canImport(Darwin)
                use(UbiquitousStore())
                #endif
                """
        ),
    ]

    private static let emptyProgram = "Empty"
    private static let runtimeProgram = "PreferencesRuntime"

    static func run(_ report: inout BenchmarkReport, in folder: URL) throws {
        guard ScaleTool.find("strip") != nil else { throw MissingDependency(remedy: "install binutils") }
        let package = folder.appending(path: "package")
        try writePackage(in: package)
        let scratch = folder.appending(path: "build")
        // Standard output goes nowhere, and with --quiet SwiftPM prints errors alone.
        let build =
            "swift build --quiet -c release --package-path '\(package.path)' --scratch-path '\(scratch.path)' >&2"
        _ = try ProcessCost(of: "sh", ["-c", build])

        var sizes: [String: Int] = [:]
        for program in [emptyProgram, runtimeProgram] + products.map(\.name) {
            let stripped = folder.appending(path: program)
            let executable = scratch.appending(path: "release/\(program)Program")
            _ = try ProcessCost(of: "strip", ["-o", stripped.path, executable.path])
            sizes[program] = try Data(contentsOf: stripped).count
        }
        // The same sources always give the same size.
        report.repeats = 1
        for row in rows(for: sizes) { report.add(row) }
    }

    /// The rows of the report.
    ///
    /// - Parameter sizes: The sizes of the stripped executables in bytes, by the names of their programs. Products
    ///   without a size are left out.
    static func rows(for sizes: [String: Int]) -> [BenchmarkReport.Row] {
        func figure(_ bytes: Int) -> Figure { Figure(unit: .bytes, samples: [Double(bytes)]) }
        guard let empty = sizes[emptyProgram], let runtime = sizes[runtimeProgram] else { return [] }
        let base = [
            BenchmarkReport.Row(name: "empty program", about: "prints a number; stripped", figure: figure(empty)),
            BenchmarkReport.Row(
                name: "with PreferencesRuntime",
                about: "reads and sets one preference of Preferences.shared, through a generated accessor",
                figure: figure(runtime),
                peer: "empty program",
                peerFigure: figure(empty)
            ),
        ]
        return base
            + products.compactMap { product in
                sizes[product.name].map { size in
                    BenchmarkReport.Row(
                        name: "\(product.name) adds",
                        figure: figure(size - runtime)
                    )
                }
            }
    }

    // MARK: - The package of the programs

    private static func writePackage(in package: URL) throws {
        let repository = try repository()
        try write(manifest(dependingOn: repository), to: package.appending(path: "Package.swift"))
        let accessors = GeneratedAccessors.source(
            ofSchema: """
                {
                  "formatVersion": 1,
                  "namespaces": { "weather": { "keys": {
                    "temperature": { "type": "Double", "default": 21.5, "description": "The temperature." }
                  } } }
                }
                """
        )
        try write("print(1)\n", to: source("main.swift", of: emptyProgram, in: package))
        try write(program(), to: source("main.swift", of: runtimeProgram, in: package))
        try write(accessors, to: source("Accessors.swift", of: runtimeProgram, in: package))
        for product in products {
            try write(program(using: product), to: source("main.swift", of: product.name, in: package))
            try write(accessors, to: source("Accessors.swift", of: product.name, in: package))
        }
    }

    /// Returns the folder of this package's sources.
    static func repository() throws -> URL {
        let repository = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: repository.appending(path: "Package.swift").path) else {
            throw MissingDependency(remedy: "run the benchmarks in the checkout that they were built from")
        }
        return repository
    }

    static func manifest(dependingOn repository: URL) -> String {
        // SwiftPM identifies a package by the name of its folder.
        let identity = repository.lastPathComponent
        let targets =
            [(emptyProgram, []), (runtimeProgram, [runtimeProgram])]
            + products.map { ($0.name, [runtimeProgram, $0.name]) }
        let declarations = targets.map { program, products in
            let dependencies = products.map { ".product(name: \"\($0)\", package: \"\(identity)\")" }
            return
                ".executableTarget(name: \"\(program)Program\", dependencies: [\(dependencies.joined(separator: ", "))])"
        }
        return """
            // swift-tools-version: 6.1
            import PackageDescription

            let package = Package(
                name: "ExecutableSize",
                platforms: [.macOS(.v15)],
                dependencies: [.package(path: "\(repository.path)")],
                targets: [
                    \(declarations.joined(separator: ",\n        "))
                ]
            )

            """
    }

    private static func program(using product: Product? = nil) -> String {
        """
        import Foundation
        import PreferencesRuntime
        \(product.map { "import \($0.name)" } ?? "")

        let weather = Preferences.shared.weather
        weather.temperature += 1
        print(weather.temperature)

        """
            + (product.map { product in
                """
                // The compiler cannot leave out what depends on an argument.
                let file = CommandLine.arguments[0]
                func use(_ store: some PreferenceStore) { print(Preferences(store: store).weather.temperature) }
                \(product.statements)

                """
            } ?? "")
    }

    private static func source(_ name: String, of program: String, in package: URL) -> URL {
        package.appending(path: "Sources/\(program)Program/\(name)")
    }

    private static func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
