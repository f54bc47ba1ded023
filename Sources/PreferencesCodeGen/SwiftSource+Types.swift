import PreferencesSchema

extension SwiftSource {
    /// Writes an enum.
    mutating func type(_ type: EnumType) {
        documentation([type.description ?? "The values of type `\(type.name.text)`."])
        let access = SwiftName.fileScopeModifier(type.access)
        let name = SwiftName.escaped(type.name.text)
        let inherited = [type.rawType.rawValue, "CaseIterable", "Codable", "PreferenceConvertible"]
        declaration("nonisolated \(access)enum \(name)", inherited)
        close { source in
            for enumCase in type.cases { source.enumCase(enumCase) }
            guard type.hasLabels else { return }
            source.line()
            source.labels(of: type)
        }
    }

    private mutating func enumCase(_ enumCase: EnumType.Case) {
        if let description = enumCase.description { documentation([description]) }
        let name = SwiftName.escaped(enumCase.name.text)
        switch enumCase.rawValue {
        case .string(let rawValue) where rawValue == enumCase.name.text:
            line("case \(name)")
        case .string(let rawValue):
            append(SwiftExpression.string(rawValue).laidOut(prefix: "case \(name) = ", at: indentation))
        case .int(let rawValue):
            line("case \(name) = \(SwiftExpression(.integer(Int128(rawValue)), as: .integer(.int64)).flat)")
        }
    }

    private mutating func labels(of type: EnumType) {
        documentation(["What a user interface calls the value."])
        block("\(SwiftName.memberModifier(max(type.access, .internal)))var label: String {") { source in
            source.line("switch self {")
            for enumCase in type.cases {
                let label = SwiftExpression.string(enumCase.label ?? enumCase.name.text)
                let pattern = "case .\(SwiftName.escaped(enumCase.name.text)):"
                let isOneLine = source.lineIfItFits { text in
                    text += pattern
                    text += " "
                    label.write(to: &text)
                }
                if isOneLine { continue }
                source.line(pattern)
                source.indented { $0.append(label.laidOut(at: $0.indentation)) }
            }
            source.line("}")
        }
    }

    /// Writes a struct.
    mutating func type(_ type: StructType) {
        documentation([type.description ?? "The values of type `\(type.name.text)`."])
        let access = SwiftName.fileScopeModifier(type.access)
        let name = SwiftName.escaped(type.name.text)
        let inherited = ["Codable"] + (type.isHashable ? ["Hashable"] : []) + ["PreferenceConvertible"]
        declaration("nonisolated \(access)struct \(name)", inherited)
        let member = SwiftName.memberModifier(max(type.access, .internal))
        close { source in
            for field in type.fields {
                source.documentation([field.description ?? "The field `\(field.name.text)`."])
                source.declaration(
                    "\(member)var \(SwiftName.escaped(field.name.text))",
                    [SwiftName.type(field.type)],
                    opening: ""
                )
                source.line()
            }
            source.memberwiseInitializer(of: type, member)
            source.line()
            source.decodingInitializer(of: type, member)
            if type.fields.contains(where: \.isNilStored) {
                source.line()
                source.encoding(of: type, member)
            }
            source.line()
            source.codingKeys(of: type)
        }
    }

    private mutating func memberwiseInitializer(of type: StructType, _ member: String) {
        documentation(["Makes a value of its fields; those that are left out have their defaults."])
        let parameters = type.fields.map { field in
            (
                head: "\(SwiftName.escaped(field.name.text)): \(SwiftName.type(field.type))",
                value: field.defaultValue.map { SwiftExpression($0, as: field.type) }
            )
        }
        let isOneLine = lineIfItFits { text in
            text += "\(member)init("
            text.append(parameters, separator: ", ") { parameter, text in
                text += parameter.head
                guard let value = parameter.value else { return }
                text += " = "
                value.write(to: &text)
            }
            text += ") {"
        }
        if !isOneLine {
            line("\(member)init(")
            indented { source in
                for (index, parameter) in parameters.enumerated() {
                    let comma = index == parameters.count - 1 ? "" : ","
                    guard let value = parameter.value else {
                        source.line(parameter.head + comma)
                        continue
                    }
                    let prefix = "\(parameter.head) = "
                    source.append(
                        value.laidOut(prefix: prefix, suffix: comma, isKeyed: true, at: source.indentation)
                    )
                }
            }
            line(") {")
        }
        close { source in
            for field in type.fields {
                let name = field.name.text
                source.line("self.\(SwiftName.escaped(name)) = \(SwiftName.escapedOperand(name))")
            }
        }
    }

