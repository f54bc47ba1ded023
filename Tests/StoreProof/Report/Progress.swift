import Foundation

/// Tells on standard error how far a proof is: one line that is written over on a terminal, else one each ten seconds.
final class Progress {
    private let label: String
    private var last = ContinuousClock.now
    private static let isTerminal = isatty(2) == 1

    init(_ label: String) {
        self.label = label
        Self.write("\(label)\n")
    }

    func note(_ done: Int, of total: Int) {
        guard ContinuousClock.now - last > .seconds(Self.isTerminal ? 1 : 10) else { return }
        last = .now
        Self.write("  \(Figures.text(done)) of \(Figures.text(total))" + (Self.isTerminal ? "\r" : "\n"))
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
