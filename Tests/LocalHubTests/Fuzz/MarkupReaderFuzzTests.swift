import HTTPTypes
import TestSupport
import Testing

@testable import LocalHub

/// XML from a fixed seed: well-formed in every spelling, damaged, and random text.
@Suite(.bounded)
struct MarkupReaderFuzzTests {
    private static let names = ["entry", "content", "Tags", "a", "_b-1.c"]
    private static let texts = [
        "a", " ", "\n", "ü😀", "&", "<", ">", "]]>", "\"", "'", "<!DOCTYPE a>", "<!-- a -->",
        "<?a?>",
        "&amp;", "$(name)",
    ]

    private func randomElement(_ damage: inout Damage, depth: Int) -> MarkupElement {
        var element = MarkupElement(
            name: Self.names[damage.number(below: Self.names.count)],
            attributes: damage.number(below: 3) == 0
                ? ["type": damage.soup(of: Self.texts, most: 3).replacing("\n", with: "")] : [:])
        element.text = damage.soup(of: Self.texts, most: 3)
        for _ in 0..<(depth == 0 ? 0 : damage.number(below: 4)) {
            element.children.append(randomElement(&damage, depth: depth - 1))
        }
        return element
    }

    /// Writes an element in one of its equivalent spellings.
    private func text(_ element: MarkupElement, _ damage: inout Damage) -> String {
        let prefix = damage.number(below: 2) == 0 ? "p:" : ""
        let name = prefix + element.name
        let attributes = element.attributes.map { name, value in
            let quote = damage.number(below: 2) == 0 ? "\"" : "'"
            return " \(name) = \(quote)\(escaped(value))\(quote)"
        }.joined()
        var inside = element.children.map { text($0, &damage) }.joined()
        if damage.number(below: 2) == 0 {
            inside += "<![CDATA[\(element.text.replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
        } else {
            inside = escaped(element.text) + inside
        }
        if damage.number(below: 4) == 0 {
            inside += "<!-- <nothing> --><?nothing at all?><?nothing?>"
        }
        if inside.isEmpty { return "<\(name) xmlns:p=\"urn:p\"\(attributes)/>" }
        return "<\(name) xmlns:p=\"urn:p\"\(attributes) >\(inside)</\(name) >"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&#62;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&#x27;")
    }

    @Test("Well-formed XML in any spelling is read") func wellFormedXMLInAnySpellingIsRead() throws
    {
        var damage = Damage(seed: 1)
        let declarations = [
            "", "\u{FEFF}", "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n", "<!-- a -->",
            "\n<?a b?>\n",
        ]
        for _ in 0..<500 {
            let element = randomElement(&damage, depth: 3)
            let document =
                declarations[damage.number(below: declarations.count)] + text(element, &damage)
            #expect(try MarkupReader.read(Array(document.utf8)) == element, "\(document)")
        }
    }

    @Test("Damaged XML is either read or refused") func damagedXMLIsEitherReadOrRefused() {
        var damage = Damage(seed: 2)
        let document = Array(
            """
            <?xml version="1.0" encoding="utf-16"?><entry xmlns="http://www.w3.org/2005/Atom"><content \
            type="application/xml"><RegistrationDescription i:type="AppleTemplateRegistrationDescription" \
            xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><ETag i:nil="true"/><Tags>a,b&amp;c</Tags>\
            <BodyTemplate><![CDATA[{"aps":{"alert":"$(a)"}}]]></BodyTemplate><ApnsHeaders/>\
            </RegistrationDescription></content></entry>
            """.utf8)
        var outcomes = (read: 0, refused: 0)
        // Each byte of the document is hit several times.
        for _ in 0..<2_000 {
            attempt(damage.damaged(document), &outcomes)
        }
        #expect(outcomes.read > 30)
        #expect(outcomes.refused > 300)
    }

    @Test("Random markup is either read or refused") func randomMarkupIsEitherReadOrRefused() {
        var damage = Damage(seed: 3)
        let pieces = [
            "<a>", "</a>", "<a/>", "<a b='", "'>", "<", ">", "/", "&", ";", "&lt;", "&#", "x41;",
            "<![CDATA[",
            "]]>", "<!--", "-->", "<?xml", "?>", "<?a?>", "<!DOCTYPE a", "[", "]",
            "<!ENTITY b 'c'>", "&b;",
            "xmlns:",
            "i:nil", "=", "\"", " ", "\r\n", "\u{0}", "\u{FEFF}", "😀", "%a;",
        ]
        var outcomes = (read: 0, refused: 0)
        // Each pair of pieces occurs about twenty times.
        for _ in 0..<6_000 {
            attempt(Array(damage.soup(of: pieces, most: 10).utf8), &outcomes)
        }
        #expect(outcomes.read > 5)
        #expect(outcomes.refused > 2_500)
    }

    private func attempt(_ document: [UInt8], _ outcomes: inout (read: Int, refused: Int)) {
        do {
            let element = try MarkupReader.read(document)
            outcomes.read += 1
            #expect(!element.name.isEmpty)
            #expect(size(element) <= document.count * 3, "Nothing may grow by being read.")
        } catch {
            outcomes.refused += 1
            #expect(error.status == .badRequest)
        }
    }

    /// The size of all texts and values in bytes; a character can be up to three times longer than
    /// its reference.
    private func size(_ element: MarkupElement) -> Int {
        element.text.utf8.count + element.attributes.values.map(\.utf8.count).reduce(0, +)
            + element.children.map(size).reduce(0, +)
    }
}
