import CampaignCore

/// What the argument parser says about wrong usage, with the arguments that it repeats made safe to show.
package enum UsageText {
    /// Writes out line breaks within arguments, so that none of them looks like a line of ours.
    ///
    /// - Parameters:
    ///   - message: the parser's lines, which repeat arguments, or their values, as they were given.
    ///   - arguments: all that were given.
    /// - Returns: the same lines; whatever else cannot be seen is for ``Console`` to write out.
    package static func visible(_ message: String, given arguments: [String]) -> String {
        let pieces = arguments.flatMap { argument in
            // `--name=value` may be repeated in parts.
            [argument] + argument.split(separator: "=", maxSplits: 1).map(String.init)
        }
        let broken = Set(pieces).filter { piece in
            piece.contains(where: \.isNewline) && piece.contains { !$0.isWhitespace }
        }
        // The longest first: one may be part of another.
        // Scalar by scalar, since a quote may be one character with what stands beside it.
        let scalars = broken.sorted { $0.utf8.count > $1.utf8.count }.reduce(
            message.unicodeScalars
        ) { text, piece in
            text.replacing(
                piece.unicodeScalars, with: VisibleText.escape(piece).unicodeScalars)
        }
        return String(scalars)
    }
}
