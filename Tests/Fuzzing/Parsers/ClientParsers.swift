@testable import NotificationHubs

enum ClientParsers {
    /// The result must not depend on how the bytes were split.
    static func answer(_ bytes: [UInt8]) {
        var (whole, pieces) = (AnswerParser(), AnswerParser())
        _ = whole.read(bytes.span)
        for byte in bytes {
            let piece = [byte]
            _ = pieces.read(piece.span)
        }
        precondition(whole.progress == pieces.progress, "The progress depends on the pieces.")
        _ = (whole.readEnd(), pieces.readEnd())
        precondition(
            whole.progress == pieces.progress && whole.status == pieces.status
                && whole.hasHead == pieces.hasHead && whole.messageID == pieces.messageID
                && whole.body == pieces.body && whole.keepsAlive == pieces.keepsAlive,
            "The answer depends on the pieces.")
    }

    static func feed(_ bytes: [UInt8]) {
        _ = XMLElementReader.readBeginning(of: bytes)
        guard let root = unlessRefused({ try XMLElementReader.read(bytes) }) else { return }
        for entry in root.children { _ = Registration(entry) }
        _ = unlessRefused { try NotificationDetails(root) }
    }

    static func tags(_ text: String) {
        guard let expression = unlessRefused({ try TagExpression(parsing: text) }) else { return }
        _ = expression.tags
    }

    /// nil if it sends nothing.
    static func sent(_ text: String) -> String? {
        unlessRefused { try TagExpression(parsing: text) }?.description
    }
}
