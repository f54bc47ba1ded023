/// An error in the words of `swift package preferences`, or in the package.
enum CommandFailure: Error, CustomStringConvertible {
    case noAction
    case unknownWord(String)
    case unwantedWord(String, after: CommandRequest.Action)
    case unknownOption(String)
    case unwantedValue(String, option: String)
    case noTargetName
    case unknownTarget(String, among: [String])
    case forceWithout(CommandRequest.Action)
    case noSchema(targetName: String)
    case noSchemas
    case failed(CommandRequest.Action, targetNames: [String])

    var description: String {
        switch self {
        case .noAction:
            "say what to do: 'update', 'check' or 'lint'; 'preferences --help' tells more"
        case .unknownWord(let word):
            "'\(word.printable)' is none of 'update', 'check' and 'lint'; 'preferences --help' tells more"
        case .unwantedWord(let word, let action):
            "'\(word.printable)' follows '\(action.rawValue)', and only one action can be given; "
                + "name a target as '--target NAME'"
        case .unknownOption(let option):
            "there is no option '\(option.printable)'; 'preferences --help' lists the options"
        case .unwantedValue(let value, let option):
            "'\(option)' has no value, and was given '\(value.printable)'; write '\(option)' alone"
        case .noTargetName:
            "'--target' has no value; write '--target NAME'"
        case .unknownTarget(let name, let names):
            "there is no Swift target '\(name.printable)'; "
                + "the targets are \(names.map { "'\($0)'" }.joined(separator: ", "))"
        case .forceWithout(let action):
            "'--force' goes with 'update'; '\(action.rawValue)' writes nothing"
        case .noSchema(let name):
            "target '\(name)' has no schema; add 'NAME\(schemaSuffix)' to its folder, "
                + "or '\(schemasFolder)/\(name)\(schemaSuffix)' to the package"
        case .noSchemas:
            "no target has a schema; add 'NAME\(schemaSuffix)' to a target's folder, "
                + "or '\(schemasFolder)/TARGET\(schemaSuffix)' to the package"
        case .failed(.update, let names):
            "nothing was written for \(names.joined(separator: ", "))"
        case .failed(_, let names):
            "not everything is in order in \(names.joined(separator: ", "))"
        }
    }
}
