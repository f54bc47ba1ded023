import Foundation
import PreferencesSchema

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Parses an XML document into a tree of elements.
enum MarkupReader {
    /// The maximum nesting, which is deeper than any format requires, and safe for recursion.
    private static let maximumDepth = 128

    static func read(_ bytes: [UInt8], path: String) throws(ImportError) -> MarkupElement {
        if let line = lineOfEntityDeclaration(bytes) {
            let message = "entity declarations are not supported; use the predefined entities of XML"
            throw .invalid(path: path, line: line, message: message)
        }
        let parser = XMLParser(data: Data(withoutAttributeDeclarations(bytes)))
        parser.shouldResolveExternalEntities = false
        let builder = Builder(path: path)
        parser.delegate = builder
        _ = parser.parse()
        if let failure = builder.failure { throw .invalid(path: path, line: failure.line, message: failure.message) }
        guard let root = builder.root else {
            throw .invalid(path: path, line: 1, message: "the file is empty; expected an XML document")
        }
        return root
    }

    /// Builds the tree from the events of the parser.
    private final class Builder: NSObject, XMLParserDelegate {
        private let path: String
        private(set) var root: MarkupElement?
        private(set) var failure: (line: Int, message: String)?
        /// The open elements, outermost first.
        private var open: [MarkupElement] = []

        init(path: String) {
            self.path = path
        }

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(MarkupElement(name: elementName, attributes: attributes, path: path, line: parser.lineNumber))
            if open.count > maximumDepth {
                failure = failure ?? (parser.lineNumber, "elements are nested more than \(maximumDepth) levels deep")
                parser.abortParsing()
            }
        }

        func parser(
            _ parser: XMLParser,
            didEndElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            guard let element = open.popLast() else { return }
            if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if !open.isEmpty { open[open.count - 1].text += string }
        }

        func parser(_ parser: XMLParser, foundCDATA block: Data) {
            if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
        }

        func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
            let code = (error as NSError).code
            // An undeclared prefix is harmless here.
            guard code != undeclaredPrefix else { return }
            failure = failure ?? (parser.lineNumber, MarkupReader.message(ofError: code))
            // Later errors follow from the first, and Foundation on Linux mishandles some of them.
            parser.abortParsing()
        }
    }

    /// Returns the line of the first entity declaration. Foundation on Linux drops such entities from the text.
    private static func lineOfEntityDeclaration(_ bytes: [UInt8]) -> Int? {
        var rest = bytes[...]
        // Declarations precede the first element.
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if rest.starts(with: "<!ENTITY".utf8) { return LineTable(bytes).position(at: start).line }
            if rest.starts(with: "<!--".utf8) {
                while !rest.isEmpty, !rest.starts(with: "-->".utf8) { rest = rest.dropFirst() }
            } else if !rest.starts(with: "<!".utf8), !rest.starts(with: "<?".utf8) {
                return nil
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Returns the text with spaces in place of the attribute declarations before the first element, as in the schemas
    /// that contain GLib's DTD. Foundation on Linux crashes on those without a default.
    private static func withoutAttributeDeclarations(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                while !rest.isEmpty, !rest.starts(with: "-->".utf8) { rest = rest.dropFirst() }
            } else if rest.starts(with: "<!ATTLIST".utf8) {
                var quote: UInt8?
                let length = rest.firstIndex { byte in
                    if let opening = quote {
                        if byte == opening { quote = nil }
                    } else if "\"'".utf8.contains(byte) {
                        quote = byte
                    }
                    return quote == nil && byte == UInt8(ascii: ">")
                }
                guard let end = length else { return result }
                for index in start...end where !"\r\n".utf8.contains(bytes[index]) { result[index] = UInt8(ascii: " ") }
                rest = rest[end...]
            } else if !rest.starts(with: "<!".utf8), !rest.starts(with: "<?".utf8) {
                return result
            }
            rest = rest.dropFirst()
        }
        return result
    }

    private static let undeclaredPrefix = 201

    /// Returns the message for an error code of libxml2 (`xmlParserErrors` in `libxml/xmlerror.h`).
    private static func message(ofError code: Int) -> String {
        switch code {
        case 4: "the file is empty, or does not begin with an element; expected an XML document"
        case 5, 77: "an element is not closed, or text follows the root element"
        case 9: "a character that is not allowed in XML"
        case 26, 27: "an undefined entity"
        case 38, 40, 65: "an attribute is not separated from the next, or its value has no closing quote"
        case 39: "an attribute value is not quoted"
        case 41: "an attribute without a value"
        case 42: "a duplicate attribute"
        case 68: "a name is missing, for example after a '<' or '&' that must be written '&lt;' or '&amp;'"
        case 73: "a tag is not closed with '>'"
        case 76: "an end tag does not match its start tag"
        case 81, 32: "an unsupported encoding; save the file as UTF-8"
        default: "not well-formed XML (libxml2's error \(code))"
        }
    }
}

/// An element of an XML document, with its location.
struct MarkupElement: Sendable {
    /// The name, including any prefix.
    var name: String
    var attributes: [String: String]
    /// The path of the file.
    var path: String
    /// The line, from 1, on which the start tag ends.
    var line: Int
    var children: [MarkupElement] = []
    /// The text directly inside the element.
    var text = ""

    /// Returns the children with a name.
    func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    /// Returns the first child with a name.
    func child(named name: String) -> MarkupElement? { children.first { $0.name == name } }

    /// Returns the description of the element in remarks: `key 'size'`, or `<key>` if it has no name.
    ///
    /// - Parameter attributes: The attributes that can hold the name.
    func called(_ kind: String, by attributes: [String]) -> String {
        let names = attributes.lazy.compactMap { self.attributes[$0]?.nilIfEmpty }
        return names.first.map { "\(kind) '\($0)'" } ?? "<\(name)>"
    }
}
