import CampaignCore

/// The argument parser's messages about wrong usage, with repeated arguments made safe to show.
enum UsageText {
    /// Escapes line breaks within arguments, so that they cannot look like lines of ours.
    ///
    /// ``Console`` escapes other invisible characters.
    static func visible(_ message: String, given arguments: [String]) -> String {
        let pieces = arguments.flatMap { argument in
            // `--name=value` may be repeated in parts.
            [argument] + argument.split(separator: "=", maxSplits: 1).map(String.init)
        }
        let broken = Set(pieces).filter { piece in
            piece.contains(where: \.isNewline) && piece.contains { !$0.isWhitespace }
        }
        // The longest first, since one may be part of another. By scalar, since a quote may form
        // one character with its neighbour.
        let scalars = broken.sorted { $0.utf8.count > $1.utf8.count }.reduce(
            message.unicodeScalars
        ) { text, piece in
            text.replacing(
                piece.unicodeScalars, with: VisibleText.escape(piece).unicodeScalars)
        }
        return String(scalars)
    }
}
