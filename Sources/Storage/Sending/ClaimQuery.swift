package import CampaignCore

/// Reads deliveries together with the parts of notifications that their pushes show.
package enum ClaimQuery {
    /// The columns of a notification in those rows of ``RunRows/readPage`` that have no name.
    ///
    /// Encrypted texts that no push shows are left out, because a secure push contains only its
    /// placeholder.
    package static func notification(of run: StoredRun) -> String {
        let isShown = run.kind != .secure || run.hasPlaceholder
        return """
            n.number, NULL, NULL, NULL, NULL, n.id, n.type, n.message, n.texts,
                \(isShown ? "n.sealed" : "NULL"), n.revoked IS NOT NULL
            """
    }

    /// Fetches claims in the order of their numbers; `page` as for ``RunRows/readPage``.
    ///
    /// Throws ``DamagedValue`` for a recipient without a notification.
    package static func fetch(
        _ page: String, _ values: [any SQLBindable], isDense: Bool, of run: StoredRun,
        on platform: Platform, keyring: PayloadKeyring, _ db: any SQLConnection
    ) throws -> [DeliveryClaim] {
        var people: [Person] = []
        var notifications: [Int: Notification] = [:]
        try db.readPage(page, values, isDense: isDense, of: run) { row in
            if row.isNull(1) {
                notifications[try row.int(0)] = try Notification(row)
            } else {
                people.append(try Person(row))
            }
        }
        // Usually, the claims are already in order.
        people.sort { $0.number < $1.number }
        let cipher =
            notifications.values.contains { $0.sealed != nil } ? try keyring.cipher(db) : nil
        var shared: [Int: PushedNotification] = [:]
        return try people.map { person in
            let own = notifications[person.number]
            let pushed: PushedNotification
            if let own {
                pushed = try own.pushed(on: platform, for: person.name, cipher)
            } else if let known = shared[person.notification] {
                pushed = known
            } else {
                guard let found = notifications[person.notification] else { throw DamagedValue() }
                pushed = try found.pushed(on: platform, for: nil, cipher)
                shared[person.notification] = pushed
            }
            return DeliveryClaim(
                number: person.number, username: person.name, pushed, attempts: person.attempts,
                isUncertain: person.isUncertain, isRevoked: own?.isRevoked ?? false,
                isShared: own == nil)
        }
    }

    private struct Person {
        let number: Int
        let name: Username
        /// Which of the shared notifications the person gets.
        let notification: Int
        let attempts: Int
        let isUncertain: Bool

        init(_ row: any SQLRow) throws {
            let text = try row.text(1)
            guard let name = try? Username(text) else { throw DamagedValue() }
            self.name = name
            number = try row.int(0)
            notification = try row.int(2)
            attempts = try row.int(3)
            isUncertain = try row.bool(4)
        }
    }

    private struct Notification {
        let id: NotificationID
        /// The parts of a notification that are not encrypted.
        let parts: SealedParts
        let sealed: [UInt8]?
        let isRevoked: Bool

        init(_ row: any SQLRow) throws {
            guard let id = NotificationID(try row.text(5)) else { throw DamagedValue() }
            self.id = id
            parts = SealedParts(
                type: try row.optionalText(6), message: try row.optionalText(7),
                texts: try row.optionalBytes(8))
            sealed = try row.optionalBytes(9)
            isRevoked = try row.bool(10)
        }

        func pushed(
            on platform: Platform, for recipient: Username?, _ cipher: PayloadCipher?
        ) throws -> PushedNotification {
            let opened = try sealed.flatMap { try cipher?.open($0, of: id, for: recipient) }
            let parts = opened ?? parts
            let more = try parts.texts.map { try NotificationTexts($0) }
            return PushedNotification(
                id: id, type: parts.type,
                texts: more?.pushed(on: platform, message: parts.message)
                    ?? Texts(message: parts.message),
                link: more?.link, data: more?.data ?? [:])
        }
    }
}
