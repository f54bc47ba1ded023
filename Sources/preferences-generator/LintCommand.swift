/// `preferences-generator lint`.
struct LintCommand {
    var options: CommandLineArguments.Options

    func run() -> ExitStatus {
        let files = SchemaFiles(options)
        Console.print(files.summary)
        return files.status
    }
}
