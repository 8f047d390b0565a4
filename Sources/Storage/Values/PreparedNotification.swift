package import CampaignCore

package struct PreparedNotification: Sendable {
    package let id: NotificationID
    /// The type; nil if it is encrypted, like the message and the texts.
    package var type: String?
    package var message: String?
    /// See ``NotificationTexts/bytes``.
    package var texts: [UInt8]?
    package var language: String?
    package var mediaType: String?
    /// The content, unless it is secret.
    package var content: [UInt8]?
    /// The length of the content, whether secret or not.
    package var byteCount: Int?
    package var sealed: [UInt8]?

    /// Whether a notification is encrypted at rest, as are secure notifications and those rendered
    /// for one person.
    package static func isSealed(kind: CampaignKind, for recipient: Username?) -> Bool {
        kind == .secure || recipient != nil
    }

    /// Encrypts what must be encrypted; the cipher may be nil if ``isSealed(kind:for:)`` is false.
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
            // A file that is not secret is stored once, even if many notifications share it.
            if kind == .secure { secret = file.bytes } else { content = file.bytes }
        }
        byteCount = (content ?? secret)?.count
        if recipient == nil { language = notification.language?.text }
        let texts = NotificationTexts(notification).bytes
        guard Self.isSealed(kind: kind, for: recipient), let cipher else {
            type = notification.type
            message = notification.texts.message
            self.texts = texts
            content = content ?? secret
            return
        }
        sealed = try cipher.seal(
            SealedParts(
                type: notification.type, message: notification.texts.message, texts: texts,
                content: secret),
            of: id, for: recipient)
    }
}
