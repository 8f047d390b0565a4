import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct XMLElementReaderTests {
    private func read(_ text: String) throws -> HubElement {
        try XMLElementReader.read(Array(text.utf8))
    }

    @Test("Elements, attributes and text are read without prefixes")
    func elementsAttributesAndTextAreReadWithoutPrefixes() throws {
        let root = try read(
            "<?xml version='1.0' encoding='utf-16'?>\n<!-- a <b> --><x:entry xmlns:x='u' a:etag='W/&quot;1&quot;' xmlns:a='m'>"
                + "<x:id>1 &lt; 2</x:id><id/><c><![CDATA[<!DOCTYPE>]]>d</c><n i:nil='true'/></x:entry>"
        )

        #expect(root.name == "entry")
        #expect(root.attributes == ["etag": "W/\"1\""])
        #expect(root.children.map(\.name) == ["id", "id", "c", "n"])
        #expect(root.text(of: "id") == "1 < 2")
        #expect(root.text(of: "c") == "<!DOCTYPE>d")
        #expect(root.child("n")?.isNil == true)
        #expect(root.text(of: "n") == nil)
        #expect(root.text(of: "absent") == nil)
    }

    @Test(
        "XML that no hub would write is refused",
        arguments: [
            ("<!DOCTYPE a><a/>" as LongText, XMLReadingError.documentType),
            (
                "<?xml version='1.0'?><!-- <a> --><!DOCTYPE a [<!ENTITY b 'bb'>]><a>&b;</a>",
                .documentType
            ),
            ("<!doctype a><a/>", .documentType), ("<!ENTITY b 'bb'><a/>", .documentType),
            ("", .malformed), ("  ", .malformed), ("{}", .malformed), ("<a>", .malformed),
            ("<a></b>", .malformed), ("<a>&b;</a>", .malformed),
            // Removing a comment must not form another construct.
            ("<<?b?>?c?><a/>", .malformed), ("<a><<!---->?c?></a>", .malformed),
            ("<<!---->!DOCTYPE a [<<!---->!ENTITY b 'c'>]><a>&b;</a>", .malformed),
            ("<!-- <a/>", .malformed), ("<?xml", .malformed), ("\u{0}<a/>", .malformed),
            (LongText("<a>", times: 17, before: String(repeating: "</a>", count: 17)), .tooDeep),
            (LongText("<a>", times: 100_000), .tooDeep),
            (LongText("<b/>", times: 50_000, after: "<a>", before: "</a>"), .tooManyElements),
        ])
    func xmlThatNoHubWouldWriteIsRefused(text: LongText, error: XMLReadingError) {
        #expect(throws: error) { try read(text.text) }
    }

    @Test("XML that is not UTF-8 is refused") func xmlThatIsNotUTF8IsRefused() {
        let utf16 = Array("<a/>".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }

        #expect(throws: XMLReadingError.notUTF8) {
            try XMLElementReader.read([0x3C, 0x61, 0xFF, 0x3E])
        }
        #expect(throws: XMLReadingError.self) { try XMLElementReader.read(utf16) }
    }

    @Test("XML at the limits of depth and size is read")
    func xmlAtTheLimitsOfDepthAndSizeIsRead() throws {
        let deep = try read(
            String(repeating: "<a>", count: 16) + String(repeating: "</a>", count: 16))
        let many = try read("<a>" + String(repeating: "<b/>", count: 49_999) + "</a>")

        #expect(deep.name == "a")
        #expect(many.children.count == 49_999)
    }

    @Test("Content after the root element is ignored")
    func contentAfterTheRootElementIsIgnored() throws {
        #expect(try read("<a/><b/>").name == "a")
    }

    @Test(
        "Processing instructions are skipped, even without data",
        arguments: [
            "<?p?><a>bc</a>", "<a>b<?p?>c</a>", "<a>b<?p q?>c</a>", "<a>bc</a><?p?>",
            "<a>b<?\u{200D}?>c</a>", "<a>b<!-- <?p?> -->c</a>", "<a>b<?p <!-- ?>c</a>",
        ])
    func processingInstructionsAreSkippedEvenWithoutData(text: String) throws {
        #expect(try read(text).text == "bc")
    }

    @Test("A processing instruction in CDATA is text")
    func processingInstructionInCDATAIsText() throws {
        #expect(try read("<a><![CDATA[<?p?><!-- b -->]]></a>").text == "<?p?><!-- b -->")
    }

    @Test("The beginning of a truncated document is returned on request")
    func beginningOfATruncatedDocumentIsReturnedOnRequest() {
        let root = XMLElementReader.readBeginning(of: Array("<a><b>1</b><c>2".utf8))

        #expect(root?.text(of: "b") == "1")
    }
}
