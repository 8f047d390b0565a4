import CampaignCore

/// Removes secrets, device handles and names of people from log text.
///
/// hubsend logs none itself, but a hub's words may contain some: it can repeat a request.
enum Redaction {
    /// What precedes a name in a tag, also in a request's path.
    private static let marks = [":", "%3A", "%3a"].map {
        Username.nameless.tag.dropLast() + $0
    }

    static func text(_ text: String) -> String {
        SecretMask.apply(to: marks.reduce(text, withoutNames))
    }

    private static func withoutNames(_ text: String, behind mark: Substring) -> String {
        var parts = text.split(separator: mark, omittingEmptySubsequences: false)
        for place in parts.indices.dropFirst() {
            let rest = parts[place].unicodeScalars.drop(while: belongsToName)
            if rest.startIndex > parts[place].startIndex { parts[place] = "***" + Substring(rest) }
        }
        return parts.joined(separator: String(mark))
    }

    /// A name is percent-encoded in a path.
    private static func belongsToName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "@", "#", ".", ":", "-", "%": true
        default: false
        }
    }
}
