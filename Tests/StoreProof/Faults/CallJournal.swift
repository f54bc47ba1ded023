import Foundation

/// The calls that concerned a folder, in their order, and what was said in between.
struct CallJournal {
    enum Outcome {
        case done
        case failed
        /// By a signal, which says nothing of what the call was for.
        case interrupted

        /// - Parameter code: The value of `errno`; 0 for none, and -1 for a call that did half of what it was asked to.
        init(code: CInt) {
            self = code <= 0 ? .done : code == EINTR ? .interrupted : .failed
        }
    }

    enum Line {
        case call(FaultLayer.Call, Outcome, path: String, target: String)
        case words(String)
    }

    let lines: [Line]

    /// - Parameter text: A line for each: the call, what it failed with, one or two paths, with tabs in between.
    init(_ text: String) {
        lines = text.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, let call = FaultLayer.Call(rawValue: fields[0]) else {
                return .words(String(line))
            }
            return .call(call, Outcome(code: CInt(fields[1]) ?? 0), path: fields[2], target: fields[3])
        }
    }

    var calls: [FaultLayer.Call] {
        lines.compactMap { if case .call(let call, _, _, _) = $0 { call } else { nil } }
    }

    /// Whether a call of a kind has failed.
    func hasFailed(_ kind: FaultLayer.Call) -> Bool {
        lines.contains { if case .call(kind, .failed, _, _) = $0 { true } else { false } }
    }

    /// The line that stands for an acknowledgement.
    static let acknowledgement = "acknowledged"
}

extension CallJournal {
    /// The calls in short, for people: `create .preferences.json.tmp-1, write …, sync! …`.
    var text: String {
        lines.map { line in
            switch line {
            case .words(let words): words
            case .call(let call, let outcome, let path, _):
                "\(call.rawValue)\(outcome == .done ? "" : "!") \(path.split(separator: "/").last ?? "")"
            }
        }.joined(separator: ", ")
    }
}
