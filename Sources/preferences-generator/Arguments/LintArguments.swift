/// The arguments of `lint`.
struct LintArguments {
    /// Its paths may be those of folders.
    var schemas = SchemaArguments()

    init(_ words: inout ArgumentWords) throws(UsageError) {
        while let word = words.next() {
            switch word {
            case .plain(let path): schemas.paths.append(path)
            case .option(let option):
                if try schemas.take(option, &words) { continue }
                throw words.unknown(option)
            }
        }
        try schemas.check()
    }
}
