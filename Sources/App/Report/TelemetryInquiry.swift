import CampaignCore
import Delivery
import FoundationEssentials
import Logging
import NotificationHubs
import ProcessControl
import Storage

/// Asks the hub what became of a run's messages, and stores it, for `report --telemetry`.
///
/// Answers are kept, so a later call asks only for the rest.
struct TelemetryInquiry: Sendable {
    struct Result: Hashable, Sendable {
        /// Messages whose fate the hub reported.
        var told = 0
        /// Messages that the hub does not know yet, or has forgotten.
        var unknown = 0
        var shared = 0
        /// Accepted deliveries in requests for several people; the hub is not asked about them.
        var unasked = 0
        /// Whether the hub gave no ids to ask by.
        var lacksIDs = false
    }

    private static let page = 500
    private static let mostAtOnce = 32

    let store: any RunHistory & TelemetryLedger
    /// Told of progress once a page; must return at once.
    var observe: @Sendable (AudienceProgress) -> Void = { _ in }

    /// Asks the hub about a run, with the store of the settings; `observe` must return at once.
    static func ask(
        about record: RunRecord, at connection: HubConnection, _ settings: EffectiveSettings,
        logger: Logger, observe: @escaping @Sendable (AudienceProgress) -> Void
    ) async throws -> Result {
        let store = try await settings.store.open(StoreOptions())
        let result = try await TelemetryInquiry(store: store, observe: observe)
            .ask(about: record, at: connection, logger: logger)
        try store.close()
        return result
    }

    /// Asks the hub of a connection; throws `RunError` when the run went through another hub.
    func ask(
        about record: RunRecord, at connection: HubConnection, logger: Logger
    ) async throws -> Result {
        guard record.hub == connection.identity else {
            throw Refused(
                """
                Run \(record.id) was sent through the hub \(record.hub), and \(connection.identity) is configured; only the \
                first knows what became of its messages.
                """)
        }
        return try await connection.withClient(
            concurrency: Self.mostAtOnce, retries: .standard, logger: logger.of(record.id)
        ) { client in
            try await ask(about: record, of: HubTelemetry(client: client))
        }
    }

    /// Asks no faster than the run sends.
    func ask(
        about record: RunRecord, of telemetry: any MessageTelemetry
    ) async throws -> Result {
        let accepted = try await store.outcomes(record.id)[.accepted]
        guard record.delivery.recipientsPerPush == 1 else { return Result(unasked: accepted) }
        var result = Result()
        var inquiry = PacedInquiry(
            rate: record.delivery.rate, atOnce: Self.mostAtOnce, keepsAnswers: true)
        for platform in record.platforms {
            var last = 0
            while true {
                let messages = try await store.untold(
                    record.id, platform: platform, after: last, limit: Self.page)
                guard let end = messages.last else { break }
                last = end.number
                var questions = messages.makeIterator()
                var fates: [(message: SentMessage, fate: MessageFate)] = []
                let failure: (any Error)?
                do {
                    try await inquiry.ask({ questions.next() }) { message in
                        (message, try await Self.fate(of: message, telemetry))
                    } take: {
                        fates.append($0)
                    }
                    failure = nil
                } catch {
                    failure = error
                }
                // Answers from before a failure are kept too.
                try await store.record(fates, of: record.id, at: Date())
                for (_, fate) in fates { result.count(fate) }
                observe(.asking(result.asked, of: accepted))
                if let failure { throw failure }
            }
        }
        if result == Result(), accepted > 0 {
            let rows = try await store.reportPage(record.id, after: 0, recipients: Self.page).rows
            result.lacksIDs = rows.allSatisfy { $0.hubMessage == nil }
        }
        return result
    }

    private static func fate(
        of message: SentMessage, _ telemetry: any MessageTelemetry
    ) async throws -> MessageFate {
        do throws(HubInquiryFailure) {
            return try await telemetry.fate(of: message.id)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw Refused(
                """
                The hub was asked what became of its messages, and did not say. \(error.sentence) What was \
                answered before is kept; without --telemetry the report asks nobody.
                """, status: ExitStatus(error))
        }
    }
}

extension TelemetryInquiry.Result {
    fileprivate var asked: Int { told + unknown + shared }

    fileprivate mutating func count(_ fate: MessageFate) {
        switch fate {
        case .unknown: unknown += 1
        case .shared: shared += 1
        case .ended: told += 1
        }
    }

    /// What to tell a person; nil if there is nothing to say.
    var sentence: String? {
        if unasked > 0 {
            return
                "The requests of this run were for several people each, so that telemetry tells nothing of one of them: pns stays empty."
        }
        if lacksIDs {
            return
                "The hub gave no ids for the messages of this run, as in the Free and Basic tiers, so it cannot be asked about them: pns stays empty."
        }
        var parts: [String] = []
        if unknown > 0 {
            parts.append(
                "Of \(Figures.count(unknown, "message", "messages")) the hub does not know yet, or not any more, what became; ask again later."
            )
        }
        if shared > 0 {
            parts.append(
                "\(Figures.count(shared, "message was", "messages were")) for several people; pns stays empty there."
            )
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
