import CampaignCore
import FoundationEssentials

/// Writes one JSON object per delivery, with every key; missing values are `null`.
///
/// The JSON is written without an encoder, because a general encoder takes ten times as long.
struct JSONLinesRenderer: ReportRenderer {
    /// The beginning of every line: `{"run":…,"campaign":…`.
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
        let columns = ReportColumn.allCases.map { ($0, Array(",\"\($0.rawValue)\":".utf8)) }
        for row in rows {
            bytes.append(contentsOf: beginning)
            for (column, key) in columns {
                bytes.append(contentsOf: key)
                switch column.value(of: row) {
                case .plain(let text), .word(let text): JSONText.append(text, to: &bytes)
                case .text(""), .time(nil): bytes.append(contentsOf: "null".utf8)
                case .text(let text): JSONText.append(text, to: &bytes)
                case .number(let number): bytes.append(contentsOf: String(number).utf8)
                case .time(let time?):
                    bytes.append(UInt8(ascii: "\""))
                    UTCTime.append(time, to: &bytes)
                    bytes.append(UInt8(ascii: "\""))
                }
            }
            bytes.append(contentsOf: "}\n".utf8)
        }
    }
}
