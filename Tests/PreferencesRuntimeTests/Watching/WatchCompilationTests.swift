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
            "actor A: Counting { let preferences = Preferences.shared; var n = 0; init() { watch(\\.count, with: self) { $0.n = $1.new } } }",
            "actor A: Counting { let preferences = Preferences.shared; var n = 0; init() { watch(anyOf: [\\.count], with: self) { $0.n += 1 } } }",
            "actor A: Counting { let preferences = Preferences.shared; var n = 0; func f() { watch(anyOf: [\\.count]) { self.n += 1 } } }",
            // Bodies that take nothing.
            "func f() { count.watch(changesOf: \\.count) {} }",
            "func f() { count.watch(changesOf: \\.count) { print(1); print(2) } }",
            "func f() { count.watch(changesOf: \\.count, on: .main) { print(1) } }",
            "@MainActor func f() { count.watch(changesOf: \\.count) { shared.n = 1 } }",
            // Bodies that receive an object.
            "func f() { count.watch(\\.count, with: home) { home, change in print(home.n, change.new) } }",
            "func f() { home.watch(anyOf: [\\.count], with: home) { print($0.n) } }",
            "func f() { count.watch(\\.count, with: home) { @MainActor in shared.n = $0.n + $1.new } }",
            "extension Sum { func f() { watch(\\.count, with: self) { $0.n = $1.new; shared.n = 1 } } }",
            "@MainActor func f() { count.watch(\\.count, with: shared) { box, change in box.n = change.new } }",
            "actor A { let box = Box(); func f() { count.watch(\\.count, with: box) { $0.n = $1.new } } }",
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
            "func f() { let box = Box(); count.watch(changesOf: \\.count) { box.n = 1 }; box.n = 1 }",
            "func f() { count.watch(changesOf: \\.count) { shared.n = 1 } }",
            "func f() { count.watch(\\.count, with: home) { shared.n = $1.new } }",
            "func f() { let box = Box(); count.watch(\\.count, with: box) { $0.n = $1.new } }",
            "func f() { let box = Box(); count.watch(anyOf: [\\.count], with: box) { $0.n = 1 } }",
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
            "func f() { count.watch(\\.count) { print(1); print($0.cuont) } }",
            "func f() { count.watch(\\.count) { change in print(change.cuont) } }",
            "func f() { count.watch(\\.count) { change in let x = change.cuont; print(x) } }",
            "func f() { count.watch(\\.count) { change in print(change.new.cuont) } }",
            "func f() { count.watch(\\.count) { change in take(change.new.cuont) } }",
            "func f() { count.watch(\\.count) { print(1); let x = $0.new.cuont; print(x) } }",
            "func f() { home.watch(\\.count) { print($0.cuont) } }",
            "func f() { count.watch(\\.count, with: home) { print($0.n, $1.new.cuont) } }",
            "func f() { count.watch(\\.count, on: .main) { print($0.cuont) } }",
            "func f() { count.watch(changesOf: \\.cuont) { print(1) } }",
            "func f() { count.watch(changesOf: \\.count) { print(count.cuont) } }",
            "func f() { count.watch(changesOf: \\.count) { print(1); print(count.cuont) } }",
            "func f() { count.watch(\\.cuont, with: home) { print($0.n, $1.new) } }",
            "func f() { count.watch(\\.count, with: home) { home, change in print(home.cuont) } }",
            "func f() { count.watch(\\.count, with: home) { home, change in let x = change.cuont; print(x) } }",
            "func f() { count.watch(\\.count, with: home) { print($0.n); print($1.cuont) } }",
            "@MainActor func f() { count.watch(\\.count, with: shared) { $0.cuont = $1.new } }",
            "extension Sum { func f() { watch(\\.count, with: self) { sum, change in sum.n = change.cuont } } }",
            "actor A { func f() { count.watch(\\.count, with: self) { $0.cuont = $1.new } } }",
            "actor A { func f() { count.watch(\\.count, with: self) { a, change in let x = change.cuont; print(x) } } }",
            "func f() { count.watch(anyOf: [\\.count], with: home) { print($0.cuont) } }",
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
        #expect(errors.count == 1, "\(run.output)")
        #expect(errors.allSatisfy { $0.hasSuffix("has no member 'cuont'") })
    }

    @Test(
        "The compiler names the types of a mismatch",
        arguments: [
            "func f() { count.watch(\\.count) { take($0.new) } }",
            "func f() { count.watch(\\.count) { print(1); take($0.new) } }",
            "func f() { count.watch(\\.count) { change in take(change.new) } }",
            "func f() { home.watch(\\.count) { change in take(change.new) } }",
            "func f() { count.watch(\\.count, on: .main) { take($0.new) } }",
            "func f() { count.watch(changesOf: \\.count) { take(count.count) } }",
            "func f() { count.watch(\\.count, with: home) { home, change in take(change.new) } }",
            "func f() { count.watch(\\.count, with: home) { home, change in print(1); take(change.new) } }",
            "actor A { func f() { count.watch(\\.count, with: self) { take($1.new) } } }",
        ]
    )
    func mismatchedTypesAreNamed(_ source: String) async throws {
        let run = try await Self.compile(source)
        let errors = run.output.split(separator: "\n").filter { $0.contains("Use.swift:") && $0.contains(": error: ") }
        #expect(errors.count == 1)
        #expect(
            errors.allSatisfy { $0.hasSuffix("cannot convert value of type 'Int' to expected argument type 'String'") }
        )
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
        final class Home: Counting, Sendable { let preferences = Preferences.shared; let n = 0 }
        let home = Home()
        func take(_ text: String) {}
        @MainActor final class Sum: Counting {
            nonisolated let preferences = Preferences.shared
            var n = 0
            var sum: Int { n + count }
        }

        """
}
