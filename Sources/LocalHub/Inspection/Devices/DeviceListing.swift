/// Goes through the devices of a hub, a slice at a time, so that no send waits for long.
///
/// It goes by the places of their mailboxes, which no device changes: a listing misses none that was there all
/// the time.
struct DeviceListing {
    private let search: UserSearch?
    private let from: Int
    private let limit: Int
    private let hub: HubStore
    private var devices: [DeviceSummary] = []
    /// What has been looked at: devices and registrations.
    private(set) var budget = LookBudget()

    /// Lists devices.
    ///
    /// - Parameters:
    ///   - search: a part of their users' names; nil: all devices.
    ///   - from: the first place of the page.
    ///   - limit: the most devices of the page, at least 1.
    ///   - hub: the hub.
    init(search: UserSearch?, from: Int, limit: Int, in hub: HubStore) {
        self.search = search
        self.from = from
        self.limit = limit
        self.hub = hub
    }

    /// The page; a search looks at all registrations, to count the devices that match.
    mutating func page() -> DevicePage {
        if let search {
            let places = places(search)
            let next = fill(from: places.lazy.filter { [from] in $0 >= from })
            return DevicePage(devices: devices, total: places.count, next: next)
        }
        let (end, total) = hub.update { ($0.devices.endPlace, $0.devices.count) }
        let next = fill(from: from..<max(from, end))
        return DevicePage(devices: devices, total: total, next: next)
    }

    /// The places of the devices with a registration of a user who is searched for, in order.
    private mutating func places(_ search: UserSearch) -> [Int] {
        var found: Set<Int> = []
        var start: Int? = 0
        while let first = start {
            start = hub.update { state in
                budget.begin()
                for place in first..<max(first, state.registrations.endPlace) {
                    guard !budget.isSpent else { return place }
                    budget.spend()
                    guard let tags = state.registrations.tags(at: place),
                        search.matches(tags: tags),
                        let registration = state.registrations[place],
                        let device = state.devices.place(of: registration.device)
                    else { continue }
                    found.insert(device)
                }
                return nil
            }
        }
        return found.sorted()
    }

    /// Puts the devices at some places onto the page.
    ///
    /// - Returns: where the next page begins; nil when there is none.
    private mutating func fill(from places: some Sequence<Int>) -> Int? {
        var rest = places.makeIterator()
        var place = rest.next()
        while place != nil {
            let isFull = hub.update { state in
                budget.begin()
                while !budget.isSpent, let next = place {
                    // One more than fits shows that there is a next page, and where it begins.
                    if devices.count == limit, state.devices.device(at: next) != nil { return true }
                    add(next, of: state)
                    place = rest.next()
                }
                return false
            }
            if isFull { return place }
        }
        return nil
    }

    private mutating func add(_ place: Int, of state: HubState) {
        budget.spend()
        guard let (device, mailbox) = state.devices[place] else { return }
        let registrations = state.registrations(showing: device)
        budget.spend(registrations.count)
        if let summary = DeviceSummary(registrations, mailbox) { devices.append(summary) }
    }
}

/// A page of the list of devices, as JSON shows it.
struct DevicePage: Encodable {
    private enum CodingKeys: CodingKey {
        case devices, total, next
    }

    /// The devices.
    let devices: [DeviceSummary]
    /// How many there are on all pages.
    let total: Int
    /// The `from` of the next page; nil at the end.
    let next: Int?

    /// The next page is null at the end.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(devices, forKey: .devices)
        try container.encode(total, forKey: .total)
        try container.encode(next, forKey: .next)
    }
}

/// A device in a list, as JSON shows it.
struct DeviceSummary: Encodable {
    private enum CodingKeys: CodingKey {
        case registration, installation, platform, handle, tags, users, count, newest
    }

    private let registration: Registration
    private let users: [String]
    private let count: Int
    private let newest: Int?

    /// Describes a device.
    ///
    /// - Parameters:
    ///   - registrations: those that lead to it, at least one.
    ///   - mailbox: what it received.
    init?(_ registrations: [Registration], _ mailbox: Mailbox) {
        guard let first = registrations.first else { return nil }
        registration = first
        users = UserNames.names(of: registrations)
        count = mailbox.count
        newest = mailbox.newest
    }

    /// The newest message is null when none is kept.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(registration.id, forKey: .registration)
        try container.encodeIfPresent(registration.installationID, forKey: .installation)
        try container.encode(registration.platform, forKey: .platform)
        try container.encode(registration.channel.handle, forKey: .handle)
        try container.encode(registration.tags.sorted(), forKey: .tags)
        try container.encode(users, forKey: .users)
        try container.encode(count, forKey: .count)
        try container.encode(newest, forKey: .newest)
    }
}
