package import CampaignCore

/// What a push shows of a notification.
package struct PushedNotification: Hashable, Sendable {
    package let id: NotificationID
    package let type: String?
    package let texts: PushTexts
    package let link: String?
    package let data: [String: String]

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
    package init(
        id: String, type: String?, message: String?, texts: [UInt8]?, sealed: [UInt8]?,
        for recipient: Username?, on platform: Platform, cipher: () throws -> PayloadCipher
    ) throws {
        guard let id = NotificationID(id) else { throw DamagedValue() }
        var (type, message, texts) = (type, message, texts)
        if let sealed {
            let parts = try cipher().open(sealed, of: id, for: recipient)
            (type, message, texts) = (parts.type, parts.message, parts.texts)
        }
        self.id = id
        self.type = type
        let more = try texts.map { try NotificationTexts($0) }
        self.texts = more?.pushed(on: platform, message: message) ?? PushTexts(message: message)
        link = more?.link
        data = more?.data ?? [:]
    }
}

extension DeliveryClaim {
    /// - Parameters:
    ///   - pushed: what the push shows.
    ///   - isShared: whether others have the same notification.
    package init(
        number: Int, username: Username, _ pushed: PushedNotification, attempts: Int,
        isUncertain: Bool, isRevoked: Bool, isShared: Bool
    ) {
        self.init(
            number: number, username: username, notification: pushed.id, type: pushed.type,
            title: pushed.texts.title, message: pushed.texts.message,
            placeholder: pushed.texts.placeholder, link: pushed.link, data: pushed.data,
            attempts: attempts, isUncertain: isUncertain, isRevoked: isRevoked, isShared: isShared)
    }
}
