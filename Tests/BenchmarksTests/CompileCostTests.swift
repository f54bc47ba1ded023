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
}
