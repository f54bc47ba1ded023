extension Preferences {
    /// A value that belongs to one function, and outlives its calls, and the program.
    ///
    /// ```swift
    /// func remind() {
    ///     let count = preferences.functionLocal(default: 0)
    ///     count.value += 1
    ///     if count.value.isMultiple(of: 10) { showReminder() }
    /// }
    /// ```
    ///
    /// It is stored under the name of the file and the function, `App/Reminders.swift:remind()`. Overloads of one name in
    /// one file, and methods of one name of two types in one file, share it, unless each gives its own `name`. A function
    /// that moves to another file, or has another name, begins anew.
    ///
    /// - Parameters:
    ///   - name: Tells it from others of the function; empty by default.
    ///   - default: What it is at first.
    ///   - function: The function, as `#function` has it.
    ///   - fileID: The file, as `#fileID` has it.
    public func functionLocal<Value: PreferenceConvertible>(
        _ name: String = "",
        default: Value,
        function: StaticString = #function,
        fileID: StaticString = #fileID
    ) -> PreferenceReference<Value> {
        let scope = "\(fileID):\(function)"
        return PreferenceReference(name.isEmpty ? scope : "\(scope):\(name)", default: `default`, in: self)
    }
}
