extension [UInt8] {
    /// Changes one place at random, whatever that does to the text.
    mutating func mutate(from corpus: Corpus, _ random: inout some RandomNumberGenerator) {
        guard let index = indices.randomElement(using: &random) else {
            self = corpus.texts.randomElement(using: &random) ?? []
            return
        }
        let end = Swift.min(count, index + Int.random(in: 1...32, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: self[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: self[index] = UInt8.random(in: 0...255, using: &random)
        case 2: self[index] = Array("\"\\{}[],:0-+.eE/*\n\r\t \u{0}tfn".utf8).randomElement(using: &random) ?? 0
        case 3: removeSubrange(index..<end)
        case 4: insert(contentsOf: Array(self[index..<end]), at: index)
        case 5: removeSubrange(index...)
        case 6:
            let other = corpus.texts.randomElement(using: &random) ?? []
            let start = Int.random(in: 0...other.count, using: &random)
            replaceSubrange(index..., with: other[start...])
        case 7: insert(contentsOf: Array(OddValues.scalar(&random).utf8), at: index)
        default:
            let piece: [[UInt8]] = [
                [0xEF, 0xBB, 0xBF], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            ]
            insert(contentsOf: piece.randomElement(using: &random) ?? [], at: index)
        }
    }
}
