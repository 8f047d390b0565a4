/// What one device received, as JSON shows it.
struct DeviceReport: Encodable {
    /// The most pushes shown for a device.
    static let mostPushes = 100

    let registration: String
    let installation: String?
    let platform: LocalHubPlatform
    let handle: String
    let tags: [String]
    /// All pushes that came in, also those no longer kept.
    let count: Int
    /// The newest come first.
    let pushes: [PushReport]

    /// Describes a device.
    ///
    /// - Parameters:
    ///   - registration: its registration.
    ///   - mailbox: what it received.
    ///   - range: the numbers of the pushes to show; nil: the newest ones.
    init(_ registration: Registration, _ mailbox: Mailbox, showing range: ClosedRange<Int>? = nil) {
        self.registration = registration.id
        installation = registration.installationID
        platform = registration.platform
        handle = registration.channel.handle
        tags = registration.tags.sorted()
        count = mailbox.count
        let shown =
            if let range {
                mailbox.entries(after: range.lowerBound).filter { range.contains($0.sequence) }[...]
            } else {
                mailbox.entries.suffix(Self.mostPushes)
            }
        pushes = shown.reversed().map(PushReport.init)
    }
}
