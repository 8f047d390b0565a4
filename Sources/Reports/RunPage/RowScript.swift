import CampaignCore
import FoundationEssentials

/// Rows as JSON in a script element that is data: an array of arrays, as the page's script reads them.
///
/// A row is recipient, place of the platform, place of the outcome, detail, tries, the times of its record, fetch and read in
/// seconds since 1970, the hub's message and the payload. Recipient, detail and payload are 0 where they are as in the row before,
/// of the same element; what is not there is null.
struct RowScript {
    /// What stands before the first row of an element.
    static let beginning = #"<script type="application/json">["#

    private static let outcomes = Dictionary(
        uniqueKeysWithValues: Outcome.allCases.enumerated().map { ($0.element, $0.offset) })

    private let platforms: [Platform: Int]

    /// - Parameter run: the run that the rows are of.
    init(_ run: RunRecord) {
        platforms = Dictionary(
            run.platforms.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: min)
    }

    /// Appends an element with some rows.
    func append(_ rows: [ReportRow], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: Self.beginning.utf8)
        var last: (recipient: Username, detail: String, payload: NotificationID)?
        for row in rows {
            let detail = TroubleReason.essence(of: row.explanation)
            bytes.append(contentsOf: last == nil ? "[".utf8 : ",\n[".utf8)
            Self.append(row.recipient.text, unlessSameAs: last?.recipient.text, to: &bytes)
            Self.append(platforms[row.platform] ?? 0, to: &bytes)
            Self.append(Self.outcomes[row.outcome] ?? 0, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            Self.append(detail, unlessSameAs: last?.detail, to: &bytes)
            Self.append(row.attempts, to: &bytes)
            for time in [row.recordedAt, row.fetchedAt, row.readAt] {
                Self.append(time.map { Int($0.timeIntervalSince1970.rounded(.down)) }, to: &bytes)
            }
            bytes.append(UInt8(ascii: ","))
            if let message = row.hubMessage {
                Self.append(HubText.cleaned(message), to: &bytes)
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
            bytes.append(UInt8(ascii: ","))
            Self.append(row.notification.text, unlessSameAs: last?.payload.text, to: &bytes)
            bytes.append(UInt8(ascii: "]"))
            last = (row.recipient, detail, row.notification)
        }
        bytes.append(contentsOf: "]</script>\n".utf8)
    }

    private static func append(
        _ text: String, unlessSameAs last: String?, to bytes: inout [UInt8]
    ) {
        if text == last {
            bytes.append(UInt8(ascii: "0"))
        } else {
            append(text, to: &bytes)
        }
    }

    private static func append(_ number: Int?, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: (number.map { "\($0)" } ?? "null").utf8)
    }

    /// A text whose every character is seen, and in which no element can end or begin.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        JSONText.append(VisibleText.lines(text), to: &bytes)
        guard bytes[start...].contains(UInt8(ascii: "<")) else { return }
        let written = Array(bytes[start...])
        bytes.removeSubrange(start...)
        for byte in written {
            if byte == UInt8(ascii: "<") {
                bytes.append(contentsOf: #"\u003C"#.utf8)
            } else {
                bytes.append(byte)
            }
        }
    }
}
