/// A property as the Objective-C runtime describes it: `T@"NSString",C,N,V_name`.
package struct PropertyDeclaration {
    let name: String
    /// What it is in the encoding of `@encode`: `q`, `@"NSString"`.
    package let encoding: String
    /// Whether it is declared to be read only.
    let isReadOnly: Bool

    private let booleansAreCharacters: Bool

    /// - Parameters:
    ///   - name: Its name.
    ///   - attributes: What `property_getAttributes` gives. Its parts are separated by commas, and the first, which alone may
    ///     have commas in it, is the type.
    ///   - booleansAreCharacters: Whether `BOOL` is a `signed char`, as on Macs with processors of Intel; by default,
    ///     whether this is one.
    package init?(name: String, attributes: String, booleansAreCharacters: Bool? = nil) {
        guard attributes.hasPrefix("T") else { return nil }
        var depth = 0
        var isQuoted = false
        let encoding = attributes.dropFirst().prefix { character in
            switch character {
            case "\"": isQuoted.toggle()
            case "{", "(", "[": depth += 1
            case "}", ")", "]": depth -= 1
            default: break
            }
            return character != "," || isQuoted || depth > 0
        }
        self.name = name
        self.booleansAreCharacters = booleansAreCharacters ?? Self.isMacOfIntel
        self.encoding = String(encoding)
        isReadOnly = attributes.dropFirst(1 + encoding.count).split(separator: ",").contains("R")
    }

    /// Whether it is a number or a truth value, and never without one.
    package var isScalar: Bool { !encoding.hasPrefix("@") }

    /// What it takes; nil where that is no preference value.
    var type: ObjectType? {
        switch encoding {
        case "B": .value(Bool.self)
        case "c": booleansAreCharacters ? .booleanOrInt8 : .value(Int8.self)
        case "s": .value(Int16.self)
        // On 64-bit platforms a C `long` is encoded as `q`, and this has 32 bits.
        case "i", "l": .value(Int32.self)
        case "q": .value(Int64.self)
        case "C": .value(UInt8.self)
        case "S": .value(UInt16.self)
        case "I", "L": .value(UInt32.self)
        case "Q": .value(UInt64.self)
        case "f": .value(Float.self)
        case "d": .value(Double.self)
        case "@": .anything
        case _ where encoding.hasPrefix("@\"") && encoding.hasSuffix("\""):
            ObjectType(className: String(encoding.dropFirst(2).dropLast()))
        default: nil
        }
    }

    /// The methods that key-value coding looks for to read it. Where an object has none of them it would look for
    /// variables, and raise an exception in the end.
    package var getters: [String] { ["get\(capitalizedName)", name, "is\(capitalizedName)", "_\(name)"] }

    /// The methods that key-value coding looks for to set it.
    package var setters: [String] { ["set\(capitalizedName):", "_set\(capitalizedName):"] }

    private var capitalizedName: String { name.prefix(1).uppercased() + name.dropFirst() }

    private static var isMacOfIntel: Bool {
        #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
            true
        #else
            false
        #endif
    }
}
