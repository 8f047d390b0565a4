import CampaignCore
import FoundationEssentials

/// Removes a forgotten person from an existing report, line by line.
///
/// Their rows stay without the name and the hub's message, and the detail is cut before their name.
/// Other rows lose only the person's tag, since the hub may name several people in one answer. The
/// first line tells the format.
struct NamelessReport {
    /// Replaces the person in reasons, as in the store.
    private static let somebody = Array("(forgotten)".utf8)

    private enum Format {
        case csv
        case lines
        case page
        case text

        init(firstLine: [UInt8]) {
            if firstLine.starts(with: "run,campaign,recipient,".utf8) {
                self = .csv
            } else if firstLine.starts(with: "{".utf8) {
                self = .lines
            } else {
                self = firstLine.starts(with: "<!DOCTYPE html>".utf8) ? .page : .text
            }
        }
    }

    private let person: Username
    private let name: [UInt8]
    private var format: Format?
    /// Whether the last row of a page was theirs; nil outside a page's rows.
    private var isTheirs: Bool?
    /// The detail cut from their row, for following rows that repeat it.
    private var said: [UInt8]?

    init(of person: Username) {
        self.person = person
        name = Array(person.text.utf8)
    }

    /// The next line, including any line feed, without the person.
    mutating func next(_ line: [UInt8]) -> [UInt8] {
        guard let format else {
            let first = Format(firstLine: line)
            self.format = first
            // The header has no people.
            return first == .csv ? line : next(line)
        }
        // Rows of a page after the person's own do not repeat the name.
        guard isTheirs != nil || format == .page || line.firstRun(of: name) != nil else {
            return line
        }
        let changed: [UInt8] =
            switch format {
            case .csv: row(line)
            case .lines: object(line)
            case .page: part(line)
            case .text: sentence(line)
            }
        return person.untagged(changed)
    }

    // MARK: CSV

    private func row(_ line: [UInt8]) -> [UInt8] {
        var cells = CSVCell.texts(of: line)
        guard let recipient = Self.place(of: .recipient), cells.indices.contains(recipient),
            // In a cell, a `'` may precede the name.
            [name, [UInt8(ascii: "'")] + name].contains(Array(cells[recipient].utf8))
        else { return line }
        cells[recipient] = Username.nameless.text
        if let detail = Self.place(of: .detail), cells.indices.contains(detail) {
            cells[detail] = beginning(of: cells[detail])
        }
        if let message = Self.place(of: .hubMessage), cells.indices.contains(message) {
            cells[message] = ""
        }
        var bytes: [UInt8] = []
        for (place, cell) in cells.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            CSVCell.append(cell, to: &bytes)
        }
        if line.last == UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    private static func place(of column: ReportColumn) -> Int? {
        ReportColumn.allCases.firstIndex(of: column)
    }

    // MARK: JSON

