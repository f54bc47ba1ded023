/// The arguments of `check`.
struct CheckArguments {
    var schemas = SchemaArguments()
    /// One path for each schema, or none at all.
    var outputs: [String] = []
    var hosts = HostArguments()

    init(_ words: inout ArgumentWords) throws(UsageError) {
        var outputs = OutputArguments.none
        while let word = words.next() {
            switch word {
            case .plain(let path): schemas.paths.append(path)
            case .option(let option):
                if try schemas.take(option, &words) { continue }
                if try outputs.take(option, &words) { continue }
                if try hosts.take(option, &words) { continue }
                throw words.unknown(option)
            }
        }
        try schemas.check()
        if case .none = outputs, hosts.directory == nil, schemas.configuration == nil {
            throw UsageError(
                message: "'check' needs '--output FILE' for each schema, '--output-directory DIR', "
                    + "or '--host-directory DIR'; 'lint' checks schemas alone"
            )
        }
        self.outputs = try outputs.paths(of: schemas.paths)
        if self.outputs.contains("-") {
            throw UsageError(message: "'check' compares files; '--output -' names none")
        }
    }
}
