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
    private var next: Int?
    private var found = 0
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

    /// The page; a search looks at all devices, to count those that match.
    mutating func page() -> DevicePage {
        var place: Int? = search == nil ? from : 0
        while let start = place {
            place = hub.update { state in look(at: state, from: start) }
        }
        let total = search == nil ? hub.update { $0.devices.count } : found
        return DevicePage(devices: devices, total: total, next: next)
    }

    /// Looks at a slice.
    ///
    /// - Returns: where the next one begins; nil when there is none, or no need for it.
    private mutating func look(at state: HubState, from start: Int) -> Int? {
        budget.begin()
        var place = start
        while !budget.isSpent {
            guard place < state.devices.endPlace else { return nil }
            look(at: state, place)
            if search == nil, next != nil { return nil }
            place += 1
        }
        return place
    }

    private mutating func look(at state: HubState, _ place: Int) {
        budget.spend()
        guard let device = state.devices.device(at: place) else { return }
        let registrations = state.registrations.registrations(of: device)
        budget.spend(registrations.count)
        guard search.map({ registrations.contains(where: $0.matches) }) ?? true else { return }
        found += 1
        guard place >= from, next == nil else { return }
        // One more than fits shows that there is a next page, and where it begins.
        guard devices.count < limit else {
            next = place
            return
        }
        guard let mailbox = state.devices[place]?.mailbox,
            let summary = DeviceSummary(registrations, mailbox)
        else { return }
        devices.append(summary)
    }
}
