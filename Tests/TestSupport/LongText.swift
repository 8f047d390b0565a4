import Testing

/// A text as a test argument; the log shows only its beginning and length.
package struct LongText: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
    private static let longestShown = 80

    package let text: String

    package init(stringLiteral text: String) {
        self.text = text
    }

    package init(
        _ piece: String, times count: Int, after beginning: String = "", before end: String = ""
    ) {
        text = beginning + String(repeating: piece, count: count) + end
    }

    package var testDescription: String {
        let bytes = text.utf8.count
        guard bytes > Self.longestShown else { return text.debugDescription }
        return "\(text.prefix(Self.longestShown).debugDescription)… (\(bytes) bytes)"
    }
}
