/// Numbers for people.
enum Figures {
    /// `12,345`.
    static func text(_ number: Int) -> String {
        var digits = Array(String(number))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return String(digits)
    }
}
