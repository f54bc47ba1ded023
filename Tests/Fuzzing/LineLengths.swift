import PreferencesSchema

/// How many bytes each line of a text has: counted otherwise than by what is tested.
struct LineLengths {
    private var lengths: [Int] = []

    init(_ bytes: [UInt8]) {
        var length = 0
        for (index, byte) in bytes.enumerated() {
            length += 1
            guard byte == 0x0A || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A) else {
                continue
            }
            lengths.append(length)
            length = 0
        }
        // The end of the text is a place too.
        lengths.append(length + 1)
    }

    func have(_ position: TextPosition) -> Bool {
        lengths.indices.contains(position.line - 1) && (1...lengths[position.line - 1]).contains(position.column)
    }
}
