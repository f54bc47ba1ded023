/// The arguments of `generate`.
struct GenerateArguments {
    var schemas = SchemaArguments()
    /// One path for each schema, or none at all; `-` is standard output.
    var outputs: [String] = []
    var hosts = HostArguments()
    /// Whether regions of host files are checked instead of written.
    var onlyChecksHosts = false
    /// Whether regions that were edited by hand are written too.
    var discardsEdits = false

    static let options = ["--check-hosts", "--force"]

    init(_ words: inout ArgumentWords) throws(UsageError) {
        var outputs = OutputArguments.none
        while let word = words.next() {
            switch word {
            case .plain(let path): schemas.paths.append(path)
            case .option(let option):
                if try schemas.take(option, &words) { continue }
                if try outputs.take(option, &words) { continue }
                if try hosts.take(option, &words) { continue }
                switch option.name {
                case "--check-hosts": try words.set(&onlyChecksHosts, by: option)
                case "--force": try words.set(&discardsEdits, by: option)
                default: throw words.unknown(option)
                }
            }
        }
        try schemas.check()
        if onlyChecksHosts, discardsEdits {
            throw UsageError(message: "'--check-hosts' and '--force' exclude each other; give one of them")
        }
        if case .none = outputs, hosts.directory == nil, schemas.configuration == nil {
            throw UsageError(
                message: "'generate' needs '--output FILE' for each schema, '--output-directory DIR', "
                    + "or '--host-directory DIR'"
            )
        }
        self.outputs = try outputs.paths(of: schemas.paths)
    }
}
