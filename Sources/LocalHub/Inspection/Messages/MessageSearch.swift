/// Finds messages, looking at a slice of them at a time, so that no send waits for long.
///
/// Messages of everybody are found by their numbers: the hub knows the mailbox of each. Those of a user or a
/// registration are found in their mailboxes. What comes in while it searches is left for the next time.
struct MessageSearch {
    /// A device of those that are asked for.
    private struct FoundDevice {
        let address: DeviceAddress
        let registration: Registration
        let users: [String]
        /// Whether all its messages are found, as it is one of a user who is.
        let isFound: Bool
    }

    /// How many bytes of a body take as long as a look at a message.
    private static let bytesPerLook = 64

    let query: MessageQuery
    let hub: HubStore
    /// What has been looked at: messages and registrations.
    private(set) var budget = LookBudget()
    /// Whether the owner of a mailbox is one who is searched for, by the mailbox's place.
    ///
    /// A place that is given to another device meanwhile does no harm: what that one receives is too new.
    private var isOwnerWanted: [Int: Bool] = [:]
    /// The same for who is looked for beside a text.
    private var isOwnerFound: [Int: Bool] = [:]
    /// The body that was looked into last, and whether the text is in it: all targets of a send share one.
    private var lastBody: (bytes: [UInt8], isFound: Bool)?

    /// Searches for messages.
    ///
    /// - Parameters:
    ///   - query: which messages.
    ///   - hub: the hub.
    init(_ query: MessageQuery, in hub: HubStore) {
        self.query = query
        self.hub = hub
    }

    /// The page that the query asks for.
    mutating func page() -> MessagePage {
        let (newest, kept, after) = hub.update { state in
            (
                state.devices.newestSequence, state.devices.kept,
                query.after.map(state.start(after:))
            )
        }
        let range = Self.range(of: kept, after: after, before: query.before)
        // One more than fits shows that there are older ones.
        let found = messages(in: range, limit: query.limit + (after == nil ? 1 : 0))
        let shown = after == nil ? found.prefix(query.limit) : found.reversed()[...]
        return MessagePage(
            messages: shown.map(MessageReport.init), newest: newest,
            older: after.map { kept.lowerBound <= $0 } ?? (found.count > query.limit))
    }

    /// The oldest message behind the number that the query names; nil when there is none yet.
    mutating func next() -> Message? {
        let range = hub.update { state in
            Self.range(
                of: state.devices.kept, after: state.start(after: query.after ?? 0), before: nil)
        }
        return messages(in: range, limit: 1).first
    }

    /// The numbers that are worth looking at.
    private static func range(of kept: Range<Int>, after: Int?, before: Int?) -> Range<Int> {
        let start = max(kept.lowerBound, after.map { $0 + 1 } ?? kept.lowerBound)
        return start..<max(start, min(kept.upperBound, before ?? kept.upperBound))
    }

    /// The messages in a range of numbers, from its newest on, or with `after` from its oldest on.
    private mutating func messages(in range: Range<Int>, limit: Int) -> [Message] {
        if let id = query.registration {
            return messages(ofRegistration: id, in: range, limit: limit)
        }
        if let user = query.user {
            return messages(of: user, in: range, limit: limit)
        }
        var found: [Message] = []
        var rest = range
        while !rest.isEmpty, found.count < limit {
            hub.update { state in look(at: state, through: &rest, into: &found, limit: limit) }
        }
        return found
    }

    private var newestFirst: Bool { query.after == nil }

    /// Looks at a slice of the messages of everybody.
    private mutating func look(
        at state: HubState, through rest: inout Range<Int>, into found: inout [Message], limit: Int
    ) {
        // The oldest may have gone since the last slice.
        rest = rest.clamped(to: state.devices.kept)
        budget.begin()
        while !rest.isEmpty, found.count < limit, !budget.isSpent {
            budget.spend()
            let sequence: Int
            if newestFirst {
                sequence = rest.upperBound - 1
                rest = rest.lowerBound..<sequence
            } else {
                sequence = rest.lowerBound
                rest = sequence + 1..<rest.upperBound
            }
            if let message = message(sequence, of: state) { found.append(message) }
        }
    }

