/// What a child has said of its writes before it was killed, and so what may be in the file then: what there was after
/// one of the writes between the last that was acknowledged and the last that was begun.
struct KilledWrites {
    /// What one write sets to its number.
    enum Kind: String, CaseIterable {
        /// The names of ``group``, in one batch.
        case group
        /// The name ``single``, alone.
        case single
    }

    static let group = ["a", "b", "c"]
    static let single = "single"

    /// What the file has after a write.
    struct State: Hashable, CustomStringConvertible {
        var group: Int64
        var single: Int64
        var description: String { "group \(group), single \(single)" }
    }

    /// After the last write that was acknowledged, and after each that was begun since. Nil stands for no file at all.
    private(set) var possible: [State?]
    private var numbers: [Int64]
    /// The number of the last write that was begun.
    private(set) var begun: Int64

    /// - Parameter start: What was there before; nil where there was nothing.
    init(after start: State?, number: Int64) {
        possible = [start]
        numbers = [number]
        begun = number
    }

    /// Notes that the write of all keys is begun, which the first child does.
    mutating func beginFilling(_ number: Int64) {
        append(State(group: number, single: number), number)
    }

    mutating func begin(_ number: Int64, _ kind: Kind) {
        guard var state = possible.last ?? nil else { return }
        switch kind {
        case .group: state.group = number
        case .single: state.single = number
        }
        append(state, number)
    }

    private mutating func append(_ state: State, _ number: Int64) {
        possible.append(state)
        numbers.append(number)
        begun = number
    }

    mutating func acknowledge(_ number: Int64) {
        guard let index = numbers.firstIndex(of: number) else { return }
        possible.removeFirst(index)
        numbers.removeFirst(index)
    }

    /// Whether a write was begun that was not acknowledged.
    var isInside: Bool { numbers.count > 1 }

    /// The number of the last write that was acknowledged.
    var acknowledged: Int64 { numbers[0] }
}
