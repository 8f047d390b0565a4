struct SendQuery: Sendable {
    /// The devices that the send reached or whose user its tags include; nil means all devices.
    private var devices: InspectedDevices?
    /// Text that the body, path, tags, platform, handle or id must contain.
    private var find: TextSearch?
    /// The push service of the send, or a push service that a template send reached.
    private var platform: LocalHubPlatform?
    /// The outcome of at least one of its pushes.
    private var outcome: MessageOutcome?
    fileprivate var limit = 50

    init(_ query: InspectionQuery) throws(HubFailure) {
        if let user = try query.user() {
            devices = .user(user)
        } else if let registration = try query.registration() {
            devices = .registration(registration)
        }
        find = try query.text("find")
        platform = try query.platform()
        outcome = try query.outcome()
        limit = try query.limit()
    }

    /// The ids of the sends that have messages on the query's devices; nil if the query has no
    /// devices.
    fileprivate func ids(in hub: HubState) -> Set<String>? {
        devices.map { Set(hub.pushes(to: $0).map(\.kept.push.notificationID)) }
    }

    fileprivate func includes(_ record: NotificationRecord, among ids: Set<String>?) -> Bool {
        // Notifications that were cancelled were never sent.
        guard record.sent != nil, isOnPlatform(record), outcome?.includes(record) ?? true else {
            return false
        }
        if let ids, !ids.contains(record.id), !namesUser(record) { return false }
        return find.map { isFound(record, $0) } ?? true
    }

    private func isOnPlatform(_ record: NotificationRecord) -> Bool {
        guard let platform else { return true }
        return record.platform == platform
            || record.platform == nil && record.tallies.contains { $0.platform == platform }
    }

    /// Whether the tags include the user, even if none of the user's devices was reached.
    private func namesUser(_ record: NotificationRecord) -> Bool {
        guard case .user(let user) = devices, let tags = record.tags else { return false }
        let named = LocalHubDevice.tag(ofUser: user)
        return tags.contains(TagTerm.user(user).text)
            || tags.utf8.split { !TagGrammar.isTagByte($0) }.contains {
                $0.elementsEqual(named.utf8)
            }
    }

    private func isFound(_ record: NotificationRecord, _ find: TextSearch) -> Bool {
        let texts = [
            record.id, record.tags, record.platform?.rawValue ?? "template", record.origin?.path,
            record.origin?.headers["servicebusnotification-devicehandle"],
        ]
        return texts.contains { $0.map(find.matches) ?? false } || find.matches(record.body)
    }
}

struct SendPage: Encodable {
    /// The sends, newest first.
    private let sends: [SendReport]

    /// Lists the sends that a hub still remembers, except those that were cancelled.
    init(_ query: SendQuery, of hub: HubState) {
        let ids = query.ids(in: hub)
        var sends: [SendReport] = []
        for record in hub.notifications.all.reversed() where query.includes(record, among: ids) {
            sends.append(SendReport(record))
            guard sends.count < query.limit else { break }
        }
        self.sends = sends
    }
}
