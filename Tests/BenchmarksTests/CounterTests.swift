import Testing

@testable import Benchmarks

@Suite("Counters")
struct CounterTests {
    @Test("Each of ten parts costs a tenth of their difference")
    func differences() throws {
        let subject = Subject.each(
            of: 10,
            with: Subject(unit: .instructions) { 1250 },
            without: Subject(unit: .instructions) { 250 }
        )
        #expect(try subject.sample() == 100)
        #expect(subject.unit == .instructions)
    }

    @Test("A subject cannot be measured without its base")
    func missingBase() {
        let subject = Subject.each(
            of: 10,
            with: Subject { 1250 },
            without: Subject { throw MissingDependency(remedy: "install it") }
        )
        #expect(throws: MissingDependency.self) { try subject.sample() }
    }

    @Test("A counter's count is read from its output")
    func counts() {
        let perf = "# started on Wed Nov 25\n\n1234567,,instructions:u,990000,100.00,,\n"
        #expect(InstructionCounter.perf.count(in: perf) == 1_234_567)
        let callgrind = "version: 1\nevents: Ir\nfn=(1) main\n16 400\ntotals: 98765432\n"
        #expect(InstructionCounter.callgrind.count(in: callgrind) == 98_765_432)
        let memcheck =
            "==1== HEAP SUMMARY:\n==1==   total heap usage: 12,345 allocs, 12,001 frees, 1,234,567 bytes allocated\n"
        #expect(AllocationCounter.count(in: memcheck) == 12_345)
    }

    @Test("Output without a count gives nil")
    func unsupportedCounters() {
        #expect(InstructionCounter.perf.count(in: "<not supported>,,instructions:u,0,100.00,,\n") == nil)
        #expect(InstructionCounter.callgrind.count(in: "") == nil)
        #expect(AllocationCounter.count(in: "==1== HEAP SUMMARY:\n") == nil)
    }
}
