/// Text of a file made safe to show: what a reader cannot see, or what steers a terminal, is written out.
package enum VisibleText {
    /// Writes control, bidirectional and invisible characters as `\u{…}`, tabs and line breaks as `\t`, `\n`, `\r`.
    ///
    /// The old form of build-log commands, which is found anywhere in a line, is broken up too.
    package static func escape(_ text: String) -> String {
        var hashes = 0
        return escape(Array(text.unicodeScalars)[...], hashes: &hashes)
    }

    /// The same for a piece of a text.
    ///
    /// - Parameters:
    ///   - scalars: the piece.
    ///   - hashes: how many `#` stand right before it; afterwards, how many it ends with.
    /// - Returns: the piece, safe to show behind the pieces before it.
    static func escape(_ scalars: ArraySlice<Unicode.Scalar>, hashes: inout Int) -> String {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            if needsEscape(scalar) || (scalar == "[" && hashes >= 2) {
                result.append(contentsOf: name(of: scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
            hashes = scalar == "#" ? hashes + 1 : 0
        }
        return String(result)
    }

    /// A path at the start of a line, where `::` would begin a build-log command.
    static func path(_ path: String) -> String {
        let text = escape(path)
        let start = text.drop { $0 == " " }
        return start.hasPrefix("::") ? "./" + text : text
    }

    /// A character by its number, such as `U+0007`.
    static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// How many columns of a terminal a text takes.
    static func width(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\t": #"\t"#
        case "\n": #"\n"#
        case "\r": #"\r"#
        default: #"\u{"# + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
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

    /// Two for the wide blocks of Unicode's East Asian Width, none for marks that stand on the character before.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x300: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return 1
        }
    }
}
