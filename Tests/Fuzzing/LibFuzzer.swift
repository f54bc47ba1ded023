#if LIBFUZZER
    import TestSupport

    // LLVM's libFuzzer has its own `main`, and no header that Swift can import. All parameters are pointers and
    // integers, which Swift passes like C.

    @_silgen_name("LLVMFuzzerMutate")
    private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

    private let corpus = try? Corpus.inRepository()

    @_cdecl("LLVMFuzzerTestOneInput")
    func testOneInput(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
        let verdict = Oracle.check(FuzzedInput(Array(UnsafeBufferPointer(start: data, count: count))))
        guard verdict.violations.isEmpty else { fatalError(verdict.violations.joined(separator: "\n")) }
        return 0
    }

    /// Half of the mutations are libFuzzer's mutations of bytes. The other half change the input as JSON.
    @_cdecl("LLVMFuzzerCustomMutator")
    func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: CUnsignedInt) -> Int {
        var random = SeededRandom(seed: UInt64(seed))
        var input = FuzzedInput(Array(UnsafeBufferPointer(start: data, count: count)))
        guard Bool.random(using: &random), let corpus, let index = input.texts.indices.randomElement(using: &random)
        else { return mutateBytes(data, count, limit) }
        input.texts[index].mutateAsTree(from: corpus, times: Int.random(in: 1...3, using: &random), &random)
        let bytes = input.bytes
        guard bytes.count <= limit else { return mutateBytes(data, count, limit) }
        _ = UnsafeMutableBufferPointer(start: data, count: limit).update(fromContentsOf: bytes)
        return bytes.count
    }
#endif
