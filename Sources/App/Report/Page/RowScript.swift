import CampaignCore
import FoundationEssentials

/// Rows as JSON in a script element, an array of arrays for the page's script.
///
/// A row: recipient, platform index, outcome index, detail, tries, the times of record, fetch and
/// read (seconds since 1970), hub message, payload. A recipient, detail or payload of 0 repeats the
/// row before in the element; missing values are null.
struct RowScript {
    static let beginning = #"<script type="application/json">["#

    private static let outcomes = Dictionary(
        uniqueKeysWithValues: Outcome.allCases.enumerated().map { ($0.element, $0.offset) })

    private let platforms: [Platform: Int]

    init(_ run: RunRecord) {
        platforms = Dictionary(
            run.platforms.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: min)
    }

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

    /// Escapes invisible characters and markup.
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
