#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Formats numbers for people, the same in every locale, so that scripts can rely on it.
package enum Figures {
    /// Returns text such as `1,976`.
    package static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Returns text such as `1 push` or `2 pushes`.
    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(count(number)) \(number == 1 ? one : many)"
    }

    /// Returns text such as `512 bytes`, `1,234 bytes` or `12.3 MB`, which is exact up to 9,999
    /// bytes.
    package static func size(_ bytes: Int) -> String {
        guard bytes >= 10_000 else { return count(bytes, "byte", "bytes") }
        var tenths = (bytes + 50) / 100
        var units = ["kB", "MB", "GB", "TB"][...]
        while tenths >= 10_000, units.count > 1 {
            tenths = (tenths + 500) / 1_000
            units.removeFirst()
        }
        return "\(count(tenths / 10)).\(tenths % 10) \(units[units.startIndex])"
    }

    /// A percentage such as `99.7 %`; empty if the whole is 0.
    ///
    /// A part above zero is never shown as `0.0 %`, and a part below the whole never as `100.0 %`.
    package static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "" }
        if part == whole { return "100 %" }
        if part == 0 { return "0 %" }
        let tenths = Int((Double(part) / Double(whole) * 1000).rounded())
        if tenths < 1 { return "<0.1 %" }
        if tenths > 999 { return ">99.9 %" }
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// Returns the two largest units: `4.1s`, `42s`, `1m 04s`, `2h 03m`, `3d 04h`.
    package static func duration(from start: Date, to end: Date) -> String {
        let seconds = max(0, end.timeIntervalSince(start))
        if seconds < 9.95 {
            let tenths = Int((seconds * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)s"
        }
        let whole = Int(min(seconds, 1e12).rounded())
        switch whole {
        case ..<60: return "\(whole)s"
        case ..<3600: return "\(whole / 60)m \(twoDigits(whole % 60))s"
        case ..<86_400: return "\(whole / 3600)h \(twoDigits(whole / 60 % 60))m"
        default: return "\(whole / 86_400)d \(twoDigits(whole / 3600 % 24))h"
        }
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
