import PreferencesSchema

extension JSONNode {
    /// The names and indices that lead to the innermost member or value that has a position in it.
    func path(to position: TextPosition, in lines: LineTable) -> [String] {
        func contains(_ range: Range<Int>) -> Bool {
            lines.position(at: range.lowerBound) <= position && position < lines.position(at: range.upperBound)
        }
        switch content {
        case .object(let members):
            for member in members {
                if contains(member.nameRange) { return [member.name] }
                if contains(member.value.range) { return [member.name] + member.value.path(to: position, in: lines) }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() where contains(element.range) {
                return ["\(index)"] + element.path(to: position, in: lines)
            }
        default: break
        }
        return []
    }
}