    /// A key in quotes cannot appear inside a text, where quotes are escaped.
    private func object(_ line: [UInt8]) -> [UInt8] {
        let theirs = Array(#","recipient":""#.utf8) + name + Array(#"","platform":"#.utf8)
        guard line.firstRun(of: theirs) != nil else { return line }
        var line = line.replacing(theirs, with: Array(#","recipient":"","platform":"#.utf8))
        line = value(of: #","detail":"#, in: line) { text in
            let kept = beginning(of: text)
            return kept.isEmpty ? nil : kept
        }
        return value(of: #","hub_message":"#, in: line) { _ in nil }
    }

    /// Replaces the text of a key by another or null; null stays.
    private func value(
        of key: String, in line: [UInt8], _ change: (String) -> String?
    ) -> [UInt8] {
        let key = Array(key.utf8)
        guard let place = line.firstRun(of: key) else { return line }
        let start = place + key.count
        guard let end = Self.end(ofText: line, from: start) else { return line }
        var bytes = Array(line[..<start])
        if let text = change(Self.text(line[start..<end])) {
            JSONText.append(text, to: &bytes)
        } else {
            bytes += "null".utf8
        }
        return bytes + line[end...]
    }

    /// The end of a quoted text; nil if none begins here.
    private static func end(ofText bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return nil }
        var place = start + 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""): return place + 1
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        return nil
    }

    private static func text(_ literal: ArraySlice<UInt8>) -> String {
        do {
            let array = Data("[".utf8) + Data(literal) + Data("]".utf8)
            return try JSONDecoder().decode([String].self, from: array).first ?? ""
        } catch {
            // No report has such a text; drop what cannot be read.
            return ""
        }
    }

    // MARK: Pages

    private mutating func part(_ line: [UInt8]) -> [UInt8] {
        var start = 0
        if line.starts(with: RowScript.beginning.utf8) {
            isTheirs = false
            start = RowScript.beginning.utf8.count
        }
        guard isTheirs != nil else {
            let cell = Array(#"<td class="word">"#.utf8)
            let end = Array("</td></tr>".utf8)
            return line.replacing(cell + name + end, with: cell + Self.somebody + end)
        }
        let (cells, end) = Self.cells(of: line, from: start)
        let rest = line[end...]
        defer { if Array(rest).firstRun(of: Array("</script>".utf8)) != nil { isTheirs = nil } }
        // Detail and message are the fourth and ninth.
        guard cells.count >= 9 else { return line }
        let isNamed = cells[0].first == UInt8(ascii: "\"")
        if isNamed { isTheirs = cells[0].dropFirst().dropLast().elementsEqual(name) }
        let isSaid = cells[3].first == UInt8(ascii: "\"")
        if isSaid { said = nil }
        guard isTheirs == true || said != nil else { return line }
        var changed = cells.map(Array.init)
        if isTheirs == true {
            if isNamed { changed[0] = Array("\"\"".utf8) }
            if isSaid {
                changed[3] = []
                RowScript.append(beginning(of: Self.text(cells[3])), to: &changed[3])
                if changed[3] != Array(cells[3]) { said = Array(cells[3]) }
            }
            changed[8] = Array("null".utf8)
        } else if let whole = said {
            changed[3] = whole
            said = nil
        }
        var bytes = Array(line[..<start])
        for (place, cell) in changed.enumerated() {
            bytes.append(UInt8(ascii: place == 0 ? "[" : ","))
            bytes += cell
        }
        return bytes + rest
    }

    /// The values of the array at a place, and its closing bracket.
    private static func cells(
        of line: [UInt8], from start: Int
    ) -> (cells: [ArraySlice<UInt8>], end: Int) {
        guard start < line.count, line[start] == UInt8(ascii: "[") else { return ([], start) }
        var cells: [ArraySlice<UInt8>] = []
        var first = start + 1
        var place = first
        while place < line.count {
            switch line[place] {
            case UInt8(ascii: "\""):
                place = end(ofText: line, from: place) ?? line.count
                continue
            case UInt8(ascii: ","):
                cells.append(line[first..<place])
                first = place + 1
            case UInt8(ascii: "]"):
                cells.append(line[first..<place])
                return (cells, place)
            default: break
            }
            place += 1
        }
        return ([], start)
    }

    // MARK: Texts

    /// A summary names examples; an empty list of a person's pushes names the person.
    private func sentence(_ line: [UInt8]) -> [UInt8] {
        var line = line
        for (words, end) in [("such as ", " "), ("such as ", "\n"), ("was for ", ".\n")] {
            let words = Array(words.utf8)
            line = line.replacing(
                words + name + Array(end.utf8), with: words + Self.somebody + Array(end.utf8))
        }
        return line
    }

    /// The text before the person's name.
    private func beginning(of text: String) -> String {
        let bytes = Array(text.utf8)
        guard let place = bytes.firstRun(of: name) else { return text }
        return String(decoding: bytes[..<place], as: UTF8.self)
    }
}

extension [UInt8] {
    /// The first place of other bytes in these.
    fileprivate func firstRun(of bytes: [UInt8], from start: Int = 0) -> Int? {
        guard let first = bytes.first else { return nil }
        var start = start
        while start + bytes.count <= count,
            let place = self[start...].firstIndex(of: first), place + bytes.count <= count
        {
            if self[place..<place + bytes.count].elementsEqual(bytes) { return place }
            start = place + 1
        }
        return nil
    }

    fileprivate func replacing(_ bytes: [UInt8], with others: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        while let place = firstRun(of: bytes, from: start) {
            result += self[start..<place] + others
            start = place + bytes.count
        }
        return result + self[start...]
    }
}
