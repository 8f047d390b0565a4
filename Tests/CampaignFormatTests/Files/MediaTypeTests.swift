import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct MediaTypeTests {
    @Test(
        "The bytes and the extension determine the media type",
        arguments: [
            ("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
            ("a.jpeg", [0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            ("a.GIF", Array("GIF89a".utf8), "image/gif"),
            ("a.webp", Array("RIFF....WEBP".utf8), "image/webp"),
            ("a.wav", Array("RIFF....WAVE".utf8), "audio/wav"),
            ("a.mp4", Array("....ftypisom".utf8), "video/mp4"),
            ("a.mp3", Array("ID3".utf8), "audio/mpeg"), ("a.mp3", [0xFF, 0xFB], "audio/mpeg"),
            ("a.pdf", Array("%PDF-1.7".utf8), "application/pdf"),
            ("folder.d/a.txt", Array("hello".utf8), "text/plain"),
            ("a.html", Array("<p>".utf8), "text/html"),
            ("a.json", Array("{}".utf8), "application/json"),
            ("a.xyz", Array("?".utf8), "application/octet-stream"),
            ("png", Array("?".utf8), "application/octet-stream"),
            ("folder.png/a", Array("?".utf8), "application/octet-stream"),
        ] as [(String, [UInt8], String)])
    func bytesAndTheExtensionDetermineTheMediaType(
        _ path: String, _ bytes: [UInt8], _ expected: String
    ) {
        let type = MediaType(path: path, bytes: bytes)
        #expect(type.name == expected)
        #expect(type.contradiction == nil)
    }

    @Test(
        "An SVG drawing is recognised despite combining marks",
        arguments: [
            "<svg/>", "<!--\u{301}--><svg/>", "<?xml\u{301}?><svg/>", "<!-- --><svg>\u{301}",
        ])
    func svgDrawingIsRecognisedDespiteCombiningMarks(text: String) {
        #expect(MediaType.isDrawing(Array(text.utf8)))
    }

    @Test("The bytes take precedence over the extension")
    func bytesTakePrecedenceOverTheExtension() {
        let type = MediaType(path: "a.txt", bytes: Array("%PDF-1.7".utf8))
        #expect(type.name == "application/pdf")
        #expect(type.contradiction == "application/pdf")
    }
}
