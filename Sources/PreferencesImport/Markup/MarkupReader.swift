import Foundation
import PreferencesSchema

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads an XML document as a tree of elements.
enum MarkupReader {
    /// Deeper than any of the formats nests, and shallow enough for whatever walks the tree.
    private static let maximumDepth = 128

    static func read(_ bytes: [UInt8], path: String) throws(ImportFault) -> MarkupElement {
        if let line = lineOfEntityDeclaration(bytes) {
            let message = "an entity is declared here, and only those of XML are read"
            throw .faulty(path: path, line: line, message: message)
        }
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        let builder = Builder(path: path)
        parser.delegate = builder
        _ = parser.parse()
        if let fault = builder.fault { throw .faulty(path: path, line: fault.line, message: fault.message) }
        guard let root = builder.root else {
            throw .faulty(path: path, line: 1, message: "the file is empty; expected an XML document")
        }
        return root
    }

    /// Puts the elements together as the parser finds them.
    private final class Builder: NSObject, XMLParserDelegate {
        private let path: String
        private(set) var root: MarkupElement?
        private(set) var fault: (line: Int, message: String)?
        /// The elements that are not closed yet, outermost first.
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
                fault = fault ?? (parser.lineNumber, "elements are nested more than \(maximumDepth) levels deep")
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
            // A prefix that is not declared, which does no harm here.
            guard code != undeclaredPrefix else { return }
            fault = fault ?? (parser.lineNumber, MarkupReader.message(ofError: code))
            // What follows helps nobody, and Foundation on Linux stumbles over some of it.
            parser.abortParsing()
        }
    }

    /// Where a document declares an entity: Foundation on Linux leaves out of the text what that stands for.
    private static func lineOfEntityDeclaration(_ bytes: [UInt8]) -> Int? {
        var rest = bytes[...]
        // Declarations stand before the first element.
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

    private static let undeclaredPrefix = 201

    /// The parser's errors in words, by libxml2's numbers (`xmlParserErrors` of `libxml/xmlerror.h`).
    private static func message(ofError code: Int) -> String {
        switch code {
        case 4: "the file is empty, or does not begin with an element; expected an XML document"
        case 5, 77: "the XML document does not end where it should: an element is not closed, or something follows it"
        case 9: "a character that XML does not allow"
        case 26, 27: "an entity that XML does not have"
        case 38, 40, 65: "an attribute is not separated from the next, or its value has no closing quote"
        case 39: "an attribute's value must stand in quotes"
        case 41: "an attribute without a value"
        case 42: "an attribute is there twice"
        case 68: "a name is missing, as behind a '<' or '&' that should be '&lt;' or '&amp;'"
        case 73: "a tag is not closed with '>'"
        case 76: "an end tag does not fit its start tag"
        case 81, 32: "an encoding that cannot be read; save the file as UTF-8"
        default: "not well-formed XML (libxml2's error \(code))"
        }
    }
}
