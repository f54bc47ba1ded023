/// A storage name as the words that it is made of, for places that spell names in their own way.
enum StorageNameWords {
    /// The words of a name: `weather-service:lastUpdate` has `weather`, `service`, `last`, `Update`; `baseURL2` has
    /// `base`, `URL2`.
    static func words(of name: String) -> [Substring] {
        name.split { !$0.isLetter && !$0.isNumber }.flatMap(wordsInCamelCase)
    }

    private static func wordsInCamelCase(_ text: Substring) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        for index in text.indices.dropFirst() {
            let previous = text[text.index(before: index)]
            let next = text[text.index(after: index)...].first
            // Before a capital that follows a small letter, or that begins a word after others: `aB`, `URLPath`.
            guard text[index].isUppercase,
                !previous.isUppercase || (next.map { $0.isLowercase } ?? false)
            else { continue }
            words.append(text[start..<index])
            start = index
        }
        return words + [text[start...]]
    }
}
