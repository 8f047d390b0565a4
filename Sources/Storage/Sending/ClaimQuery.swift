package import CampaignCore

/// Reads deliveries with what their pushes show.
package enum ClaimQuery {
    /// The columns of a notification in a row of ``SendingConnection/readPage``, which has no name.
    ///
    /// Encrypted texts that no push shows are left out.
    package static func notification(of run: StoredRun) -> String {
        let isHeld = PushedNotification.holdsSealed(
            kind: run.kind, hasPlaceholder: run.hasPlaceholder)
        return """
            n.number, NULL, NULL, NULL, NULL, n.id, n.type, n.message, n.texts,
                \(isHeld ? "n.sealed" : "NULL"), n.revoked IS NOT NULL
            """
    }

    /// Fetches claims in the order of their numbers; `page` as for ``SendingConnection/readPage``.
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
        // Usually they are in order already.
        people.sort { $0.number < $1.number }
        var cipher: PayloadCipher?
        func open(_ notification: Notification, for name: Username?) throws -> PushedNotification {
            if notification.sealed != nil, cipher == nil { cipher = try keyring.cipher(db) }
            return try PushedNotification(
                id: notification.id, type: notification.type, message: notification.message,
                texts: notification.texts, sealed: notification.sealed, for: name, on: platform,
                cipher: { try cipher ?? keyring.cipher(db) })
        }
        var shared: [Int: PushedNotification] = [:]
        return try people.map { person in
            let own = notifications[person.number]
            let pushed: PushedNotification
            if let own {
                pushed = try open(own, for: person.name)
            } else if let known = shared[person.notification] {
                pushed = known
            } else {
                guard let found = notifications[person.notification] else { throw DamagedValue() }
                pushed = try open(found, for: nil)
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
        /// Which of the shared notifications they get.
        let notification: Int
        let attempts: Int
        let isUncertain: Bool

        init(_ row: any SQLRow) throws {
            do {
                name = try Username(row.text(1))
            } catch is UsernameFault {
                throw DamagedValue()
            }
            number = try row.int(0)
            notification = try row.int(2)
            attempts = try row.int(3)
            isUncertain = try row.bool(4)
        }
    }

    private struct Notification {
        let id: String
        let type: String?
        let message: String?
        let texts: [UInt8]?
        let sealed: [UInt8]?
        let isRevoked: Bool

        init(_ row: any SQLRow) throws {
            id = try row.text(5)
            type = try row.optionalText(6)
            message = try row.optionalText(7)
            texts = try row.optionalBytes(8)
            sealed = try row.optionalBytes(9)
            isRevoked = try row.bool(10)
        }
    }
}
