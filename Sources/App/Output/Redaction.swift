import CampaignCore

/// Removes secrets, device handles and names of people from log text.
///
/// hubsend itself does not log them, but a hub's message may contain them, because it can repeat
/// the request.
enum Redaction {
    /// The text before a name in a tag, plain or percent-encoded in a request's path.
    private static let marks = [":", "%3A", "%3a"].map {
        Username.nameless.tag.dropLast() + $0
    }

    static func text(_ text: String) -> String {
        SecretMask.apply(to: marks.reduce(text, withoutNames))
    }

    private static func withoutNames(_ text: String, behind mark: Substring) -> String {
        var parts = text.split(separator: mark, omittingEmptySubsequences: false)
        for place in parts.indices.dropFirst() {
            // A name is percent-encoded in a path.
            let rest = parts[place].utf8.drop { $0.isAlphanumeric(or: "_@#.:-%") }
            if rest.startIndex > parts[place].startIndex { parts[place] = "***" + Substring(rest) }
        }
        return parts.joined(separator: String(mark))
    }
}
