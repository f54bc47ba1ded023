/// Where host files are, and what is said to mend their regions.
struct HostArguments {
    /// Nil where neither the command line nor a configuration names one.
    var directory: String?
    /// A command line; nil for that of this tool.
    var mendingCommand: String?
    /// Whether there are no schemas but those that are given.
    var knowsAllSchemas = false

    static let options = ["--host-directory", "--mend-with", "--no-other-schemas"]

    /// Takes an option; false where it is none of these.
    mutating func take(_ option: ArgumentWords.Option, _ words: inout ArgumentWords) throws(UsageError) -> Bool {
        switch option.name {
        case "--host-directory": directory = try words.value(of: option)
        case "--mend-with": mendingCommand = try words.value(of: option)
        case "--no-other-schemas": try words.set(&knowsAllSchemas, by: option)
        default: return false
        }
        return true
    }
}
