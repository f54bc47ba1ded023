import Foundation
import Testing

@testable import Benchmarks

@Suite("The benchmark executable-size")
struct ExecutableSizeTests {
    @Test("The report shows the size of the programs, and the difference that each product makes")
    func report() {
        var report = BenchmarkReport("executable-size", summary: "Sizes.", repeats: 1)
        let sizes = [
            "Empty": 10 << 10, "PreferencesRuntime": 2 << 20, "PreferencesSQLite": (2 << 20) + (300 << 10),
            "PreferencesRemote": (2 << 20) + (150 << 10),
        ]
        for row in ExecutableSize.rows(for: sizes) { report.add(row) }
        #expect(
            report.text
                == """
                executable-size: Sizes.
                Each figure was taken once.

                                               here  against           there  ratio
                  empty program            10.0 KiB
                  with PreferencesRuntime  2.00 MiB  empty program  10.0 KiB    205
                  PreferencesSQLite adds    300 KiB
                  PreferencesRemote adds    150 KiB

                  empty program: prints a number; stripped
                  with PreferencesRuntime: reads and sets one preference of Preferences.shared, through a generated accessor

                """
        )
    }

    @Test("Without the size of a program with PreferencesRuntime, the report is empty")
    func missingBase() {
        #expect(ExecutableSize.rows(for: ["Empty": 1, "PreferencesSQLite": 2]).isEmpty)
    }

    @Test("The package has a program for every product, which depends on the product and on the runtime")
    func manifest() {
        let manifest = ExecutableSize.manifest(dependingOn: URL(filePath: "/a/swift-preferences"))
        #expect(manifest.contains(#".package(path: "/a/swift-preferences")"#))
        for product in ExecutableSize.products {
            let runtime = #".product(name: "PreferencesRuntime", package: "swift-preferences")"#
            let dependency = #".product(name: "\#(product.name)", package: "swift-preferences")"#
            let program =
                #".executableTarget(name: "\#(product.name)Program", dependencies: [\#(runtime), \#(dependency)])"#
            #expect(manifest.contains(program))
        }
        #expect(manifest.contains(#".executableTarget(name: "EmptyProgram", dependencies: [])"#))
    }
}
