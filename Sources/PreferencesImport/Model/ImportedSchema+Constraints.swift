extension ImportedSchema {
    /// Takes away what the keys' own defaults would break: a schema must keep its word.
    mutating func dropBrokenConstraints(path: String, remarks: inout [Remark]) {
        root.dropBrokenConstraints(path: path, remarks: &remarks)
    }
}

extension ImportedNamespace {
    fileprivate mutating func dropBrokenConstraints(path: String, remarks: inout [Remark]) {
        for index in keys.indices { keys[index].dropBrokenConstraints(path: path, remarks: &remarks) }
        for index in namespaces.indices { namespaces[index].dropBrokenConstraints(path: path, remarks: &remarks) }
    }
}

extension ImportedKey {
    fileprivate mutating func dropBrokenConstraints(path: String, remarks: inout [Remark]) {
        func remark(_ message: String) {
            remarks.append(
                Remark(path: self.path ?? path, line: line, message: "\(message) of key '\(id)' is left out")
            )
        }
        if let low = minimum.flatMap(Double.init), let high = maximum.flatMap(Double.init), low > high {
            remark("the range \(minimum ?? "") to \(maximum ?? ""), which is empty,")
            (minimum, maximum) = (nil, nil)
        }
        if case .number(let text)? = defaultValue, let value = Double(text) {
            if let bound = minimum, let low = Double(bound), value < low {
                remark("the minimum \(bound), which is above the default \(text),")
                minimum = nil
            }
            if let bound = maximum, let high = Double(bound), value > high {
                remark("the maximum \(bound), which is below the default \(text),")
                maximum = nil
            }
        }
        if let value = defaultValue, value != .null, !choices.isEmpty, !choices.contains(value) {
            remark("the list of choices, which the default is none of,")
            choices = []
        }
        if case .array(let values)? = defaultValue, !elementChoices.isEmpty,
            !values.allSatisfy(elementChoices.contains)
        {
            remark("the list of choices, which the default is not all of,")
            elementChoices = []
        }
    }
}
