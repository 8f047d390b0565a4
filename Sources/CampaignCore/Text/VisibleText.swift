/// Makes foreign text safe to show: escapes invisible characters and those that control a terminal.
package enum VisibleText {
    /// Writes control, bidirectional and invisible characters as `\u{…}`, `\t`, `\n` or `\r`.
    ///
    /// Build-log commands anywhere in a line are also broken up.
    package static func escape(_ text: String) -> String {
        var progress = Progress()
        progress.keepsJoiners = false
        return escape(Array(text.unicodeScalars)[...], after: &progress)
    }

    /// The context for the next piece of a line that is escaped in pieces.
    package struct Progress: Sendable {
        fileprivate var command = BuildLogCommand()
        fileprivate var last: Unicode.Scalar?
        /// Whether joiners and variation selectors inside an emoji or letter are kept.
        fileprivate var keepsJoiners = true

        package init() {}
    }

    /// Escapes a piece like ``escape(_:)``, but keeps joiners inside an emoji or letter.
    package static func escape(
        _ scalars: ArraySlice<Unicode.Scalar>, after progress: inout Progress
    ) -> String {
        escape(scalars, after: &progress, keeping: []) { _ in false }
    }

    private static func escape(
        _ scalars: ArraySlice<Unicode.Scalar>, after progress: inout Progress,
        keeping kept: [[Unicode.Scalar]], where isKept: (Unicode.Scalar) -> Bool
    ) -> String {
        var result = String.UnicodeScalarView()
        var rest = scalars
        while let scalar = rest.first {
            let isCommand = progress.command.isFormed(by: scalar)
            let whole = scalar == "\u{1B}" ? kept.first { rest.starts(with: $0) } : nil
            let joins = progress.keepsJoiners && isJoiner(scalar, after: progress.last)
            if let whole {
                result.append(contentsOf: whole)
            } else if isCommand || needsEscape(scalar) && !joins && !isKept(scalar) {
                result.append(contentsOf: name(of: scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
            progress.last = scalar
            rest = rest.dropFirst(whole?.count ?? 1)
        }
        return String(result)
    }

    /// Escapes text of several lines; keeps line feeds, tabs, blanks and joiners inside an emoji.
    ///
    /// Build-log commands are broken up, except `::` at the start of a line, before which the
    /// caller must put other text.
    ///
    /// - Parameter kept: sequences to keep, such as this program's own colours.
    package static func lines(_ text: String, keeping kept: [String] = []) -> String {
        if isPlain(text) { return text }
        var progress = Progress()
        return escape(
            Array(text.unicodeScalars)[...], after: &progress,
            keeping: kept.map { Array($0.unicodeScalars) }
        ) { scalar in
            "\n\t".unicodeScalars.contains(scalar)
                || scalar.properties.generalCategory == .spaceSeparator
        }
    }

    /// Escapes invisible characters in an encoded JSON document.
    ///
    /// Build-log commands are also broken up.
    package static func json(_ json: String) -> String {
        if isPlain(json) { return json }
        var result = ""
        var command = BuildLogCommand()
        for scalar in json.unicodeScalars {
            let isCommand = command.isFormed(by: scalar)
            let isHidden = (!scalar.isASCII || scalar.value == 0x7F) && needsEscape(scalar)
            guard isCommand || isHidden else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }

    /// A path at the start of a line, where `::` would begin a build-log command.
    package static func path(_ path: String) -> String {
        let text = escape(path)
        let start = text.utf8.drop { $0 == UInt8(ascii: " ") }
        return start.starts(with: "::".utf8) ? "./" + text : text
    }

    /// Returns text such as `U+0007`.
    package static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The number of columns in a terminal.
    ///
    /// Colours take no columns, and an emoji with its modifiers counts as one character.
    package static func width(of text: some StringProtocol) -> Int {
        guard text.utf8.contains(0x1B) else { return text.reduce(0) { $0 + width(of: $1) } }
        let plain = TextStyle.sequences.reduce(String(text)) { $0.replacing($1, with: "") }
        return plain.reduce(0) { $0 + width(of: $1) }
    }

    /// The longest beginning of text without colours that fits into the columns.
    ///
    /// - Parameter least: the minimum number of characters to return, even if they do not fit.
    package static func prefix(of text: String, columns: Int, least: Int = 0) -> Substring {
        var (used, count) = (0, 0)
        return text.prefix { character in
            used += width(of: character)
            count += 1
            return used <= columns || count <= least
        }
    }

    package static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(of: text)))
    }

    private static func width(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, !first.isASCII || scalars.count > 1 else { return 1 }
        // The selector chooses the emoji form of a character that can also be shown as text.
        if scalars.contains("\u{FE0F}") { return 2 }
        if first.properties.isEmojiPresentation { return 2 }
        return scalars.reduce(0) { $0 + width(of: $1) }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\t": #"\t"#
        case "\n": #"\n"#
        case "\r": #"\r"#
        default: #"\u{"# + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        var command = BuildLogCommand()
        return text.utf8.allSatisfy { byte in
            (0x20...0x7E).contains(byte) && !command.isFormed(by: Unicode.Scalar(byte))
                || byte == 0x0A
        }
    }

    private static func isJoiner(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
        guard let last else { return false }
        switch scalar.value {
        // With the selector, a character such as # becomes a keycap emoji.
        case 0xFE0F where last.isASCII: return last.properties.isEmoji
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F, 0xE0100...0xE01EF:
            // Scripts before Arabic have no joiners.
            let joins = last.value >= 0x600 && (last.properties.isAlphabetic || isMark(last))
            return joins || !last.isASCII && last.properties.isEmoji
                || last.properties.isVariationSelector
        default: return false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
            && !scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
            .surrogate:
            return true
        case .spaceSeparator:
            return true
        default:
            return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Two columns for wide blocks (Unicode's East Asian Width), none for combining marks.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x300: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        // The second and third parts of a Korean syllable written as separate characters.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}
