import Testing

@testable import Benchmarks

@Suite("The cost of compiling accessors")
struct CompileCostTests {
    @Test("The baseline accessors have the types and defaults of generated ones, and call nothing")
    func emptyBodies() {
        let source = CompileCost.generatedSource()
        #expect(source.contains(#"{ _Accessor.getInt(self, "space0:key3", default: 50) }"#))
        let empty = CompileCost.withEmptyBodies(source)
        #expect(empty.contains("public var key3: Int {\n        get { 50 }\n        nonmutating set {}\n    }"))
        #expect(!empty.contains("_Accessor"))
    }

    @Test("With a catalogue, the source has the same accessors, and a description of each key")
    func catalogue() {
        let (source, catalogued) = (CompileCost.generatedSource(), CompileCost.generatedSource(hasCatalogue: true))
        let calls = { (text: String) in text.split(separator: "\n").filter { $0.contains("_Accessor.") } }
        #expect(calls(catalogued) == calls(source))
        #expect(catalogued.split(separator: "\n").filter { $0.contains("keys.append(") }.count == 1_000)
        #expect(!source.contains("Catalogue"))
    }
}
