/// Which sends somebody asks for.
struct SendQuery: Sendable {
    /// Those to these devices, or whose tags name this user; nil: to any.
    var devices: InspectedDevices?
    /// A text in what was sent, its address, tags, platform or handle; nil: any.
    var find: TextSearch?
    /// What became of one of its pushes; nil: whatever did.
    var outcome: MessageOutcome?
    /// The most sends.
    var limit = 50

    /// Reads the query of a request.
    ///
    /// - Parameter query: the query.
    /// - Throws: a 400 for a wrong value.
    init(_ query: InspectionQuery) throws(HubFailure) {
        if let user = try query.user() {
            devices = .user(user)
        } else if let registration = try query.registration() {
            devices = .registration(registration)
        }
        find = try query.text("find")
        outcome = try query.outcome()
        limit = try query.limit()
    }

    /// The ids of the sends whose messages the devices keep that the query names; nil when it names none.
    fileprivate func ids(in hub: HubState) -> Set<String>? {
        devices.map { Set(hub.pushes(to: $0).map(\.kept.push.notificationID)) }
    }

    /// Whether a send is one of those.
    ///
    /// - Parameters:
    ///   - record: what is known of it.
    ///   - ids: what ``ids(in:)`` found.
    /// - Returns: whether it is.
    fileprivate func includes(_ record: NotificationRecord, among ids: Set<String>?) -> Bool {
        // One that was cancelled never went out.
        guard record.sent != nil, outcome?.includes(record) ?? true else { return false }
        if let ids, !ids.contains(record.id), !namesUser(record) { return false }
        return find.map { isFound(record, $0) } ?? true
    }

    /// Whether the tags name the user, though perhaps none of the user's devices was reached.
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

/// The newest requests that sent, as JSON shows them.
struct SendPage: Encodable {
    /// The newest come first.
    private let sends: [SendReport]

    /// Lists what a hub still knows; a send that was cancelled never went out, and is left out.
    ///
    /// - Parameters:
    ///   - query: which sends.
    ///   - hub: the hub.
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
