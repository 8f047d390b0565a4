import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct AnswerParserTests {
    /// The parsed parts of a response.
    private struct Reading: Equatable {
        var progress: AnswerParser.Progress
        var status: Int?
        var keepsAlive: Bool
        var messageID: String?
        var fields: [String]
        var body: [UInt8]
    }

    private func read(_ pieces: [[UInt8]], ending: Bool = false) -> Reading {
        var parser = AnswerParser()
        var progress = AnswerParser.Progress.reading
        for piece in pieces { progress = parser.read(piece.span) }
        if ending { progress = parser.readEnd() }
        return Reading(
            progress: progress, status: parser.hasHead ? parser.status : nil,
            keepsAlive: progress == .complete && parser.keepsAlive, messageID: parser.messageID,
            fields: parser.fields.map { "\($0.name)=\($0.value)" }, body: parser.body)
    }

    private func read(_ text: String, ending: Bool = false) -> Reading {
        read([Array(text.utf8)], ending: ending)
    }

    private static let accepted = """
        HTTP/1.1 201 Created\r\nServer: hub\r\nDate: Fri, 01 Jan 2027 00:00:00 GMT\r
        Content-Type: application/xml; charset=utf-8\r\nContent-Length: 0\r\nConnection: keep-alive\r
        Location: https://hub.example/news/messages/id-1?api-version=2020-06\r\nTrackingId: t\r\n\r\n
        """

    @Test("Only the message ID of an accepted push is kept")
    func onlyTheMessageIDOfAnAcceptedPushIsKept() {
        let reading = read(Self.accepted)

        #expect(
            reading
                == Reading(
                    progress: .complete, status: 201, keepsAlive: true, messageID: "id-1",
                    fields: [], body: []))
    }

    @Test("The header and body of any other response are kept")
    func headerAndBodyOfAnyOtherResponseAreKept() {
        let reading = read(
            "HTTP/1.1 429 Too Many\r\nRetry-After:  3 \r\nContent-Length: 5\r\n\r\nPause")

        #expect(
            reading
                == Reading(
                    progress: .complete, status: 429, keepsAlive: true, messageID: nil,
                    fields: ["Retry-After=3", "Content-Length=5"], body: Array("Pause".utf8)))
    }

    @Test(
        "The header determines where the body ends",
        arguments: [
            "HTTP/1.1 500 E\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
            "HTTP/1.1 500 E\r\ntransfer-encoding: Chunked\r\n\r\n005\r\nabcde\r\n0\r\nTrailer: x\r\n\r\n",
            "HTTP/1.1 500 E\r\nContent-Length: 5\r\n\r\nabcde",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 E\r\nContent-Length: 5\r\n\r\nabcde",
            "HTTP/1.1 103 Early\r\nConnection: close\r\nContent-Length: 9\r\n\r\n"
                + "HTTP/1.1 500\r\nContent-Length: 5\r\n\r\nabcde",
        ])
    func headerDeterminesWhereTheBodyEnds(text: String) {
        let reading = read(text)

        #expect(reading.progress == .complete)
        #expect(reading.status == 500)
        #expect(reading.keepsAlive)
        #expect(reading.body == Array("abcde".utf8))
    }

    @Test(
        "The connection is not reused after a response that closes it",
        arguments: [
            "HTTP/1.0 201 Created\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 201 Created\r\nconnection: x-other , Close\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\nHTTP/1.1 201",
        ])
    func connectionIsNotReusedAfterAResponseThatClosesIt(text: String) {
        let reading = read(text)

        #expect(reading.progress == .complete)
        #expect(reading.status == 201)
        #expect(!reading.keepsAlive)
    }

    @Test("A body without a length ends when the connection closes")
    func bodyWithoutALengthEndsWhenTheConnectionCloses() {
        let text = "HTTP/1.1 400 Bad\r\n\r\nsomething"

        #expect(read(text).progress == .reading)
        #expect(read(text, ending: true).progress == .complete)
        #expect(read(text, ending: true).body == Array("something".utf8))
    }

    @Test("Some statuses have no body, whatever the header says", arguments: [204, 304])
    func someStatusesHaveNoBodyWhateverTheHeaderSays(status: Int) {
        let announced = read("HTTP/1.1 \(status) X\r\nContent-Length: 7\r\n\r\n")
        #expect(announced.progress == .complete)
        #expect(!announced.keepsAlive, "it may come all the same")
        #expect(read("HTTP/1.1 \(status) X\r\n\r\n").keepsAlive)
    }

    @Test("A response that ends within its header is malformed")
    func responseThatEndsWithinItsHeaderIsMalformed() {
        for text in ["H", "HTTP/1.1 201 Cre", "HTTP/1.1 201 C\r\n", "HTTP/1.1 102 P\r\n\r\n"] {
            #expect(read(text).progress == .reading)
            #expect(read(text, ending: true).progress == .malformed)
        }
    }

    @Test(
        "The end of the connection completes only a response without a length",
        arguments: [
            "", "HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\n",
            "HTTP/1.1 500 E\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        ])
    func endOfTheConnectionCompletesOnlyAResponseWithoutALength(text: String) {
        #expect(read(text, ending: true).progress == .reading)
    }

    @Test(
        "A header that violates the HTTP rules is malformed",
        arguments: [
            "SSH-2.0-OpenSSH", "<html>", "\u{16}\u{3}\u{1}", "HTTP/2", "HTTP/1.2 201 C\r\n",
            "HTTP/1.1 20 C\r\n", "HTTP/1.1 2x1 C\r\n", "HTTP/1.1 099 C\r\n", "HTTP/1.1 2011 C\r\n",
            "HTTP/1.1  201 C\r\n", "HTTP/1.1 201\u{1}C\r\n", "HTTP/1.1 201 C\n",
            "\r\nHTTP/1.1 201 C\r\n",
            "HTTP/1.1 101 Switching\r\n", "HTTP/1.1 201 C\r\nNo colon\r\n",
            "HTTP/1.1 201 C\r\n: x\r\n", "HTTP/1.1 201 C\r\nA : x\r\n",
            "HTTP/1.1 201 C\r\nA: x\r\n b\r\n",
            "HTTP/1.1 201 C\r\nA: x\u{0}y\r\n", "HTTP/1.1 201 C\r\nA: x\ry\r\n",
            "HTTP/1.1 201 C\r\nA: x\n",
            "HTTP/1.1 201 C\r\nContent-Length: -1\r\n", "HTTP/1.1 201 C\r\nContent-Length: +1\r\n",
            "HTTP/1.1 201 C\r\nContent-Length: 0x1\r\n", "HTTP/1.1 201 C\r\nContent-Length:\r\n",
            "HTTP/1.1 201 C\r\nContent-Length: 0, 0\r\n",
            "HTTP/1.1 201 C\r\nContent-Length: 0\r\nContent-Length: 0\r\n",
            "HTTP/1.1 201 C\r\nContent-Length: 99999999999999999999\r\n",
            "HTTP/1.1 201 C\r\nTransfer-Encoding: gzip, chunked\r\n",
            "HTTP/1.1 201 C\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 201 C\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        ])
    func headerThatViolatesTheHTTPRulesIsMalformed(text: String) {
        #expect(read(text).progress == .malformed)
        #expect(read(text).status == nil)
    }

    @Test(
        "A response with a broken chunk is malformed, but its status is known",
        arguments: [
            "\r\n", "x\r\n", "-1\r\n", "1 \r\na\r\n", "111111111\r\n", "1\r\nab\r\n", "1\r\na\n",
            "1;\u{0}\r\n",
        ])
    func responseWithABrokenChunkIsMalformedButItsStatusIsKnown(chunks: String) {
        let reading = read("HTTP/1.1 201 C\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)

        #expect(reading.progress == .malformed)
        #expect(reading.status == 201)
    }

    @Test("A body is read up to the limit") func bodyIsReadUpToTheLimit() {
        let limit = AnswerParser.bodyLimit
        let huge = String(repeating: "x", count: limit + 1)
        let framings = [
            "Content-Length: \(limit + 1)\r\n\r\n\(huge)",
            "Content-Length: 99999999\r\n\r\n\(huge)",
            "Transfer-Encoding: chunked\r\n\r\n\(String(limit + 1, radix: 16))\r\n\(huge)",
            "\r\n\(huge)",
        ]
        for framing in framings {
            let reading = read("HTTP/1.1 500 E\r\n" + framing)
            #expect(reading.progress == .complete)
            #expect(!reading.keepsAlive)
            #expect(reading.body.count == limit)
        }
        let fitting = read("HTTP/1.1 500 E\r\nContent-Length: \(limit)\r\n\r\n" + huge.dropLast())
        #expect(fitting.keepsAlive)
        #expect(fitting.body.count == limit)
    }

    @Test(
        "A response with an endless line is malformed",
        arguments: [
            "HTTP/1.1 201 C\r\nA: ", "HTTP/1.1 ",
            "HTTP/1.1 201 C\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: ",
        ])
    func responseWithAnEndlessLineIsMalformed(beginning: String) {
        let endless = beginning + String(repeating: "x", count: AnswerParser.headLimit)
        #expect(read(endless).progress == .malformed)
    }

    @Test("Endless interim responses are treated as malformed")
    func endlessInterimResponsesAreTreatedAsMalformed() {
        let interim = String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 4_000)
        #expect(read(interim).progress == .malformed)
    }

    @Test("A parser can be reused for the next response") func parserCanBeReusedForTheNextResponse()
    {
        var parser = AnswerParser()
        for text in [
            "HTTP/1.1 500 E\r\nRetry-After: 1\r\nContent-Length: 1\r\n\r\nx", Self.accepted,
        ] {
            parser.reset()
            #expect(parser.read(Array(text.utf8).span) == .complete)
        }
        #expect(parser.status == 201)
        #expect(parser.messageID == "id-1")
        #expect(parser.fields.isEmpty)
        #expect(parser.body.isEmpty)
    }

    private static let corpus: [[UInt8]] = [
        accepted, "HTTP/1.1 429 T\r\nRetry-After: 3\r\nContent-Length: 5\r\n\r\nPause",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 C\r\nLocation: /a/b\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 500 E\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: u\r\n\r\n",
        "HTTP/1.0 302 Found\r\nLocation: http://portal.example/\r\n\r\n<html>Please log in</html>",
        "HTTP/1.1 204 None\r\nConnection: keep-alive, close\r\n\r\nHTTP/1.1 201 C\r\n\r\n",
    ].map { Array($0.utf8) }

    private static let interesting = Array("\r\n\u{0}:; ,09aF/?#%\u{7F}\u{80}".utf8)

    private func damaged(_ bytes: [UInt8], with random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
            guard place < bytes.count else { continue }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: place)
            case 2:
                bytes.insert(
                    Self.interesting[Int.random(in: 0..<Self.interesting.count, using: &random)],
                    at: place)
            case 3: bytes.removeSubrange(place...)
            default:
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        return bytes
    }

    private func cut(_ bytes: [UInt8], with random: inout SeededRandom) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...60, using: &random))
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }

    @Test("Parsing does not depend on how the bytes are split", arguments: 0..<6)
    func parsingDoesNotDependOnHowTheBytesAreSplit(example: Int) {
        var random = SeededRandom(seed: UInt64(example))
        // Every byte of an example is damaged many times, and ends a piece many times.
        for _ in 0..<300 {
            let bytes = damaged(Self.corpus[example], with: &random)
            for ending in [false, true] {
                let whole = read([bytes], ending: ending)
                #expect(read(cut(bytes, with: &random), ending: ending) == whole)
                #expect(read(bytes.map { [$0] }, ending: ending) == whole)
                #expect(whole.body.count <= bytes.count)
            }
        }
    }

    @Test("Random bytes are parsed the same way for every split", arguments: 0..<4)
    func randomBytesAreParsedTheSameWayForEverySplit(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) + 100)
        for _ in 0..<200 {
            let beginning = Bool.random(using: &random) ? "HTTP/1.1 201 C\r\n" : ""
            let noise = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: .min ... .max, using: &random)
                    : Self.interesting[Int.random(in: 0..<Self.interesting.count, using: &random)]
            }
            let bytes = Array(beginning.utf8) + noise
            #expect(read([bytes]) == read(cut(bytes, with: &random)))
        }
    }
}
