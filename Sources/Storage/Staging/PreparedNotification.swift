import CampaignCore

/// A notification as its row will hold it.
struct PreparedNotification: Sendable {
    let id: NotificationID
    /// What is no secret: of a notification that a run's recipients share, and that is not secure.
    var type: String?
    var message: String?
    var mediaType: String?
    /// Content that is no secret.
    var content: [UInt8]?
    /// The content's own length, secret or not; nil where there is none.
    var byteCount: Int?
    /// All that is secret, encrypted.
    var sealed: [UInt8]?

    /// Whether a notification is encrypted at rest: what is secure, and what was rendered for one person.
    static func isSealed(kind: CampaignKind, for recipient: Username?) -> Bool {
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
    init(
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
            // A file that is no secret is stored once, however many personal notifications share it.
            if kind == .secure { secret = file.bytes } else { content = file.bytes }
        }
        byteCount = (content ?? secret)?.count
        guard Self.isSealed(kind: kind, for: recipient), let cipher else {
            type = notification.type
            message = notification.message
            content = content ?? secret
            return
        }
        sealed = try cipher.seal(
            SealedParts(type: notification.type, message: notification.message, content: secret),
            of: id, for: recipient)
    }
}