    private mutating func message(_ sequence: Int, of state: HubState) -> Message? {
        guard let place = state.devices.place(of: sequence), isOwnerWanted[place] ?? true,
            let entry = state.devices.entry(sequence, at: place), includes(entry),
            let device = state.devices.device(at: place)
        else { return nil }
        let isFound = hasText(entry.push)
        guard isFound || isOwnerFound[place] ?? true else { return nil }
        let registrations = state.registrations(showing: device)
        budget.spend(registrations.count)
        if let search = query.search, isOwnerWanted[place] == nil {
            isOwnerWanted[place] = registrations.contains(where: search.matches)
        }
        guard isOwnerWanted[place] ?? true, let registration = registrations.first else {
            return nil
        }
        if !isFound {
            let isOwner = isUserFound(registrations)
            isOwnerFound[place] = isOwner
            guard isOwner else { return nil }
        }
        return Message(
            registration: registration, users: UserNames.names(of: registrations), entry: entry)
    }

    /// Whether a device is one of a user with the text in the name that is looked for; true when none is.
    private func isUserFound(_ registrations: [Registration]) -> Bool {
        query.find.map { registrations.contains(where: $0.matchesUser) } ?? true
    }

    /// Whether a push has the text in it that is looked for.
    private mutating func hasText(_ push: ReceivedPush) -> Bool {
        guard let find = query.find else { return true }
        if let lastBody, lastBody.bytes == push.body { return lastBody.isFound }
        budget.spend(push.body.count / Self.bytesPerLook)
        let isFound = find.matches(push.body)
        lastBody = (push.body, isFound)
        return isFound
    }

    private func includes(_ entry: Mailbox.Entry) -> Bool {
        query.outcome?.includes(entry.push) ?? true
    }

    /// Finds the messages of a user, one of the user's mailboxes after another.
    private mutating func messages(
        of user: String, in range: Range<Int>, limit: Int
    ) -> [Message] {
        var found: [Message] = []
        var range = range
        var seen: Set<DeviceAddress> = []
        for place in UserPlaces.places(of: user, in: hub) {
            budget.begin()
            let device = hub.update { state in owned(place, by: user, of: state) }
            budget.spend()
            guard let device, seen.insert(device.address).inserted else { continue }
            let new = messages(of: device, in: range, limit: limit)
            guard !new.isEmpty else { continue }
            found = Array((found + new).sorted(by: precedes).prefix(limit))
            guard found.count == limit, let last = found.last?.entry.sequence else { continue }
            // Only what comes before the last one found is still of interest.
            range = newestFirst ? last..<range.upperBound : range.lowerBound..<last
        }
        return found
    }

    /// Finds the messages of the device that a registration leads to, whichever registration they came by.
    private mutating func messages(
        ofRegistration id: String, in range: Range<Int>, limit: Int
    ) -> [Message] {
        budget.begin()
        let device = hub.update { state in
            state.registration(shownAs: id).flatMap { wanted($0, of: state) }
        }
        budget.spend()
        guard let device else { return [] }
        return messages(of: device, in: range, limit: limit)
    }

    private mutating func messages(
        of device: FoundDevice, in range: Range<Int>, limit: Int
    ) -> [Message] {
        entries(of: device, in: range, limit: limit).map {
            Message(registration: device.registration, users: device.users, entry: $0)
        }
    }

    private func precedes(_ left: Message, _ right: Message) -> Bool {
        newestFirst
            ? left.entry.sequence > right.entry.sequence
            : left.entry.sequence < right.entry.sequence
    }

    /// The device that a registration of a user leads to; nil when it is none, or no longer.
    private func owned(
        _ place: Int, by user: String, of state: HubState
    ) -> FoundDevice? {
        guard let registration = state.registrations[place],
            InspectedDevices.user(user).include(registration)
        else { return nil }
        return wanted(registration, of: state)
    }

    /// The device that a registration leads to; nil when it is nobody's who is asked for.
    private func wanted(_ registration: Registration, of state: HubState) -> FoundDevice? {
        let registrations = state.registrations(showing: registration.device)
        let isSearched = query.search.map { registrations.contains(where: $0.matches) } ?? true
        let isUsers =
            query.user.map { registrations.contains(where: InspectedDevices.user($0).include) }
            ?? true
        guard isSearched, isUsers else { return nil }
        return FoundDevice(
            address: registration.device, registration: registration,
            users: UserNames.names(of: registrations), isFound: isUserFound(registrations))
    }

