import CampaignCore
import FoundationEssentials

/// Writes one JSON object a delivery, with every key; missing values are `null`.
///
/// A general encoder costs ten times as much; tests read every line back.
struct JSONLinesRenderer: ReportRenderer {
    /// The same in every line: `{"run":…,"campaign":…`.
    private let beginning: [UInt8]

    init(run: RunID, campaign: String) {
        var beginning = Array(#"{"run":"#.utf8)
        JSONText.append(run.text, to: &beginning)
        beginning.append(contentsOf: #","campaign":"#.utf8)
        JSONText.append(campaign, to: &beginning)
        self.beginning = beginning
    }

    func header() -> [UInt8] { [] }

    func append(_ rows: [ReportRow], to bytes: inout [UInt8]) {
        for row in rows {
            bytes.append(contentsOf: beginning)
            bytes.append(contentsOf: #","recipient":"#.utf8)
            JSONText.append(row.recipient.text, to: &bytes)
            bytes.append(contentsOf: #","platform":"#.utf8)
            JSONText.append(row.platform.rawValue, to: &bytes)
            bytes.append(contentsOf: #","notification":"#.utf8)
            JSONText.append(row.notification.text, to: &bytes)
            bytes.append(contentsOf: #","outcome":"#.utf8)
            JSONText.append(row.outcome.rawValue, to: &bytes)
            bytes.append(contentsOf: #","detail":"#.utf8)
            Self.append(row.explanation, to: &bytes)
            bytes.append(contentsOf: #","hub_message":"#.utf8)
            Self.append(row.hubMessage.map { HubText.cleaned($0) }, to: &bytes)
            bytes.append(contentsOf: #","attempts":"#.utf8)
            bytes.append(contentsOf: String(row.attempts).utf8)
            bytes.append(contentsOf: #","recorded_at":"#.utf8)
            Self.append(row.recordedAt, to: &bytes)
            bytes.append(contentsOf: #","pns":"#.utf8)
            Self.append(row.pushServices.map { HubText.cleaned($0) }, to: &bytes)
            bytes.append(contentsOf: #","fetched_at":"#.utf8)
            Self.append(row.fetchedAt, to: &bytes)
            bytes.append(contentsOf: #","read_at":"#.utf8)
            Self.append(row.readAt, to: &bytes)
            bytes.append(contentsOf: "}\n".utf8)
        }
    }

    private static func append(_ time: Date?, to bytes: inout [UInt8]) {
        guard let time else { return bytes.append(contentsOf: "null".utf8) }
        bytes.append(UInt8(ascii: "\""))
        UTCTime.append(time, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes `null` also for an empty text.
    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        if let text, !text.isEmpty {
            JSONText.append(text, to: &bytes)
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
    }
}
