import CampaignCore
import FoundationEssentials

/// Writes rows as JSON into a script element: an array of arrays for the page's script.
///
/// The values are those of ``ReportColumn/onPage``. A platform or an outcome is written as its
/// index in the filter, and a time as seconds since 1970. A 0 instead of text repeats the text of
/// the previous row in the element; missing values are null.
struct RowScript {
    private let platforms: [Platform: Int]

    init(_ run: RunRecord) {
        platforms = Dictionary(
            run.platforms.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: min)
    }

    func append(_ rows: [ReportRow], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"<script type="application/json">["#.utf8)
        let columns = ReportColumn.onPage.map(\.column)
        var last = [String?](repeating: nil, count: columns.count)
        for (number, row) in rows.enumerated() {
            if number > 0 { bytes.append(contentsOf: ",\n".utf8) }
            for (place, column) in columns.enumerated() {
                bytes.append(UInt8(ascii: place == 0 ? "[" : ","))
                switch column.value(of: row) {
                case .plain where column == .platform:
                    Self.append(platforms[row.platform] ?? 0, to: &bytes)
                case .plain where column == .outcome:
                    Self.append(row.outcome.number, to: &bytes)
                case .text("") where column != .detail:
                    last[place] = nil
                    Self.append(nil, to: &bytes)
                case .plain(var text), .word(var text), .text(var text):
                    if column == .detail { text = TroubleReason.essence(of: text) }
                    if text == last[place] {
                        Self.append(0, to: &bytes)
                    } else {
                        Self.append(text, to: &bytes)
                    }
                    last[place] = text
                case .number(let number): Self.append(number, to: &bytes)
                case .time(let time):
                    Self.append(
                        time.map { Int($0.timeIntervalSince1970.rounded(.down)) }, to: &bytes)
                }
            }
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(contentsOf: "]</script>\n".utf8)
    }

    private static func append(_ number: Int?, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (number.map { "\($0)" } ?? "null").utf8)
    }

    /// Escapes invisible characters and markup.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
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
