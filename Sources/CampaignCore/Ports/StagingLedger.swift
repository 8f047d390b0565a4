/// Stores a run's people and payloads before anything is sent.
package protocol StagingLedger: Sendable {
    /// Writes a new run in state `staging`; replaces a run with the same ID that is still
    /// `staging`.
    ///
    /// - Parameter people: an estimate of the number of recipients, so that the store can prepare.
    func begin(_ run: RunRecord, expecting people: Int) async throws
    func clearStaging(_ run: RunID) async throws
    /// Stores a notification that recipients of a run share; there is one per language.
    func store(_ notification: NewNotification, of run: RunID) async throws
    /// Stores a run's waves, numbered without gaps. Call before adding recipients.
    func store(_ waves: [RunWave], of run: RunID) async throws
    /// Writes recipients, at most 5,000 per transaction. Recipients must be in name order across
    /// all calls, or in name order within each wave.
    func append(_ recipients: [StagedRecipient], to run: RunID) async throws
    /// Ends staging: the run is now `running`, and its audience cannot change.
    func finishStaging(_ run: RunID, counts: AudienceCounts) async throws
}

extension StagingLedger {
    package func begin(_ run: RunRecord) async throws {
        try await begin(run, expecting: 0)
    }
}

/// A rendered payload to be stored.
package struct NewNotification: Hashable, Sendable {
    package var id: NotificationID
    /// nil stands for everybody whose language has no text of its own.
    package var language: LanguageTag?
    package var type: String?
    package var texts: Texts<String>
    package var link: String?
    package var data: [String: String]
    /// The texts that differ on a platform.
    package var platformTexts: [Platform: Texts<String>]
    package var content: StoredContent

    package init(
        id: NotificationID, language: LanguageTag? = nil, type: String?,
        texts: Texts<String> = Texts(), link: String? = nil, data: [String: String] = [:],
        platformTexts: [Platform: Texts<String>] = [:], content: StoredContent
    ) {
        self.id = id
        self.language = language
        self.type = type
        self.texts = texts
        self.link = link
        self.data = data
        self.platformTexts = platformTexts
        self.content = content
    }

    package func texts(on platform: Platform) -> Texts<String> {
        platformTexts[platform].map { $0.over(texts) } ?? texts
    }
}

package enum StoredContent: Hashable, Sendable {
    case none
    /// Text, or an address if the media type is `text/uri-list`.
    case text(String, mediaType: String)
    /// The run's file, stored once for all notifications.
    case file(PayloadFile)
}

package struct StagedRecipient: Hashable, Sendable {
    package var username: Username
    /// The person's own notification if the payload has variables; nil means a shared notification.
    package var notification: NewNotification?
    /// The language of the shared notification; nil means the default.
    package var language: LanguageTag?
    /// Platforms whose deliveries are skipped as ``SkipReason/notAskedFor``.
    package var withheld: Set<Platform>

    package init(
        username: Username, notification: NewNotification? = nil, language: LanguageTag? = nil,
        withheld: Set<Platform> = []
    ) {
        self.username = username
        self.notification = notification
        self.language = language
        self.withheld = withheld
    }
}
