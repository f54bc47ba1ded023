import Foundation
import TestSupport
import Testing

struct ThreatModelTests {
    @Test("Each test that the threat model names is in a file of its name")
    func eachTestThatTheThreatModelNamesExists() throws {
        let page = Repository.folder.appending(
            path: "Sources/PreferencesRuntime/PreferencesRuntime.docc/ThreatModel.md"
        )
        let text = try String(contentsOf: page, encoding: .utf8)
        let named = Set(text.matches(of: #/`(\w+Tests)`/#).map { "\($0.1).swift" })
        #expect(named.count > 15)
        let files = FileManager.default.enumerator(atPath: Repository.folder.appending(path: "Tests").path)
        let names = Set((files?.compactMap { $0 as? String } ?? []).map { URL(filePath: $0).lastPathComponent })
        #expect(named.subtracting(names) == [])
    }
}
