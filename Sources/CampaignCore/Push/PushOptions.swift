/// What all pushes of a run have in common, beside what their notifications say.
package struct PushOptions: Hashable, Sendable, Codable {
    /// The number on the app's icon (visible pushes of apns); 0 takes it away.
    package var badge: Int?
    /// The name of a sound (visible pushes of apns).
    package var sound: String?
    /// What groups notifications (visible pushes of apns).
    package var thread: String?
    /// Where pushes show a placeholder, in the platforms' order.
    package var placeholders: [Platform]
    /// Whether the link stays out of a rich push.
    package var isLinkPrivate: Bool
    /// The further keys that stay out of a rich push, sorted.
    package var privateData: [String]

    package init(
        badge: Int? = nil, sound: String? = nil, thread: String? = nil,
        placeholders: [Platform] = [], isLinkPrivate: Bool = false, privateData: [String] = []
    ) {
        self.badge = badge
        self.sound = sound
        self.thread = thread
        self.placeholders = placeholders
        self.isLinkPrivate = isLinkPrivate
        self.privateData = privateData
    }
}

extension PushContent {
    /// What a push may say of a notification (contract, section 4): secure only the id and the placeholder; rich all but the
    /// content, and of it only what is not private; alert all.
    ///
    /// - Parameters:
    ///   - kind: the run's.
    ///   - isMessagePrivate: whether title and message stay out of a rich push.
    ///   - options: what the run's pushes have in common.
    ///   - notification: the id.
    ///   - type: `richType`.
    ///   - texts: what is said on the push's platform.
    ///   - link: what opening it opens.
    ///   - data: further keys for the app.
    package init(
        kind: CampaignKind, isMessagePrivate: Bool, options: PushOptions,
        notification: NotificationID, type: String?, texts: PushTexts, link: String?,
        data: [String: String]
    ) {
        self.init(
            notification: notification, badge: options.badge, sound: options.sound,
            thread: options.thread)
        switch kind {
        case .secure:
            placeholder = texts.placeholder
        case .rich:
            self.type = type
            placeholder = texts.placeholder
            if !isMessagePrivate { (title, message) = (texts.title, texts.message) }
            if !options.isLinkPrivate { self.link = link }
            let open =
                options.privateData.isEmpty
                ? data : data.filter { !options.privateData.contains($0.key) }
            self.data = Self.ordered(open)
        case .alert:
            (title, message) = (texts.title, texts.message)
            self.link = link
            self.data = Self.ordered(data)
        }
    }

    /// By name, so that equal pushes have equal bytes.
    private static func ordered(_ data: [String: String]) -> [(key: String, value: String)] {
        data.isEmpty ? [] : data.sorted { $0.key < $1.key }
    }
}
