import CampaignCore
import CampaignFormat
import Files
import FoundationEssentials

/// Removes a forgotten person, line by line, from a report that cannot be written again.
///
/// Their rows go. Other lines lose the person's tag, since the hub may name several people in one
/// answer, and in sentences `(forgotten)` stands for the name.
struct NamelessReport {
    private struct Row: Decodable { let recipient: String? }

    let person: Username

    /// A line, including any line feed, without the person.
    func line(_ line: [UInt8]) -> [UInt8] {
        guard line.firstPlace(of: Array(person.text.utf8), from: 0) != nil else { return line }
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
            // A `'` may precede the name in a cell.
            return (ReportColumn.fewest...ReportColumn.names.count).contains(cells.count)
                && RunID(cells[0]) != nil
                && [person.text, "'" + person.text].contains(cells[2])
        }
        do {
            // A line without a recipient is about a run.
            let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
            return row.recipient == person.text
        } catch {
            // A cut line may be theirs.
            return true
        }
    }
}
