import Foundation
import TestSupport
import Testing

/// Bodies of watchers that the compiler accepts and rejects in Swift 6 mode.
@Suite("Compiling the bodies of watchers")
struct WatchCompilationTests {
    @Test(
        "The compiler accepts bodies that share no state",
        arguments: [
            // On the main actor, all its state may be used, before and after.
            "@MainActor func f() { var seen: [Int] = []; count.watch(\\.count) { seen.append($0.new) }; print(seen) }",
            "@MainActor final class C { var n = 0; func f() { count.watch(\\.count) { [weak self] in self?.n = $0.new } } }",
            "actor A { var n = 0; let box = Box(); func f() { count.watch(\\.count) { self.n = $0.new; self.box.n += 1 } } }",
            "func f() { count.watch(\\.count) { print($0.new) } }",
            // A sent value is used only by the body.
            "func f() { let box = Box(); count.watch(\\.count) { box.n = $0.new } }",
            "func f() { let box = Box(); count.watch(anyOf: [\\.count]) { box.n += 1 } }",
            "func f() { count.watch(\\.count) { @MainActor in shared.n = $0.new } }",
            "actor A: Counting { let preferences = Preferences.shared; var n = 0; init() { watch(\\.count) { $0.n = $1.new } } }",
            "actor A: Counting { let preferences = Preferences.shared; var n = 0; init() { watch(anyOf: [\\.count]) { $0.n += 1 } } }",
            "actor A: Counting { let preferences = Preferences.shared; var n = 0; func f() { watch(anyOf: [\\.count]) { self.n += 1 } } }",
            // Owners of all kinds, and nonisolated properties.
            "extension Sum { func f() { watch(\\.count) { _ in }; _ = changes(\\.count); didChange(of: \\.count) { _ in } } }",
            "extension Sum { nonisolated var twice: Int { 2 * count }; func f() { watch(\\.twice) { _ in } } }",
            "final class C: Counting { let preferences = Preferences.shared; func f() { watch(\\.count) { _ in } } }",
        ]
    )
    func safeBodiesCompile(_ source: String) async throws {
        let run = try await Self.compile(source)
        #expect(run.succeeded)
        #expect(run.output == "")
    }

    @Test(
        "The compiler rejects bodies that share state",
        arguments: [
            // The thread that makes a change would use shared state.
            "func f() { let box = Box(); count.watch(\\.count) { box.n = $0.new }; box.n = 1 }",
            "func f() { var n = 0; count.watch(\\.count) { n = $0.new }; print(n) }",
            "final class C { var n = 0; func f() { count.watch(\\.count) { self.n = $0.new } } }",
            "final class C { var n = 0; func f() { count.watch(anyOf: [\\.count]) { [weak self] in self?.n = 1 } } }",
            "final class C { var n = 0; func f() { count.watch(\\.count, on: .main) { _ in self.n = 1 } } }",
            "func f() { count.watch(\\.count) { shared.n = $0.new } }",
            // It would read state of the main actor.
            "extension Sum { func f() { watch(\\.sum) { _ in } } }",
            "extension Sum { func f() { watch(anyOf: [\\.sum]) {} } }",
            "extension Sum { func f() { _ = changes(\\.sum) } }",
            "extension Sum { func f() { didChange(of: \\.sum) { _ in } } }",
        ]
    )
    func unsafeBodiesDoNotCompile(_ source: String) async throws {
        let run = try await Self.compile(source)
        #expect(!run.succeeded)
        // The compiler has several messages for this.
        let errors = run.output.split(separator: "\n").filter {
            $0.contains("Use.swift:") && $0.contains(": error: ")
        }
        #expect(!errors.isEmpty, "\(run.output)")
    }

    /// Overloads that differ only in the parameters of the body would cause errors about these.
    @Test(
        "The compiler names a misspelled property",
        arguments: [
            "func f() { count.watch(\\.cuont) { print($0.new) } }",
            "func f() { count.watch(\\.count) { print($0.cuont) } }",
            "func f() { count.watch(\\.count, on: .main) { print($0.cuont) } }",
            "func f() { count.watch(anyOf: [\\.count, \\.cuont]) { print() } }",
            "func f() { count.watch(anyOf: [\\.count]) { print(count.cuont) } }",
            // Of another type, for example of a namespace.
            "func f() { Preferences.shared.reset(\\.cuont) }",
            "func f() { _ = Preferences.shared.isSet(\\.cuont) }",
        ]
    )
    func misspelledPropertiesAreNamed(_ source: String) async throws {
        let run = try await Self.compile(source)
        let errors = run.output.split(separator: "\n").filter { $0.contains("Use.swift:") && $0.contains(": error: ") }
        #expect(errors.count == 1)
        #expect(errors.allSatisfy { $0.hasSuffix("has no member 'cuont'") })
    }

    private static func compile(_ source: String) async throws -> CommandLineRun {
        try await Compiler.compile(["Use.swift": prelude + source + "\n"], importing: ["PreferencesRuntime"])
    }

    private static let prelude = """
        import Dispatch
        import PreferencesRuntime

        protocol Counting: PreferenceAccessors {}
        extension Counting { var count: Int { get { get("count", default: 0) } } }
        struct Counts: Counting { let preferences: Preferences }
        let count = Counts(preferences: .shared)
        final class Box { var n = 0 }
        @MainActor let shared = Box()
        @MainActor final class Sum: Counting {
            nonisolated let preferences = Preferences.shared
            var n = 0
            var sum: Int { n + count }
        }

        """
}
