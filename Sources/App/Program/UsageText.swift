import CampaignCore

/// Makes the argument parser's error messages safe to print.
enum UsageText {
    /// Escapes line breaks in quoted arguments, so that they cannot imitate hubsend's output.
    ///
    /// ``Console`` escapes other invisible characters.
    static func visible(_ message: String, given arguments: [String]) -> String {
        let pieces = arguments.flatMap { argument in
            // The parser may quote the name and the value of `--name=value` separately.
            [argument] + argument.split(separator: "=", maxSplits: 1).map(String.init)
        }
        let broken = Set(pieces).filter { piece in
            piece.contains(where: \.isNewline) && piece.contains { !$0.isWhitespace }
        }
        // Longer arguments are replaced first, because one may be part of another. Scalars are
        // compared, because a quotation mark can form one character with the scalar next to it.
        let scalars = broken.sorted { $0.utf8.count > $1.utf8.count }.reduce(
            message.unicodeScalars
        ) { text, piece in
            text.replacing(
                piece.unicodeScalars, with: VisibleText.escape(piece).unicodeScalars)
        }
        return String(scalars)
    }
}
