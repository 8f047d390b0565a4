/// A word in a table that stands for a missing or damaged value; people would see it in a message.
package enum MissingValueWord: Hashable, Sendable {
    /// A formula failed, as in `#N/A`.
    case spreadsheetError
    /// A column was too narrow for its values, as in `####`.
    case tooNarrow
    /// A program's word for a missing value, as in `NULL`, or a dash.
    case nothing
    /// A spreadsheet rounded a long number, as in `1.23E+11`.
    case rounded
    /// A spreadsheet turned something into a date, as in `1-Feb`.
    case date
    /// `NA`, which is also the country code of Namibia.
    case notAvailable
    /// A merge field that was not filled in, as in `*|FNAME|*`.
    case mergeField
    /// An export lost the letters, as in `????`.
    case lost

    /// Words in the case in which programs write them, because `Nan`, `Nil` and `Na` are names of
    /// people.
    private static let nothings: Set = [
        "NULL", "null", "Null", "\\N", "None", "none", "NONE", "nil", "NIL", "nan", "NaN", "NAN",
        "NaT", "n/a", "N/A", "N/a", "n.a.", "N.A.", "undefined", "Undefined", "UNDEFINED",
        "Invalid date", "Invalid Date", "invalid date", "[object Object]", "-", "--", "---", "–",
        "—", "?", "0000-00-00", "0000-00-00 00:00:00",
    ]
    /// Words for a missing value in brackets of any kind.
    private static let bracketed: Set = [
        "null", "nil", "na", "none", "undefined", "blank", "empty", "not set", "leer", "vide",
    ]
    /// Spreadsheet errors that do not end with a mark, in all languages.
    private static let errors: Set = [
        "#N/A", "#N/D", "#N/B", "#N/V", "#NV", "#I/T", "#SAKNAS", "#YOK", "#HIÁNYZIK", "#PUUTTUU",
        "#Н/Д", "#Δ/Υ", "#GETTING_DATA", "#N/A N/A",
    ]
    /// Short month names of spreadsheets, in English, German, French, Spanish, Italian, Portuguese,
    /// Dutch, Nordic languages, Polish, Turkish and Russian.
    private static let months: Set<Substring> = Set(
        """
        jan feb mar apr may jun jul aug sep oct nov dec jän mrz mär mai okt dez janv févr mars avr juin juil août \
        sept déc ene abr ago dic gen mag giu lug set ott fev out mrt mei maj des sty lut kwi cze lip sie wrz paź lis \
        gru oca şub nis haz tem ağu eyl eki kas ara янв фев апр май июн июл авг сен окт ноя дек
        """.split(separator: " "))
    private static let marks = [
        ("{{", "}}"), ("{%", "%}"), ("${", "}"), ("#{", "}"), ("<%", "%>"), ("<<", ">>"),
        ("[[", "]]"), ("*|", "|*"), ("%%", "%%"), ("%", "%"), ("{", "}"),
    ]
    private static let longest = 64
    private static let longestWord = 24

    /// Classifies a trimmed value; returns nil for a real value.
    package init?(_ value: String) {
        guard let first = value.utf8.first, value.utf8.count <= Self.longest,
            let word = Self.word(value, first)
        else { return nil }
        self = word
    }

    /// For most values, the first byte is enough to decide.
    private static func word(_ value: String, _ first: UInt8) -> Self? {
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "<"),
            UInt8(ascii: "["), UInt8(ascii: "*"), UInt8(ascii: "%"):
            if isMergeField(value) { return .mergeField }
        default: break
        }
        let length = value.utf8.count
        guard length <= longestWord else { return nil }
        // A date has digits at one end only, for the day or the year; the month is a word.
        if value.utf8.last.map(isDigit) != isDigit(first), isDate(value) { return .date }
        switch first {
        case UInt8(ascii: "#"):
            if length > 2, value.utf8.allSatisfy({ $0 == first }) { return .tooNarrow }
            return isError(value) ? .spreadsheetError : nil
        case UInt8(ascii: "?") where length > 1:
            return value.utf8.allSatisfy({ $0 == first || $0 == 0x20 }) ? .lost : nil
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            if isRounded(value) { return .rounded }
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"):
            if bracketed.contains(value.dropFirst().dropLast().lowercased()) { return .nothing }
        case UInt8(ascii: "E") where value.hasPrefix("Err:"):
            // LibreOffice errors, such as Err:502.
            return value.utf8.dropFirst(4).allSatisfy(isDigit) ? .spreadsheetError : nil
        case UInt8(ascii: "N") where value == "NA":
            return .notAvailable
        case UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "U"), UInt8(ascii: "i"),
            UInt8(ascii: "n"), UInt8(ascii: "u"), UInt8(ascii: "?"), UInt8(ascii: "\\"), 0xE2:
            break
        default:
            return nil
        }
        return nothings.contains(value) ? .nothing : nil
    }

    /// A phrase for use within a sentence.
    package var description: String {
        switch self {
        case .spreadsheetError: "a spreadsheet error"
        case .tooNarrow: "what a spreadsheet shows if a column is too narrow"
        case .nothing, .notAvailable: "a word for a missing value"
        case .rounded: "a number that a spreadsheet rounded to scientific notation"
        case .date: "a date that a spreadsheet made from something else"
        case .mergeField: "a merge field that was not filled in"
        case .lost: "what is left if an export loses letters"
        }
    }

    /// Whether the value is a name between a pair of marks.
    private static func isMergeField(_ value: String) -> Bool {
        guard let (opening, closing) = marks.first(where: { value.hasPrefix($0.0) }),
            value.hasSuffix(closing), value.count > opening.count + closing.count
        else { return false }
        let name = value.dropFirst(opening.count).dropLast(closing.count)
        // Single marks also occur in real values.
        return name.contains(where: \.isLetter)
            && (opening.count > 1 || MessageTemplate.isName(String(name)))
    }

    /// Whether the value is capital letters with a mark at the end, such as `#NAME?`, in any
    /// language.
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

    /// Whether the value is a number such as `1.23E+11`, including with a decimal comma; `1E5` may
    /// be a code.
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

    /// Whether the value is a date such as `1-Feb`, `1. Mrz`, `Feb-01` or `févr.-01`.
    ///
    /// The English `feb-01` may be a name that somebody chose.
    private static func isDate(_ value: String) -> Bool {
        let isDayFirst = value.utf8.first.map(isDigit) == true
        // One of the characters `-./` is next to the one or two digits.
        let edge = isDayFirst ? value.utf8.prefix(3) : value.utf8.suffix(3)
        guard edge.contains(where: { 0x2D...0x2F ~= $0 }) else { return false }
        let digits =
            isDayFirst
            ? value.utf8.prefix(while: isDigit).count
            : value.utf8.reversed().prefix(while: isDigit).count
        let rest = isDayFirst ? value.dropFirst(digits) : value.dropLast(digits)
        let month = rest.lowercased().split { "-/. ".contains($0) }
        guard let sign = isDayFirst ? rest.first : rest.last, "-/.".contains(sign),
            month.count == 1, months.contains(month[0]), (1...2).contains(digits)
        else { return false }
        switch rest.count - month[0].count {
        case 1 where !isDayFirst:
            let isEnglish = CalendarDay.shortMonths.contains { $0.lowercased() == month[0] }
            return digits == 2 && (!isEnglish || rest.first?.isUppercase == true)
        case 1, 2: return true
        default: return false
        }
    }
}
