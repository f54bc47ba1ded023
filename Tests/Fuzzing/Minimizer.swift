/// Shortens an input while a condition holds.
struct Minimizer {
    private let holds: (FuzzedInput) throws -> Bool

    /// The maximum number of tries, each of which starts a process.
    private static let maximumTries = 2_000

    init(_ holds: @escaping (FuzzedInput) throws -> Bool) {
        self.holds = holds
    }

    func minimized(_ input: FuzzedInput) throws -> FuzzedInput {
        var input = input
        var tries = 0
        func isEnough(_ candidate: FuzzedInput) throws -> Bool {
            tries += 1
            return try tries < Self.maximumTries && holds(candidate)
        }
        for index in input.texts.indices.reversed() where input.texts.count > 1 {
            var candidate = input
            candidate.texts.remove(at: index)
            if try isEnough(candidate) { input = candidate }
        }
        for index in input.texts.indices {
            func with(_ text: [UInt8]) -> FuzzedInput {
                var candidate = input
                candidate.texts[index] = text
                return candidate
            }
            if let tree = JSONTree(input.texts[index]) {
                let shorter = try tree.minimized { try isEnough(with(Array($0.text.utf8))) }
                let candidate = with(Array(shorter.text.utf8))
                if try isEnough(candidate) { input = candidate }
            }
            input = with(try input.texts[index].minimized { try isEnough(with($0)) })
        }
        return input
    }
}

extension JSONTree {
    /// Removes every member and element that the condition does not need.
    fileprivate func minimized(_ holds: (JSONTree) throws -> Bool) rethrows -> JSONTree {
        var tree = self
        var index = 1
        while index < tree.count {
            let shorter = tree.removing(index)
            // The next value takes the index of the removed one.
            if try holds(shorter) { tree = shorter } else { index += 1 }
        }
        return tree
    }

    /// Returns the tree without the member or element at an index.
    private func removing(_ index: Int) -> JSONTree {
        switch self {
        case .scalar: return self
        case .array(var elements):
            var left = index - 1
            for place in elements.indices {
                let count = elements[place].count
                if left == 0 {
                    elements.remove(at: place)
                    break
                }
                if left < count {
                    elements[place] = elements[place].removing(left)
                    break
                }
                left -= count
            }
            return .array(elements)
        case .object(var members):
            var left = index - 1
            for place in members.indices {
                let count = members[place].value.count
                if left == 0 {
                    members.remove(at: place)
                    break
                }
                if left < count {
                    members[place].value = members[place].value.removing(left)
                    break
                }
                left -= count
            }
            return .object(members)
        }
    }
}

extension [UInt8] {
    /// Removes every range that the condition does not need, large ranges first.
    fileprivate func minimized(_ holds: ([UInt8]) throws -> Bool) rethrows -> [UInt8] {
        var bytes = self
        var length = count / 2
        while length > 0 {
            var start = 0
            while start < bytes.count {
                var shorter = bytes
                shorter.removeSubrange(start..<Swift.min(start + length, bytes.count))
                if try holds(shorter) { bytes = shorter } else { start += length }
            }
            length /= 2
        }
        return bytes
    }
}
