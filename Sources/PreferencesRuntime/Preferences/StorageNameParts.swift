extension StringProtocol {
    /// The ways to divide a storage name at a colon, the first colon first: of `a:b:c` they are `a` and `b:c`, and `a:b`
    /// and `c`.
    ///
    /// Bytes are searched, because a colon that is followed by a combining mark is not a `Character` of its own.
    var divisionsAtColons: [(namespace: String, rest: String)] {
        utf8.indices.filter { utf8[$0] == UInt8(ascii: ":") }.map { colon in
            (String(self[..<colon]), String(self[utf8.index(after: colon)...]))
        }
    }
}