    private mutating func decodingInitializer(of type: StructType, _ member: String) {
        documentation(["Decodes a value; fields that are missing have their defaults."])
        block("\(member)init(from decoder: any Decoder) throws {") { source in
            source.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            for field in type.fields {
                let name = SwiftName.escaped(field.name.text)
                let target = "self.\(name) = try container."
                let key = SwiftExpression.Argument("forKey", .atom(".\(name)"))
                let wrapped = SwiftExpression.Argument(.atom("\(SwiftName.type(field.type.unwrapped)).self"))
                guard let defaultValue = field.defaultValue else {
                    let call = SwiftExpression.call("decode", [wrapped, key])
                    source.append(call.laidOut(prefix: target, at: source.indentation))
                    continue
                }
                let call = SwiftExpression.call("decodeIfPresent", [wrapped, key])
                guard defaultValue != .none else {
                    source.append(call.laidOut(prefix: target, at: source.indentation))
                    continue
                }
                let value = SwiftExpression(defaultValue, as: field.type)
                guard field.isNilStored else {
                    let isOneLine = source.lineIfItFits { text in
                        text += target
                        call.write(to: &text)
                        text += " ?? "
                        value.write(to: &text)
                    }
                    if !isOneLine {
                        source.line("self.\(name) =")
                        source.indented { source in
                            source.line("try container.\(call.flat)")
                            let prefix = "?? "
                            let lines = value.laidOut(prefix: prefix, at: source.indentation)
                            guard case .string = value, lines.count > 1 else { return source.append(lines) }
                            // `swift format` indents an operator before a literal of several lines once more.
                            source.indented {
                                $0.append(value.laidOut(prefix: prefix, isKeyed: true, at: $0.indentation))
                            }
                        }
                    }
                    continue
                }
                source.block("if container.contains(.\(name)) {", closing: "} else {") { source in
                    source.append(call.laidOut(prefix: target, at: source.indentation))
                }
                source.close { $0.append(value.laidOut(prefix: "self.\(name) = ", at: $0.indentation)) }
            }
        }
    }

    private mutating func encoding(of type: StructType, _ member: String) {
        documentation(["Encodes the value; nil too, where a missing field would have another default."])
        block("\(member)func encode(to encoder: any Encoder) throws {") { source in
            source.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for field in type.fields {
                let name = SwiftName.escaped(field.name.text)
                let isLeftOut = field.type.isOptional && !field.isNilStored
                source.line("try container.\(isLeftOut ? "encodeIfPresent" : "encode")(self.\(name), forKey: .\(name))")
            }
        }
    }

    private mutating func codingKeys(of type: StructType) {
        block("private enum CodingKeys: String, CodingKey {") { source in
            for field in type.fields {
                let name = SwiftName.escaped(field.name.text)
                let prefix = "case \(name)"
                guard field.id != field.name.text else {
                    source.line(prefix)
                    continue
                }
                source.append(SwiftExpression.string(field.id).laidOut(prefix: prefix + " = ", at: source.indentation))
            }
        }
    }
}

extension StructType.Field {
    /// Whether nil must be stored, because a missing field reads as another value.
    fileprivate var isNilStored: Bool {
        type.isOptional && defaultValue != nil && defaultValue != DefaultValue.none
    }
}
