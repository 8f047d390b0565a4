import HTTPTypes
import TestSupport
import Testing

@testable import LocalHub

/// Multipart bodies from a fixed seed: well-formed in every spelling, and damaged.
@Suite(.bounded)
struct MultipartReaderFuzzTests {
    private static let boundary = "nh-batch-multipart-boundary"
    private static let contents = [
        "{}", "[\"AB12\"]", "\r\n", "\n", "--", "-", "\u{0}", "😀", "--nh-batch",
        "--nh-batch-multipart-boundaryx",
        "Content-Type: a", " ",
    ]
    private static let contentTypes = [
        "multipart/mixed; boundary=\(boundary)", "multipart/mixed; boundary=\"\(boundary)\"",
        "multipart/mixed; boundary = \"\(boundary)\"", "multipart/form-data;boundary=\(boundary)",
    ]

    @Test("Well-formed multipart bodies in any spelling are read")
    func wellFormedMultipartBodiesInAnySpellingAreRead() throws {
        var damage = Damage(seed: 4)
        for _ in 0..<1_500 {
            let bodies = (0...damage.number(below: 4)).map { _ in
                // Without this letter, a body could start with a boundary on its own line.
                "x" + damage.soup(of: Self.contents, most: 6)
            }
            let end = damage.number(below: 2) == 0 ? "\r\n" : "\n"
            var text = damage.number(below: 2) == 0 ? "" : "a preamble\(end)"
            for (index, body) in bodies.enumerated() {
                text += "--\(Self.boundary)\(end)Content-Disposition: inline; name=p\(index)"
                text += "\(end)\(end)\(body)\(end)"
            }
            text += damage.number(below: 2) == 0 ? "" : "--\(Self.boundary)--\(end)an epilogue"
            let contentType = Self.contentTypes[damage.number(below: Self.contentTypes.count)]
            let parts = try MultipartReader.parts(of: Array(text.utf8), contentType: contentType)
            #expect(parts.map(\.name) == bodies.indices.map { "p\($0)" })
            #expect(parts.map { String(decoding: $0.body, as: UTF8.self) } == bodies)
        }
    }

    @Test("Damaged multipart bodies are either read or refused")
    func damagedMultipartBodiesAreEitherReadOrRefused() {
        var damage = Damage(seed: 5)
        let body = Array(
            """
            --\(Self.boundary)\r
            Content-Type: application/json\r
            Content-Disposition: inline; name=notification\r
            \r
            {"aps":{"content-available":1}}\r
            --\(Self.boundary)\r
            Content-Type: application/json\r
            Content-Disposition: inline; name="devices"\r
            \r
            ["AB12","CD34"]\r
            --\(Self.boundary)--\r

            """.utf8)
        var outcomes = (read: 0, refused: 0)
        // Each byte of the body is hit several times.
        for _ in 0..<2_000 {
            let contentType = Array(Self.contentTypes[damage.number(below: 4)].utf8)
            let isTypeDamaged = damage.number(below: 4) == 0
            attempt(
                damage.damaged(body),
                String(
                    decoding: isTypeDamaged ? damage.damaged(contentType) : contentType,
                    as: UTF8.self), &outcomes)
        }
        #expect(outcomes.read > 900)
        #expect(outcomes.refused > 30)
    }

    private func attempt(
        _ body: [UInt8], _ contentType: String, _ outcomes: inout (read: Int, refused: Int)
    ) {
        do {
            let parts = try MultipartReader.parts(of: body, contentType: contentType)
            outcomes.read += 1
            #expect((1...16).contains(parts.count))
            #expect(parts.allSatisfy { $0.headers.count <= 16 })
            #expect(parts.map(\.body.count).reduce(0, +) <= body.count)
        } catch {
            outcomes.refused += 1
            #expect(error.status == .badRequest)
        }
    }
}
