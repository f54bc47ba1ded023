/// What the tool can be told to do.
enum Command: String, CaseIterable {
    case generate
    case check
    case lint
    case `import`
    case rules
}
