import CampaignCore

/// Writes CSV (RFC 4180) with a header.
///
/// Rows end with LF instead of CR LF: Unix tools expect it, and every spreadsheet reads it.
struct CSVRenderer: ReportRenderer {
    /// The cells that are the same in every row: `run,campaign`.
    private let beginning: [UInt8]

    init(run: RunID, campaign: String) {
        var beginning: [UInt8] = []
        CSVCell.append(run.text, to: &beginning)
        beginning.append(UInt8(ascii: ","))
        CSVCell.append(campaign, to: &beginning)
        self.beginning = beginning
    }

    func header() -> [UInt8] {
        Array((ReportColumn.names.joined(separator: ",") + "\n").utf8)
    }

    func append(_ rows: [ReportRow], to bytes: inout [UInt8]) {
        let columns = ReportColumn.allCases
        for row in rows {
            bytes.append(contentsOf: beginning)
            for column in columns {
                bytes.append(UInt8(ascii: ","))
                switch column.value(of: row) {
                case .plain(let text): bytes.append(contentsOf: text.utf8)
                case .word(let text), .text(let text): CSVCell.append(text, to: &bytes)
                case .number(let number): bytes.append(contentsOf: String(number).utf8)
                case .time(let time?): UTCTime.append(time, to: &bytes)
                case .time(nil): break
                }
            }
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}

enum CSVCell {
    /// Appends a value, in quotes if RFC 4180 requires them.
    ///
    /// A leading `'` prevents formulas, because names and the hub's messages are not trusted.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        guard !text.isEmpty else { return }
        let needsQuotes = text.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: ","), quote, UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
            default: false
            }
        }
        if needsQuotes { bytes.append(quote) }
        if looksLikeFormula(text) { bytes.append(UInt8(ascii: "'")) }
        if needsQuotes {
            for byte in text.utf8 {
                if byte == quote { bytes.append(quote) }
                bytes.append(byte)
            }
            bytes.append(quote)
        } else {
            bytes.append(contentsOf: text.utf8)
        }
    }

    private static let quote = UInt8(ascii: "\"")

    private static func looksLikeFormula(_ text: String) -> Bool {
        switch text.utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
            UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            true
        default: false
        }
    }
}
