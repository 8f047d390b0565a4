import HTTPTypes
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct MarkupReaderTests {
    private func read(_ text: String) throws -> MarkupElement {
        try MarkupReader.read(Array(text.utf8))
    }

    @Test("Elements are read by local name") func elementsAreReadByLocalName() throws {
        let root = try read(
            "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-16\"?><!-- c --><?p i?><a:b xmlns:a=\"u\" "
                + "xmlns:i=\"v\" i:type=\"t\"><c>1 &amp; <![CDATA[<2>]]> &#51;</c>"
                + "<d i:nil=\"true\"/><a:e i:nil=\"1\"/></a:b><!-- end -->")
        #expect(root.name == "b")
        #expect(root.attributes == ["type": "t"])
        #expect(root.children.map(\.name) == ["c", "d", "e"])
        #expect(root["c"]?.text == "1 & <2> 3")
        #expect(root["d"] == nil)
        #expect(root["e"] == nil)
        #expect(root["f"] == nil)
    }

    @Test(
        "A document type is refused anywhere in the document",
        arguments: [
            "<!DOCTYPE a><a/>", "<?xml version=\"1.0\"?>\n<!DOCTYPE a><a/>",
            "<!-- c --><?p i?> <!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<!--><a> --><!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<?p?><!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", "<!doctype a><a/>",
        ])
    func documentTypeIsRefusedAnywhereInTheDocument(text: String) {
        #expect {
            try read(text)
        } throws: {
            ($0 as? HubFailure)?.detail?.contains("document type") == true
        }
    }

    @Test(
        "XML that is not well-formed is refused",
        arguments: [
            "", " ", "a", "<a>", "<a></b>", "<a/><b/>", "<a/>b", "<a b=1/>", "<a>&b;</a>",
            "<a>&</a>",
            "<?><a/>", "<!-- <a/>", "<a><!DOCTYPE a></a>", "<a/><!DOCTYPE a>",
            "<a b=\"1\" b=\"2\"/>",
            "<a>\u{0}</a>", "<a>]]></a>", "<a>&#0;</a>",
            // Removing a comment or instruction must not form the start of another construct.
            "<<?b?>?c?><a/>", "<a><<!---->?c?></a>",
            "<<!---->!DOCTYPE a [<<!---->!ENTITY b 'c'>]><a>&b;</a>",
        ])
    func xmlThatIsNotWellFormedIsRefused(text: String) {
        #expect(throws: HubFailure.self) { try read(text) }
    }

    @Test(
        "Namespaces are ignored",
        arguments: ["<x:a y:b=\"1\"/>", "<a xmlns:x=\"\" b=\"1\"/>", "<a xmlns=\"c\" b=\"1\"/>"])
    func namespacesAreIgnored(text: String) throws {
        let root = try read(text)
        #expect(root.name == "a")
        #expect(root.attributes == ["b": "1"])
    }

    @Test("Bytes that are not UTF-8 are refused") func bytesThatAreNotUTF8AreRefused() {
        #expect(throws: HubFailure.badRequest("The body is not UTF-8.")) {
            try MarkupReader.read(Array("<a>".utf8) + [0xC3, 0x28] + Array("</a>".utf8))
        }
    }

    @Test("The depth and number of elements are limited")
    func depthAndNumberOfElementsAreLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        func wide(_ count: Int) -> String {
            "<a>" + String(repeating: "<b/>", count: count - 1) + "</a>"
        }
        #expect(try read(nested(16)).name == "a")
        #expect(try read(wide(2_048)).children.count == 2_047)
        for text in [nested(17), wide(2_049)] {
            #expect {
                try read(text)
            } throws: {
                ($0 as? HubFailure)?.detail?.contains("nested more than") == true
            }
        }
    }

    @Test("The reader can read all XML that the hub writes")
    func readerCanReadAllXMLThatTheHubWrites() throws {
        var random = SeededGenerator(seed: 5)
        let pieces = ["<", ">", "&", "\"", "'", "]]>", "\n", "\r", "\t", "ü", "\u{1F600}", "a"]
        for _ in 0..<500 {
            let text = (0..<8).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let element = try read(XMLText.element("a", text))
            #expect(Array(element.text.utf8) == Array(text.utf8))
            // XML readers turn carriage returns in CDATA into line feeds.
            let plain = text.replacing("\r", with: "")
            #expect(try read("<a>\(XMLText.cdata(plain))</a>").text == plain)
        }
    }

    @Test(
        "Joining marks do not prevent escaping",
        arguments: ["]]>", "<", "&", "\""].flatMap(JoiningMarks.around))
    func joiningMarksDoNotPreventEscaping(text: String) throws {
        #expect(try read(XMLText.element("a", text)).text == text)
        #expect(try read("<a>\(XMLText.cdata(text))</a>").text == text)
        #expect(try read("<a b=\"\(XMLText.attribute(text))\"/>").attributes["b"] == text)
        #expect(try read("<a b='\(XMLText.anywhere(text))'/>").attributes["b"] == text)
    }

    @Test("Random XML is either read or refused without crashing")
    func randomXMLIsEitherReadOrRefusedWithoutCrashing() {
        var random = SeededGenerator(seed: 11)
        let pieces = [
            "<a>", "</a>", "<b c=\"d\"/>", "<", ">", "&amp;", "&#x41;", "&x;", "<![CDATA[", "]]>",
            "<!--", "-->", "<?", "?>", "<?xml version=\"1.0\"?>", "<!DOCTYPE a>", "text", " ", "ü",
            "\u{0}", "xmlns:i=\"u\"", "i:nil=\"true\"", "\"",
        ]
        var read = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...6, using: &random)
            let inner = (0..<count).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let text = Bool.random(using: &random) ? "<a>\(inner)</a>" : inner
            do {
                let root = try self.read(text)
                read += 1
                #expect(text.contains("<\(root.name)"), "\(text)")
            } catch {
                #expect((error as? HubFailure)?.status == .badRequest, "\(text)")
            }
        }
        #expect(read > 100)
    }
}
