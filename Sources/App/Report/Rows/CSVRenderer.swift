import CampaignCore

/// Writes CSV (RFC 4180) with a header.
///
/// Rows end with LF instead of CR LF: Unix tools expect it, and every spreadsheet reads it.
struct CSVRenderer: ReportRenderer {
    /// The same in every row: `run,campaign,`.
    private let beginning: [UInt8]

    init(run: RunID, campaign: String) {
        var beginning: [UInt8] = []
        CSVCell.append(run.text, to: &beginning)
        beginning.append(UInt8(ascii: ","))
        CSVCell.append(campaign, to: &beginning)
        beginning.append(UInt8(ascii: ","))
        self.beginning = beginning
    }

    func header() -> [UInt8] {
        Array((ReportColumn.allCases.map(\.rawValue).joined(separator: ",") + "\n").utf8)
    }

    func append(_ rows: [ReportRow], to bytes: inout [UInt8]) {
        let comma = UInt8(ascii: ",")
        for row in rows {
            bytes.append(contentsOf: beginning)
            CSVCell.append(row.recipient.text, to: &bytes)
            bytes.append(comma)
            bytes.append(contentsOf: row.platform.rawValue.utf8)
            bytes.append(comma)
            bytes.append(contentsOf: row.notification.text.utf8)
            bytes.append(comma)
            bytes.append(contentsOf: row.outcome.rawValue.utf8)
            bytes.append(comma)
            CSVCell.append(row.explanation, to: &bytes)
            bytes.append(comma)
            if let message = row.hubMessage {
                CSVCell.append(HubText.cleaned(message), to: &bytes)
            }
            bytes.append(comma)
            bytes.append(contentsOf: String(row.attempts).utf8)
            bytes.append(comma)
            if let time = row.recordedAt { UTCTime.append(time, to: &bytes) }
            bytes.append(comma)
            if let word = row.pushServices { CSVCell.append(HubText.cleaned(word), to: &bytes) }
            bytes.append(comma)
            if let time = row.fetchedAt { UTCTime.append(time, to: &bytes) }
            bytes.append(comma)
            if let time = row.readAt { UTCTime.append(time, to: &bytes) }
            bytes.append(UInt8(ascii: "\n"))
        }
    }
}

enum CSVCell {
    /// Appends a value, quoted if RFC 4180 requires it.
    ///
    /// A leading `'` disarms formulas: names and the hub's texts come from outside.
    static func append(_ text: String, to bytes: inout [UInt8]) {
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

    /// The values of one line; formulas keep their `'`.
    static func texts(of row: [UInt8]) -> [String] {
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        var wasQuote = false
        for byte in row {
            defer { wasQuote = byte == quote && !isQuoted }
            switch byte {
            case quote:
                isQuoted.toggle()
                // A doubled quote is one: the first closed what the second opens again.
                if isQuoted, wasQuote { cells[cells.count - 1].append(quote) }
            case UInt8(ascii: ",") where !isQuoted: cells.append([])
            case UInt8(ascii: "\n") where !isQuoted: break
            default: cells[cells.count - 1].append(byte)
            }
        }
        return cells.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let quote = UInt8(ascii: "\"")

    private static func looksLikeFormula(_ text: String) -> Bool {
        switch text.utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
            UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            true
        default:
            false
        }
    }
}
