import Foundation
import FoundationXML
import Testing

/// The elements and attributes of JUnit reports that all build servers support.
final class JUnitShape: NSObject, XMLParserDelegate {
    private struct Element {
        let parent: String
        let needed: Set<String>
        var others: Set<String> = []
    }

    private static let counts: Set = ["tests", "failures", "errors", "skipped"]
    private static let elements = [
        "testsuites": Element(
            parent: "", needed: [], others: counts.union(["name", "time", "disabled"])),
        "testsuite": Element(
            parent: "testsuites", needed: ["name", "tests"],
            others: counts.union(["time", "timestamp", "hostname", "id", "file"])),
        "testcase": Element(
            parent: "testsuite", needed: ["name", "classname"], others: ["time", "file", "line"]),
        "failure": Element(parent: "testcase", needed: [], others: ["message", "type"]),
        "system-out": Element(parent: "testcase", needed: []),
    ]

    private var path = [""]
    /// The numbers of tests according to the suite, and the actual numbers.
    private var promised: [String: Int] = [:]
    private var found = ["tests": 0, "failures": 0]

    static func check(_ text: String) {
        let shape = JUnitShape()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = shape
        #expect(parser.parse(), "\(text)")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        defer { path.append(name) }
        guard let element = Self.elements[name] else {
            Issue.record("No server knows <\(name)>.")
            return
        }
        let names = Set(attributes.keys)
        #expect(path.last == element.parent, "<\(name)>")
        #expect(element.needed.isSubset(of: names), "<\(name)>")
        #expect(names.isSubset(of: element.needed.union(element.others)), "<\(name)>")
        for count in Self.counts.union(["line"]) {
            if let text = attributes[count] { #expect(Int(text).map { $0 >= 0 } == true) }
        }
        switch name {
        case "testsuite":
            promised = attributes.compactMapValues { Int($0) }
            found = ["tests": 0, "failures": 0]
        case "testcase": found["tests", default: 0] += 1
        case "failure": found["failures", default: 0] += 1
        default: break
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        path.removeLast()
        guard name == "testsuite" else { return }
        for (count, number) in found { #expect(promised[count] == number) }
    }
}
