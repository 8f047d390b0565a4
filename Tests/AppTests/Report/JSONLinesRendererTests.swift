import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct JSONLinesRendererTests {
    /// Unlike a synthesised decoder, this one distinguishes null from a missing key.
    private struct Line: Decodable {
        var texts: [String: String?] = [:]
        var attempts = 0

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            for key in object.allKeys where key.stringValue != "attempts" {
                let isNull = try object.decodeNil(forKey: key)
                texts[key.stringValue] = .some(
                    isNull ? nil : try object.decode(String.self, forKey: key))
            }
            attempts = try object.decode(Int.self, forKey: Key("attempts"))
        }

        /// nil if the value is null or missing.
        subscript(key: String) -> String? { texts[key] ?? nil }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private let renderer = JSONLinesRenderer(run: ReportSamples.run, campaign: "welcome")

    private func text(_ row: ReportRow) -> String {
        var bytes = renderer.header()
        renderer.append([row], to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A line contains every column in order") func lineContainsEveryColumnInOrder() {
        #expect(
            text(ReportSamples.row(outcome: .rejected, detail: #"400: "bad" tag"#))
                == #"{"run":"20261201T090000Z-abcdef","campaign":"welcome","recipient":"alice","#
                + #""platform":"apns","notification":"aaaaaaaaaaaaaaaaaaaaaaaaaa","#
                + #""outcome":"rejected","detail":"400: \"bad\" tag","hub_message":"73622a22-1","#
                + #""attempts":1,"recorded_at":"2026-12-01T09:00:00Z","#
                + #""pns":null,"fetched_at":null,"read_at":null}"# + "\n")
    }

    @Test("The push services' responses are shown without control characters")
    func pushServicesResponsesAreShownWithoutControlCharacters() {
        let told = text(ReportSamples.row(pushServices: "Success\u{1B}[31m"))
        #expect(told.contains(#","pns":"Success [31m","#))
    }

    @Test("A missing value is null") func missingValueIsNull() throws {
        let row = ReportSamples.row(
            outcome: .notAttempted, hubMessage: nil, attempts: 0, recordedAt: nil)
        let line = try JSONDecoder().decode(Line.self, from: Data(text(row).utf8))
        for key in ["detail", "hub_message", "recorded_at", "pns", "fetched_at", "read_at"] {
            #expect(line.texts[key] == .some(nil))
        }
    }

    @Test("Names are written exactly, even if they look like formulas")
    func namesAreWrittenExactlyEvenIfTheyLookLikeFormulas() throws {
        let row = ReportSamples.row(recipient: "@alice", detail: "=1+1")
        let line = try JSONDecoder().decode(Line.self, from: Data(text(row).utf8))
        #expect(line["recipient"] == "@alice")
        #expect(line["detail"] == "=1+1")
    }

    @Test("A JSON decoder can read every line", arguments: 1...20 as ClosedRange<UInt64>)
    func jsonDecoderCanReadEveryLine(seed: UInt64) throws {
        let rows = ReportSamples.rows(100, seed: seed)
        var bytes: [UInt8] = []
        renderer.append(Array(rows[..<33]), to: &bytes)
        renderer.append(Array(rows[33...]), to: &bytes)
        #expect(bytes.last == UInt8(ascii: "\n"))
        let lines = bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
        #expect(lines.count == rows.count)
        for (row, bytes) in zip(rows, lines) {
            let line = try JSONDecoder().decode(Line.self, from: Data(bytes))
            let keys = Set(line.texts.keys).union(["attempts"])
            #expect(keys == Set(ReportColumn.names))
            #expect(line["recipient"] == row.recipient.text)
            #expect(line["platform"] == row.platform.rawValue)
            #expect(line["outcome"] == row.outcome.rawValue)
            #expect(line["detail"] ?? "" == HubText.cleaned(row.detail))
            #expect(line["hub_message"] == row.hubMessage.map { HubText.cleaned($0) })
            #expect(line["recorded_at"] == row.recordedAt.map { $0.formatted(.iso8601) })
            #expect(line.attempts == row.attempts)
        }
    }

    @Test("The objects have keys for fetches and reads") func objectsHaveKeysForFetchesAndReads() {
        let row = ReportSamples.row(
            fetchedAt: ReportSamples.start.addingTimeInterval(60),
            readAt: ReportSamples.start.addingTimeInterval(90), revokedAt: ReportSamples.start)
        let line = text(row)
        #expect(line.contains(#""detail":"payload revoked 2026-12-01T09:00:00Z""#))
        #expect(
            line.hasSuffix(
                #","fetched_at":"2026-12-01T09:01:00Z","read_at":"2026-12-01T09:01:30Z"}"# + "\n"))
    }
}
