import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PersonExportTests {
    private struct Exported: Decodable {
        struct Device: Decodable, Equatable {
            let id: String
            let platform: String?
            let updated: String
        }

        struct Delivery: Decodable, Equatable {
            let platform: String
            let outcome: String
            let detail: String
        }

        struct Payload: Decodable {
            let text: String?
            let content: String?
            let data: [String: String]?
        }

        struct Run: Decodable {
            let run: String
            let campaign: String
            let fetched: String?
            let payload: Payload?
            let deliveries: [Delivery]
        }

        let user: String
        let exported: String
        let registrations: [Device]
        let runs: [Run]
    }

    private let export = PersonExport(Username(checked: "alice"), at: ReportSamples.start)

    private func read(_ pieces: [[UInt8]]) throws -> Exported {
        try JSONDecoder().decode(Exported.self, from: Data(pieces.flatMap(\.self)))
    }

    private func payload(_ mediaType: String, _ bytes: [UInt8]?) -> StoredNotification {
        StoredNotification(
            id: .placeholder, run: ReportSamples.run, kind: .secure, type: nil, data: ["code": "7"],
            mediaType: mediaType, bytes: bytes, digest: nil, created: ReportSamples.start,
            expires: ReportSamples.start + 60)
    }

    @Test("For an unknown person, both lists are empty")
    func forAnUnknownPersonBothListsAreEmpty() throws {
        let exported = try read([try export.beginning([]), PersonExport.end])
        #expect(exported.user == "alice")
        #expect(exported.exported == "2026-12-01T09:00:00Z")
        #expect(exported.registrations == [])
        #expect(exported.runs.isEmpty)
    }

    @Test("A device is listed without its handle") func deviceIsListedWithoutItsHandle() throws {
        let registration = DeviceRegistration(
            id: "17-4", user: Username(checked: "alice"), platform: .apns,
            handle: HandleDigest(bytes: Array(repeating: 0xAB, count: 32)),
            updated: ReportSamples.start)
        let beginning = try export.beginning([registration, registration])
        #expect(!String(decoding: beginning, as: UTF8.self).lowercased().contains("abab"))
        let exported = try read([beginning, PersonExport.end])
        #expect(exported.registrations.map(\.id) == ["17-4", "17-4"])
        #expect(exported.registrations[0].platform == "apns")
    }

    @Test("Each run is exported with its deliveries and the person's own payload")
    func eachRunIsExportedWithItsDeliveriesAndThePersonsOwnPayload() throws {
        let rows = [
            ReportSamples.row(fetchedAt: ReportSamples.start + 60),
            ReportSamples.row(platform: .fcm, outcome: .rejected, detail: "400: no"),
        ]
        let exported = try read([
            try export.beginning([]),
            try export.entry(
                ReportSamples.record(), rows,
                payload: payload("text/plain", Array("Dear \"A\"".utf8)),
                isFirst: true),
            try export.entry(
                ReportSamples.record(), rows, payload: payload("image/png", [1, 2, 3]),
                isFirst: false),
            try export.entry(ReportSamples.record(), rows, payload: nil, isFirst: false),
            try export.entry(ReportSamples.record(), [], payload: nil, isFirst: false),
            PersonExport.end,
        ])
        #expect(exported.runs.count == 3)
        let first = exported.runs[0]
        #expect(first.run == ReportSamples.run.text)
        #expect(first.campaign == "statement-ready")
        #expect(first.fetched != nil)
        #expect(first.deliveries.map(\.outcome) == ["accepted", "rejected"])
        #expect(first.deliveries[1].detail == "400: no")
        #expect(first.payload?.text == "Dear \"A\"")
        #expect(first.payload?.data == ["code": "7"])
        #expect(exported.runs[1].payload?.content == "AQID")
        #expect(exported.runs[1].payload?.text == nil)
        #expect(exported.runs[2].payload == nil)
    }
}
