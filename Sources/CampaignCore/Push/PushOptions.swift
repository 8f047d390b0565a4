/// Options that all pushes of a run share.
package struct PushOptions: Hashable, Sendable, Codable {
    /// The number on the app's icon, for visible pushes on apns; 0 removes the number.
    package var badge: Int?
    /// The sound of visible pushes on apns.
    package var sound: String?
    /// The group of notifications, for visible pushes on apns.
    package var thread: String?
    /// Platforms whose pushes show a placeholder, in order.
    package var placeholders: [Platform]
    /// Whether the link stays out of a rich push.
    package var isLinkPrivate: Bool
    /// The data keys that stay out of a rich push, sorted.
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
    /// The part of a notification that a push may contain.
    ///
    /// A secure push may contain only the ID and the placeholder; a rich push, everything except
    /// the content and private parts; an alert, everything.
    package init(
        kind: CampaignKind, isMessagePrivate: Bool, options: PushOptions,
        notification: NotificationID, type: String?, texts: Texts<String>, link: String?,
        data: [String: String]
    ) {
        self.init(
            notification: notification,
            texts: texts.filter {
                $0.isPart(of: kind)
                    && (kind == .alert || !isMessagePrivate || $0.isPlaceholder)
            }, badge: options.badge, sound: options.sound, thread: options.thread)
        switch kind {
        case .secure:
            break
        case .rich:
            self.type = type
            if !options.isLinkPrivate { self.link = link }
            let open =
                options.privateData.isEmpty
                ? data : data.filter { !options.privateData.contains($0.key) }
            self.data = Self.ordered(open)
        case .alert:
            self.link = link
            self.data = Self.ordered(data)
        }
    }

    /// Returns the data sorted by key, so that equal pushes have equal bytes.
    private static func ordered(_ data: [String: String]) -> [(key: String, value: String)] {
        data.isEmpty ? [] : data.sorted { $0.key < $1.key }
    }
}
