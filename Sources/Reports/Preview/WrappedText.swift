import CampaignCore

/// Sets text in lines no wider than a terminal, by what characters take there.
enum WrappedText {
    /// Breaks a text between words, and within words that are too wide for a line.
    ///
    /// A word that begins with `::` never begins a line: what reads a build's log would take it for a command.
    ///
    /// - Parameters:
    ///   - text: one paragraph, safe to show.
    ///   - width: the columns of a line, at least 1.
    /// - Returns: at least one line.
    static func paragraph(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line: String?
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let size = self.width(of: word)
            if let begun = line, used + 1 + size <= width || word.hasPrefix("::") {
                line = "\(begun) \(word)"
                used += 1 + size
            } else {
                if let begun = line { lines.append(begun) }
                line = String(word)
                used = size
            }
            while used > width, let begun = line, let head = cut(begun, to: width) {
                lines.append(head)
                let rest = String(begun.dropFirst(head.count))
                line = rest
                used = self.width(of: rest)
            }
        }
        return lines + [line ?? ""]
    }

    /// Breaks a text of several lines, each of which begins a line.
    static func lines(_ text: String, width: Int) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.flatMap {
            paragraph(String($0), width: width)
        }
    }

    /// How many columns a text takes, emoji of several code points counted as one.
    static func width(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    private static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard scalars.count > 1 else { return VisibleText.width(of: String(character)) }
        let isFlag = scalars.allSatisfy { (0x1F1E6...0x1F1FF).contains($0.value) }
        if isFlag || scalars.contains("\u{FE0F}") { return 2 }
        return scalars.map { VisibleText.width(of: String($0)) }.max() ?? 0
    }

    /// The longest beginning that fits and leaves something over; nil where there is none.
    private static func cut(_ line: String, to width: Int) -> String? {
        var head = ""
        var used = 0
        for character in line {
            let size = self.width(of: character)
            if used + size > width, !head.isEmpty { break }
            head.append(character)
            used += size
        }
        let rest = line.dropFirst(head.count)
        return rest.isEmpty || rest.drop { $0 == " " }.hasPrefix("::") ? nil : head
    }
}
