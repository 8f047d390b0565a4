/// A request that sent, with what became of it at each device, as JSON shows it.
struct SendDetails: Encodable {
    private enum CodingKeys: CodingKey {
        case request, devices, total, next
    }

    private let record: NotificationRecord
    private let devices: [DeviceOutcome]
    private let total: Int
    private let next: Int?

    /// Describes a send and a page of its devices, looking at a slice of them at a time.
    ///
    /// - Parameters:
    ///   - record: what is known of the send.
    ///   - from: how many of its devices stand before the page.
    ///   - limit: the most devices of the page, at least 1.
    ///   - hub: the hub.
    init(_ record: NotificationRecord, from: Int, limit: Int, in hub: HubStore) {
        self.record = record
        let messages = record.messages ?? 0..<0
        var rest = messages.dropFirst(from)
        var devices: [DeviceOutcome] = []
        var budget = LookBudget()
        while !rest.isEmpty, devices.count < limit {
            budget.begin()
            hub.update { state in
                while devices.count < limit, !budget.isSpent, let sequence = rest.popFirst() {
                    budget.spend()
                    // Those that were cleared or let go are not there any more.
                    guard let message = state.message(sequence) else { continue }
                    devices.append(DeviceOutcome(message))
                }
            }
        }
        self.devices = devices
        total = messages.count
        next = rest.first.map { $0 - messages.lowerBound }
    }

    /// The members of the send in a list; the request, which is null when it is not known; the devices whose messages are
    /// kept, how many there were in all, and where the next page begins, null at the end.
    func encode(to encoder: any Encoder) throws {
        try SendReport(record).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(RequestReport(record), forKey: .request)
        try container.encode(devices, forKey: .devices)
        try container.encode(total, forKey: .total)
        try container.encode(next, forKey: .next)
    }
}
