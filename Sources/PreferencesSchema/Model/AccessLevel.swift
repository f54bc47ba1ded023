/// The visibility of what is generated, narrowest first.
package enum AccessLevel: String, CaseIterable, Comparable, Sendable {
    case `fileprivate`
    case `internal`
    case package
    case `public`

    package static func < (first: Self, second: Self) -> Bool {
        first.breadth < second.breadth
    }

    private var breadth: Int {
        switch self {
        case .fileprivate: 0
        case .internal: 1
        case .package: 2
        case .public: 3
        }
    }
}
