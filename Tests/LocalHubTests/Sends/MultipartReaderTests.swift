import HTTPTypes
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct MultipartReaderTests {
    private func parts(
        _ body: String, _ contentType: String = "multipart/mixed; boundary=B"
    ) throws(HubFailure) -> [String?: String] {
        let parts = try MultipartReader.parts(of: Array(body.utf8), contentType: contentType)
        return Dictionary(
            parts.map { ($0.name, String(decoding: $0.body, as: UTF8.self)) }
        ) { "\($0)+\($1)" }
    }

    private static let two =
        "--B\r\nContent-Disposition: inline; name=notification\r\n\r\n{}\r\n"
        + "--B\r\nContent-Disposition: inline; name=devices\r\n\r\n[]\r\n"

    @Test(
        "The boundary is found in every spelling",
        arguments: [
            "multipart/mixed; boundary=B", "multipart/mixed; boundary=\"B\"",
            "multipart/mixed; boundary = \"B\"", "multipart/mixed;boundary = B ; charset=x",
            "Multipart/Form-Data; charset=utf-8; Boundary=B",
            "multipart/mixed; a=\"; boundary=X\"; boundary=B",
            "multipart/mixed; boundary=\"\\B\"",
        ])
    func boundaryIsFoundInEverySpelling(contentType: String) throws {
        #expect(
            try parts(Self.two + "--B--\r\n", contentType)
                == ["notification": "{}", "devices": "[]"])
    }

    @Test(
        "The bodies of all known clients can be read",
        arguments: [
            two + "--B--", two + "--B--\r\n", two, two.replacing("\r\n", with: "\n") + "--B--\n",
            "preamble\r\n\r\n" + two + "--B--\r\nepilogue\r\n--B\r\n\r\nmore", two + "--B-- \t\r\n",
            two.replacing("--B\r\n", with: "--B  \r\n"),
            two.replacing("name=notification", with: "name=\"notification\""),
            two.replacing("Content-Disposition:", with: "content-disposition :"),
        ])
    func bodiesOfAllKnownClientsCanBeRead(body: String) throws {
        #expect(try parts(body) == ["notification": "{}", "devices": "[]"])
    }

    @Test("A part keeps its bytes unchanged") func partKeepsItsBytesUnchanged() throws {
        let content = "\r\na\r\n\r\n--Bx\r\n --B\r\n\u{0}😀\r\n"
        let body = "--B\r\nA: b\r\n\r\n\(content)\r\n--B--"
        #expect(try parts(body) == [nil: content])
    }

    @Test("A part may be empty or have no headers") func partMayBeEmptyOrHaveNoHeaders() throws {
        #expect(try parts("--B\r\n\r\n--B--") == [nil: ""])
        #expect(try parts("--B\r\n\r\nx") == [nil: "x"])
        #expect(try parts("--B") == [nil: ""])
    }

    @Test(
        "A body that is not multipart is refused",
        arguments: [
            ("--B\r\n\r\nx", "application/json"), ("--B\r\n\r\nx", ""),
            ("--B\r\n\r\nx", "multipart/mixed"), ("--B\r\n\r\nx", "multipart/mixed; boundary="),
            ("--B\r\n\r\nx", "multipart/mixed; boundary=\"\""),
            ("--B\r\n\r\nx", "multipart/mixed; boundary=\(String(repeating: "B", count: 201))"),
            ("", "multipart/mixed; boundary=B"), ("no boundary", "multipart/mixed; boundary=B"),
            ("--B--\r\n", "multipart/mixed; boundary=B"),
            ("--B\r\nno header\r\n\r\nx", "multipart/mixed; boundary=B"),
            (
                "--B\r\n" + (1...17).map { "h\($0): v\r\n" }.joined() + "\r\nx",
                "multipart/mixed; boundary=B"
            ),
            (String(repeating: "--B\r\n\r\n", count: 18), "multipart/mixed; boundary=B"),
        ])
    func bodyThatIsNotMultipartIsRefused(body: String, contentType: String) {
        #expect {
            try parts(body, contentType)
        } throws: { ($0 as? HubFailure)?.status == .badRequest }
    }

    /// Each pair of pieces occurs about two hundred times.
    @Test(
        "Random bytes neither crash the reader nor add content", arguments: 0..<60 as Range<UInt64>)
    func randomBytesNeitherCrashTheReaderNorAddContent(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "--B", "--", "B", "\r\n", "\n", "\r", ":", "a: b", "; name=", "\"", "\\", "x", " ",
            "\u{0}",
            "Content-Disposition: inline; name=devices", "\r\n\r\n", "é",
        ]
        for _ in 0..<50 {
            let length = Int.random(in: 0...40, using: &random)
            let text = (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            var bytes = Array(text.utf8)
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            let parts: [MultipartReader.Part]
            do {
                parts = try MultipartReader.parts(
                    of: bytes, contentType: "multipart/mixed; boundary=B")
            } catch {
                #expect(error.status == .badRequest)
                continue
            }
            #expect((1...17).contains(parts.count))
            #expect(parts.map(\.body.count).reduce(0, +) <= bytes.count)
            for part in parts { #expect(Array(bytes[part.body.indices]) == Array(part.body)) }
            _ = HeaderParameters.value("name", in: text)
        }
    }
}
