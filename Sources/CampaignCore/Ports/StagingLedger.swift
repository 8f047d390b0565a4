/// Stores a run's people and what they get, before anything is sent.
package protocol StagingLedger: Sendable {
    /// Writes a new run in state `staging`; replaces one of the same id that is still `staging`.
    ///
    /// - Parameter people: an estimate of its recipients; a store may prepare for them.
    func begin(_ run: RunRecord, expecting people: Int) async throws
    func clearStaging(_ run: RunID) async throws
    /// Stores a notification that recipients of a run share, one for each language.
    func store(_ notification: NewNotification, of run: RunID) async throws
    /// Stores a run's waves, numbered without a gap, before any recipient.
    func store(_ waves: [RunWave], of run: RunID) async throws
    /// Writes recipients, in name order over all calls (or per wave), at most 5,000 a transaction.
    func append(_ recipients: [StagedRecipient], to run: RunID) async throws
    /// Ends staging: the run is `running` and its audience fixed.
    func finishStaging(_ run: RunID, counts: AudienceCounts) async throws
}

extension StagingLedger {
    package func begin(_ run: RunRecord) async throws {
        try await begin(run, expecting: 0)
    }
}

/// A payload to be stored, rendered.
package struct NewNotification: Hashable, Sendable {
    package var id: NotificationID
    /// nil: for everybody whose language has no text of its own.
    package var language: LanguageTag?
    package var type: String?
    package var texts: Texts<String>
    package var link: String?
    package var data: [String: String]
    /// The texts in which a platform differs.
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
    /// A text of its own; an address if it is `text/uri-list`.
    case text(String, mediaType: String)
    /// The run's file, stored once for all notifications.
    case file(PayloadFile)
}

package struct StagedRecipient: Hashable, Sendable {
    package var username: Username
    /// Their own notification if the payload has variables; nil: a shared one.
    package var notification: NewNotification?
    /// The language of their shared notification; nil: the default one.
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
