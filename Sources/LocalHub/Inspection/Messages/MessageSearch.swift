/// Finds messages in a snapshot of a hub; searching all 50,000 messages takes a few milliseconds.
struct MessageSearch {
    private let query: MessageQuery
    private let hub: HubState
    /// The devices whose messages are requested; nil means all devices.
    private let devices: Set<DeviceAddress>?
    /// The devices of users whose names contain the search text.
    private let ownersFound: Set<DeviceAddress>

    init(_ query: MessageQuery, in hub: HubState) {
        self.query = query
        self.hub = hub
        let conditions = [
            query.user.map { hub.addresses(of: .user($0)) },
            query.registration.map { hub.addresses(of: .registration($0)) },
            query.search.map(hub.devices(ofUsersWith:)),
        ].compactMap(\.self)
        devices = conditions.first.map { conditions.dropFirst().reduce($0) { $0.intersection($1) } }
        ownersFound = query.find.map(hub.devices(ofUsersWith:)) ?? []
    }

    func page() -> MessagePage {
        guard let after = query.after.map(hub.start(after:)) else {
            // One message more than the limit is read, to find out whether there are older
            // messages.
            let found = messages(among: candidates.reversed(), limit: query.limit + 1)
            return MessagePage(
                messages: found.prefix(query.limit).map(MessageReport.init),
                newest: hub.devices.newestSequence, older: found.count > query.limit)
        }
        let found = messages(among: candidates, limit: query.limit)
        return MessagePage(
            messages: found.reversed().map(MessageReport.init),
            newest: hub.devices.newestSequence, older: hub.devices.kept.lowerBound <= after)
    }

    func next() -> Message? {
        messages(among: candidates, limit: 1).first
    }

    private var candidates: [Int] {
        let kept = hub.devices.kept
        let start = query.after.map { hub.start(after: $0) + 1 } ?? kept.lowerBound
        let range = (start..<max(start, query.before ?? kept.upperBound)).clamped(to: kept)
        guard let devices else { return Array(range) }
        return devices.flatMap { hub.devices[$0]?.kept ?? [] }.filter(range.contains).sorted()
    }

    private func messages(among sequences: [Int], limit: Int) -> [Message] {
        var found: [Message] = []
        // The targets of a native send are adjacent and share one body.
        var lastBody: (bytes: [UInt8], isFound: Bool)?
        for sequence in sequences {
            guard found.count < limit else { break }
            guard let kept = hub.devices.push(sequence),
                query.platform.map({ $0 == kept.device.platform }) ?? true,
                query.outcome?.includes(kept.push) ?? true
            else { continue }
            if let find = query.find, !ownersFound.contains(kept.device) {
                let body = kept.push.body
                let isFound =
                    lastBody?.bytes == body
                    ? lastBody?.isFound ?? false : find.matches(body)
                lastBody = (body, isFound)
                guard isFound else { continue }
            }
            if let message = hub.message(kept, by: isLookedFor) { found.append(message) }
        }
        return found
    }

    private func isLookedFor(_ registration: Registration) -> Bool {
        if let id = query.registration { return registration.id == id }
        return query.user.map { InspectedDevices.user($0).include(registration) } ?? true
    }
}

struct MessageQuery: Sendable {
    /// The exact name of the user; nil means all users.
    var user: String?
    var registration: String?
    /// Text that the user's name must contain.
    var search: TextSearch?
    /// Text that the user's name or the body must contain.
    var find: TextSearch?
    var platform: LocalHubPlatform?
    var outcome: MessageOutcome?
    /// Only messages after this sequence number, oldest first; nil means the newest.
    var after: Int?
    /// Only messages before this sequence number.
    var before: Int?
    var limit = 50

    init() {}

    /// Reads the query of a request; `now` means the hub's newest message.
    init(_ query: InspectionQuery, in hub: HubStore) throws(HubFailure) {
        user = try query.user()
        registration = try query.registration()
        search = try query.text("search")
        find = try query.text("find")
        after = try query.after(in: hub)
        before = try query.sequence("before")
        limit = try query.limit()
        platform = try query.platform()
        outcome = try query.outcome()
    }
}

enum MessageOutcome: String, Sendable {
    case arrived
    case refused

    func includes(_ record: NotificationRecord) -> Bool {
        (self == .arrived ? record.arrived : record.refused) > 0
    }

    func includes(_ push: ReceivedPush) -> Bool {
        (push.outcome == .success) == (self == .arrived)
    }
}

struct MessagePage: Encodable {
    /// The messages, newest first.
    let messages: [MessageReport]
    /// The sequence number of the hub's newest message (for any device) when the list was created.
    let newest: Int
    /// Whether there are older messages; with `after`, whether there may be messages up to that
    /// number.
    let older: Bool
}
