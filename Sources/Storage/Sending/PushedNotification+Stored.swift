package import CampaignCore

/// A push's content, as the stores keep it.
extension PushedNotification {
    /// Whether a run's pushes hold anything that is encrypted: a secure push holds nothing of it but the placeholder.
    ///
    /// A whole file may be encrypted, which is not read for nothing.
    package static func holdsSealed(kind: CampaignKind, hasPlaceholder: Bool) -> Bool {
        kind != .secure || hasPlaceholder
    }

    /// Reads a notification as a push on one platform shows it, and decrypts what of it is encrypted.
    ///
    /// - Parameters:
    ///   - id: as its row has it; so are type, message, texts and sealed.
    ///   - sealed: nil also where no push holds any of it.
    ///   - recipient: whom it was rendered for; nil: recipients share it.
    ///   - platform: where the push goes.
    ///   - cipher: asked only where something is encrypted.
    /// - Throws: ``DamagedValue`` when the id is not valid, or the texts cannot be read; what the cipher throws.
    package convenience init(
        id: String, type: String?, message: String?, texts: [UInt8]?, sealed: [UInt8]?,
        for recipient: Username?, on platform: Platform, cipher: () throws -> PayloadCipher
    ) throws {
        guard let id = NotificationID(id) else { throw DamagedValue() }
        var (type, message, texts) = (type, message, texts)
        if let sealed {
            let parts = try cipher().open(sealed, of: id, for: recipient)
            (type, message, texts) = (parts.type, parts.message, parts.texts)
        }
        let more = try texts.map { try NotificationTexts($0) }
        self.init(
            id: id, type: type,
            texts: more?.pushed(on: platform, message: message) ?? PushTexts(message: message),
            link: more?.link, data: more?.data ?? [:])
    }
}
