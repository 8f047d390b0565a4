@testable import CampaignFormat

/// A text without its marks, and the positions of the marks: `ka1️⃣y: v` is `kay: v`; lines and
/// columns are counted without the parser.
struct MarkedText {
    let text: String
    private let places: [Int: SourcePosition]

    var bytes: [UInt8] { Array(text.utf8) }

    init(_ marked: String) {
        let scalars = Array(marked.unicodeScalars)
        var text = String.UnicodeScalarView()
        var places: [Int: SourcePosition] = [:]
        var (line, column, offset, index) = (1, 1, 0, 0)
        while index < scalars.count {
            let scalar = scalars[index]
            if index + 2 < scalars.count, scalars[index + 1] == "\u{FE0F}",
                scalars[index + 2] == "\u{20E3}", let digit = Int(String(scalar))
            {
                places[digit] = SourcePosition(line: line, column: column, offset: offset)
                index += 3
                continue
            }
            text.append(scalar)
            offset += String(scalar).utf8.count
            index += 1
            let isFirstOfTwo = scalar == "\r" && index < scalars.count && scalars[index] == "\n"
            if scalar == "\n" || (scalar == "\r" && !isFirstOfTwo) {
                line += 1
                column = 1
            } else if !(scalar == "\u{FEFF}" && offset == 3) {
                column += 1
            }
        }
        self.text = String(text)
        self.places = places
    }

    subscript(mark: Int) -> SourcePosition {
        places[mark] ?? SourcePosition(line: 0, column: 0, offset: 0)
    }

    subscript(start: Int, end: Int) -> SourceRange {
        SourceRange(start: self[start], end: self[end])
    }
}
