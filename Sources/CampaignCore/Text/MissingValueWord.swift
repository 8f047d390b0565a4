/// A word in a table for a missing or spoilt value, which people would read as it stands.
package enum MissingValueWord: Hashable, Sendable {
    /// A formula failed, as in `#N/A`.
    case spreadsheetError
    /// A column was too narrow for its cells, as in `####`.
    case tooNarrow
    /// A program's word for nothing, as in `NULL`, or a dash.
    case nothing
    /// A spreadsheet rounded a long number, as in `1.23E+11`.
    case rounded
    /// A spreadsheet took something for a date, as in `1-Feb`.
    case date

    /// As programs write them; `Nan`, `Nil` and `Null` are names of people.
    private static let nothings: Set = [
        "NULL", "null", "(NULL)", "(null)", "<NULL>", "<null>", "[NULL]", "[null]", "\\N", "None",
        "nil", "NIL", "<nil>", "(nil)", "nan", "NaN", "NAN", "<NA>", "NaT", "n/a",
        "N/A", "N/a", "n.a.", "N.A.", "undefined", "Undefined", "UNDEFINED", "(undefined)",
        "(none)",
        "(blank)", "(empty)", "[object Object]", "-", "--", "---", "–", "—", "0000-00-00",
        "0000-00-00 00:00:00",
    ]
    /// Spreadsheet errors that end without a mark, in all languages.
    private static let errors: Set = [
        "#N/A", "#N/D", "#N/B", "#NV", "#I/T", "#SAKNAS", "#GETTING_DATA", "#N/A N/A",
    ]
    private static let months: Set = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let longest = 24

    /// Takes a trimmed value; nil if it means something.
    package init?(_ value: String) {
        // The first byte settles most values.
        guard let first = value.utf8.first, value.utf8.count <= Self.longest else { return nil }
        switch first {
        case UInt8(ascii: "#"):
            if value.utf8.count > 2, value.utf8.allSatisfy({ $0 == first }) {
                self = .tooNarrow
            } else if Self.isError(value) {
                self = .spreadsheetError
            } else {
                return nil
            }
        case UInt8(ascii: "E"):
            // LibreOffice errors, such as Err:502.
            guard value.hasPrefix("Err:"), value.utf8.dropFirst(4).allSatisfy(Self.isDigit) else {
                return nil
            }
            self = .spreadsheetError
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            if "0-".utf8.contains(first), Self.nothings.contains(value) {
                self = .nothing
            } else if Self.isRounded(value) {
                self = .rounded
            } else if Self.isDate(value) {
                self = .date
            } else {
                return nil
            }
        case UInt8(ascii: "A")...UInt8(ascii: "Z") where Self.mayBeginWithMonth(value):
            guard Self.isDate(value) else { return nil }
            self = .date
        case UInt8(ascii: "N") where value.utf8.count > 4,
            UInt8(ascii: "n") where value.utf8.count > 4,
            UInt8(ascii: "U") where value.utf8.count != 9,
            UInt8(ascii: "u") where value.utf8.count != 9:
            return nil
        case UInt8(ascii: "N"), UInt8(ascii: "n"), UInt8(ascii: "U"), UInt8(ascii: "u"),
            UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "\\"), 0xE2:
            guard Self.nothings.contains(value) else { return nil }
            self = .nothing
        default: return nil
        }
    }

    /// As part of a sentence.
    package var description: String {
        switch self {
        case .spreadsheetError: "an error of a spreadsheet"
        case .tooNarrow: "what a spreadsheet shows in a column that is too narrow"
        case .nothing: "a word for a missing value"
        case .rounded: "a number in scientific notation, which a spreadsheet rounded"
        case .date: "a date that a spreadsheet made of something else"
        }
    }

    /// Capitals with a mark at the end, such as `#NAME?`, in every language.
    private static func isError(_ value: String) -> Bool {
        if errors.contains(value) { return true }
        let signs = value.unicodeScalars.dropFirst()
        guard signs.count >= 4, let last = signs.last, last == "!" || last == "?" else {
            return false
        }
        return signs.dropLast().allSatisfy { sign in
            sign.properties.isUppercase || ("0"..."9").contains(sign)
                || "/_¡¿".unicodeScalars.contains(sign)
        }
    }

    /// `1.23E+11`, also with a decimal comma; `1E5` may be a code.
    private static func isRounded(_ value: String) -> Bool {
        guard value.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return false }
        let parts = value.utf8.split(
            maxSplits: 1, omittingEmptySubsequences: false,
            whereSeparator: { $0 | 0x20 == UInt8(ascii: "e") })
        guard parts.count == 2 else { return false }
        let isSign: (UInt8) -> Bool = { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
        let isPoint: (UInt8) -> Bool = { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        let number = parts[0].first.map(isSign) == true ? parts[0].dropFirst() : parts[0]
        let hasSign = parts[1].first.map(isSign) == true
        let exponent = hasSign ? parts[1].dropFirst() : parts[1]
        let decimals = number.dropFirst(2)
        let hasDecimals = number.dropFirst().first.map(isPoint) == true && !decimals.isEmpty
        return number.first.map(isDigit) == true && (hasDecimals || number.count == 1 && hasSign)
            && decimals.allSatisfy(isDigit) && !exponent.isEmpty && exponent.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// `1-Feb` and `Feb-01`, as Excel shows dates.
    private static func isDate(_ value: String) -> Bool {
        guard (5...6).contains(value.utf8.count) else { return false }
        let parts = value.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return false }
        let (day, month) = months.contains(parts[0]) ? (parts[1], parts[0]) : (parts[0], parts[1])
        return months.contains(month) && (1...2).contains(day.utf8.count)
            && day.utf8.allSatisfy(isDigit)
    }

    private static func mayBeginWithMonth(_ value: String) -> Bool {
        let bytes = value.utf8
        return bytes.count == 6
            && bytes[bytes.index(bytes.startIndex, offsetBy: 3)] == UInt8(ascii: "-")
    }
}