    /// The pushes in a mailbox that the query is about, in its order.
    private mutating func entries(
        of device: FoundDevice, in range: Range<Int>, limit: Int
    ) -> [Mailbox.Entry] {
        var found: [Mailbox.Entry] = []
        var rest = range
        while !rest.isEmpty, found.count < limit {
            budget.begin()
            let slice = query.outcome == nil && device.isFound ? limit : LookBudget.slice
            let entries = hub.update { state in
                state.devices[device.address]?.entries(
                    in: rest, limit: slice, newestFirst: newestFirst) ?? []
            }
            budget.spend(entries.count)
            for entry in entries where found.count < limit && includes(entry) {
                if device.isFound || hasText(entry.push) { found.append(entry) }
            }
            guard entries.count == slice, let last = entries.last?.sequence else { break }
            rest = newestFirst ? rest.lowerBound..<last : last + 1..<rest.upperBound
        }
        return found
    }
}

/// Which messages somebody asks for.
struct MessageQuery: Sendable {
    /// Whose, by the exact name; nil: everybody's.
    var user: String?
    /// Those of the device that this registration leads to; nil: every device's.
    var registration: String?
    /// A part of the names of whose; nil: everybody's.
    var search: UserSearch?
    /// A text in the names of whose, or in what was pushed; nil: any.
    var find: TextSearch?
    /// What became of them; nil: whatever did.
    var outcome: MessageOutcome?
    /// Only those behind this number, and then the oldest of them; nil: the newest of all.
    var after: Int?
    /// Only those before this number; nil: up to the newest.
    var before: Int?
    /// The most messages.
    var limit = 50

    /// Asks for the newest messages of everybody.
    init() {}

    /// Reads the query of a request.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - hub: the hub whose newest message `now` means.
    /// - Throws: a 400 for a wrong value.
    init(_ query: InspectionQuery, in hub: HubStore) throws(HubFailure) {
        user = try query.user()
        registration = try query.registration()
        search = try query.search()
        find = try query.find()
        after = try query.after(in: hub)
        before = try query.sequence("before")
        limit = try query.limit()
        outcome = try query.outcome()
    }
}

/// Which messages a list shows, by what became of them.
enum MessageOutcome: String, Sendable {
    /// Those that reached their device.
    case arrived
    /// Those that a push service refused.
    case refused

    /// Whether a send has a push among them.
    func includes(_ record: NotificationRecord) -> Bool {
        (self == .arrived ? record.arrived : record.refused) > 0
    }

    /// Whether a push is one of them.
    func includes(_ push: ReceivedPush) -> Bool {
        (push.outcome == .success) == (self == .arrived)
    }
}

/// A page of the list of messages, as JSON shows it.
struct MessagePage: Encodable {
    /// The newest come first.
    let messages: [MessageReport]
    /// The number of the hub's newest message when the list was made, whoever it is for.
    let newest: Int
    /// Whether there are older ones.
    ///
    /// With `after`, whether the hub may keep any that are not behind that number, whoever they are for.
    let older: Bool
}

/// Where the registrations of a user are.
enum UserPlaces {
    /// The places of the registrations with the tag `username:<user>`, then those with this user id.
    ///
    /// The hub is only asked for the places; they are sorted without it.
    ///
    /// - Parameters:
    ///   - user: the user's name.
    ///   - hub: the hub.
    /// - Returns: the places, each once.
    static func places(of user: String, in hub: HubStore) -> [Int] {
        let (named, identified) = hub.update { state in
            (
                state.registrations.places(carrying: LocalHubDevice.tag(ofUser: user)),
                state.registrations.places(carrying: TagTerm.user(user).text)
            )
        }
        return named.sorted() + identified.subtracting(named).sorted()
    }
}

/// Counts what is looked at under the hub's lock, so that no send has to wait for long.
struct LookBudget: Sendable {
    /// The most messages, devices and registrations looked at at a time, but for what one device has.
    static let slice = 2_000

    /// How many have been looked at.
    private(set) var total = 0
    /// How many at a time at most.
    private(set) var largestSlice = 0
    private var current = 0

    /// Whether it is time to let others have the lock.
    var isSpent: Bool { current >= Self.slice }

    /// Begins to look, after others could have the lock.
    mutating func begin() {
        current = 0
    }

    /// Counts what is looked at.
    mutating func spend(_ count: Int = 1) {
        total += count
        current += count
        largestSlice = max(largestSlice, current)
    }
}
