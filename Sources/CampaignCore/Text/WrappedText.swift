/// Breaks text into lines, by the width of characters on a terminal.
package enum WrappedText {
    /// The programs at the beginning of commands in hubsend's messages.
    private static let programs: Set = ["hubsend", "sudo", "env", "chmod", "chown"]

    /// Breaks text between words, and inside words that are too wide for a line.
    ///
    /// A command is never broken, so that it can be copied. No line begins with `::`, which build
    /// servers would mistake for a command. `text` is one paragraph that is safe to show; every
    /// line but the first begins with `indent`.
    package static func paragraph(
        _ text: String, width: Int?, indent: String = "", keepsWords: Bool = false
    ) -> [String] {
        guard let width else { return [text] }
        let indent = indent.count < width / 2 ? indent : ""
        var lines: [String] = []
        var line: String?
        var used = 0
        for (word, isCommand) in pieces(of: text) {
            let size = VisibleText.width(of: word)
            if let begun = line, used + 1 + size <= width || word.hasPrefix("::") {
                line = "\(begun) \(word)"
                used += 1 + size
            } else {
                if let begun = line { lines.append(begun) }
                line = (lines.isEmpty ? "" : indent) + word
                used = size + (lines.isEmpty ? 0 : indent.count)
            }
            while !isCommand, !keepsWords, used > width, let begun = line,
                let head = cut(begun, to: width)
            {
                lines.append(String(head))
                let rest = indent + begun.dropFirst(head.count)
                line = rest
                used = VisibleText.width(of: rest)
            }
        }
        return lines + [line ?? ""]
    }

    package static func lines(_ text: String, width: Int) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.flatMap {
            paragraph(String($0), width: width)
        }
    }

    /// The words of the text; a command is treated as one word.
    private static func pieces(of text: String) -> [(text: String, isCommand: Bool)] {
        var pieces: [(text: String, isCommand: Bool)] = []
        var isOpen = false
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let isLast = pieces.last.map { isOpen || $0.isCommand && !$0.text.hasSuffix("`") }
            if isLast == true {
                pieces[pieces.count - 1].text += " " + word
                pieces[pieces.count - 1].isCommand = true
            } else {
                let isCommand = pieces.last?.text.hasSuffix(":") == true && isProgram(word)
                pieces.append((String(word), isCommand))
            }
            if word.count(where: { $0 == "`" }) % 2 == 1 { isOpen.toggle() }
        }
        return pieces
    }

    private static func isProgram(_ word: Substring) -> Bool {
        programs.contains(String(word)) || word.hasSuffix("/hubsend") || word.hasPrefix("HUBSEND_")
    }

    /// The longest prefix that fits; nil if the text cannot be cut there.
    private static func cut(_ line: String, to width: Int) -> Substring? {
        let head = VisibleText.prefix(of: line, columns: width, least: 1)
        let rest = line[head.endIndex...]
        return rest.isEmpty || rest.drop { $0 == " " }.hasPrefix("::") ? nil : head
    }
}
