/// What the tool tells the one who ran it.
enum ExitStatus: Int32 {
    case success = 0
    /// A schema is at fault.
    case schemaFault = 1
    /// The command line is at fault.
    case usage = 2
    /// A file cannot be read or written.
    case system = 3
}
