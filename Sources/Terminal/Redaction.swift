import CampaignCore

/// Takes out of a text for the log what nobody may read there: secrets, handles of devices, and names of people.
///
/// What is logged has none of them of its own. Other programs' words may: a hub can repeat a request, tags and all.
package enum Redaction {
    /// What stands before a name in a tag, also in the path of a request.
    private static let marks = [":", "%3A", "%3a"].map {
        Username.nameless.tag.dropLast() + $0
    }

    /// The text with stars in place of all that.
    package static func text(_ text: String) -> String {
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
