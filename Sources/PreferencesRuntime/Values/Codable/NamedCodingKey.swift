/// A coding key that is not a type's own: an index, or the place of a superclass.
struct NamedCodingKey: CodingKey {
    static let `super` = NamedCodingKey(stringValue: "super")

    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        self.intValue = nil
    }

    init(intValue: Int) {
        self.init(index: intValue)
    }

    init(index: Int) {
        self.stringValue = String(index)
        self.intValue = index
    }
}
