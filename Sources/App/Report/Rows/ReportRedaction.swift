import CampaignCore
import CampaignFormat
import Files
import FoundationEssentials

/// Removes a forgotten person from a report that cannot be written again, line by line.
///
/// The person's rows are removed. In other lines, the person's tag is removed, because the hub may
/// name several people in one response, and `(forgotten)` replaces the name in sentences.
struct ReportRedaction {
    private struct Row: Decodable { let recipient: String? }

    let person: Username

    /// Returns a line without the person, including its line feed if it has one.
    func line(_ line: [UInt8]) -> [UInt8] {
        guard line.firstOccurrence(of: Array(person.text.utf8), from: 0) != nil else { return line }
        var text = String(decoding: line, as: UTF8.self)
        if isTheirs(text) { return [] }
        for (words, end) in [("such as ", " "), ("such as ", "\n"), (PersonText.nothing, ".\n")] {
            text = text.replacingBytes(
                words + person.text + end, with: words + "(forgotten)" + end)
        }
        return person.untagged(Array(text.utf8))
    }

    private func isTheirs(_ line: String) -> Bool {
        guard line.hasPrefix("{") else {
            let cells = CSVRecord.texts(of: Array(line.utf8))
            // A `'` may precede the name, to prevent a formula.
            return (ReportColumn.fewest...ReportColumn.names.count).contains(cells.count)
                && RunID(cells[0]) != nil
                && [person.text, "'" + person.text].contains(cells[2])
        }
        do {
            // A line without a recipient is about a run.
            let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
            return row.recipient == person.text
        } catch {
            // A truncated line may be about this person.
            return true
        }
    }
}
