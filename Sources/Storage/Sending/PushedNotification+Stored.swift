package import CampaignCore

extension PushedNotification {
    /// Whether pushes contain encrypted data, which only the placeholder of a secure push is; a
    /// file is not read in vain.
    package static func holdsSealed(kind: CampaignKind, hasPlaceholder: Bool) -> Bool {
        kind != .secure || hasPlaceholder
    }

    /// Reads and decrypts a notification as a push on one platform shows it.
    ///
    /// `sealed` is nil if no push shows any of it; `cipher` is only asked for encrypted data.
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
            texts: more?.pushed(on: platform, message: message) ?? Texts(message: message),
            link: more?.link, data: more?.data ?? [:])
    }
}
