package import CampaignCore

/// A notification as its row will hold it.
package struct PreparedNotification: Sendable {
    package let id: NotificationID
    /// What is not secret: of a notification that a run's recipients share, and that is not secure.
    package var type: String?
    package var message: String?
    /// ``NotificationTexts/bytes``.
    package var texts: [UInt8]?
    /// The language of a notification that recipients share, secret or not.
    package var language: String?
    package var mediaType: String?
    /// Content that is not secret.
    package var content: [UInt8]?
    /// The content's own length, secret or not; nil where there is none.
    package var byteCount: Int?
    /// All that is secret, encrypted.
    package var sealed: [UInt8]?

    /// Whether a notification is encrypted at rest: what is secure, and what was rendered for one person.
    package static func isSealed(kind: CampaignKind, for recipient: Username?) -> Bool {
        kind == .secure || recipient != nil
    }

    /// Encrypts what has to be.
    ///
    /// - Parameters:
    ///   - notification: rendered.
    ///   - kind: its run's.
    ///   - recipient: whom it was rendered for; nil: the run's recipients share it.
    ///   - cipher: nil only where ``isSealed(kind:for:)`` says no.
    /// - Throws: what the cipher throws.
    package init(
        _ notification: NewNotification, kind: CampaignKind, for recipient: Username?,
        cipher: PayloadCipher?
    ) throws {
        id = notification.id
        var secret: [UInt8]?
        switch notification.content {
        case .none: break
        case .text(let text, let type):
            mediaType = type
            secret = Array(text.utf8)
        case .file(let file):
            mediaType = file.mediaType
            // A file that is not secret is stored once, however many personal notifications share it.
            if kind == .secure { secret = file.bytes } else { content = file.bytes }
        }
        byteCount = (content ?? secret)?.count
        if recipient == nil { language = notification.language?.text }
        let texts = NotificationTexts(notification).bytes
        guard Self.isSealed(kind: kind, for: recipient), let cipher else {
            type = notification.type
            message = notification.message
            self.texts = texts
            content = content ?? secret
            return
        }
        sealed = try cipher.seal(
            SealedParts(
                type: notification.type, message: notification.message, texts: texts,
                content: secret),
            of: id, for: recipient)
    }
}
