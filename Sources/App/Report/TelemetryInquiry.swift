import CampaignCore
import Delivery
import FoundationEssentials
import Logging
import NotificationHubs
import ProcessControl
import Storage

/// Asks the hub what happened to a run's messages and stores the answers (`report --telemetry`).
///
/// A later call asks only about messages whose result is missing.
struct TelemetryInquiry: Sendable {
    struct Result: Hashable, Sendable {
        /// Messages whose result the hub reported.
        var answered = 0
        /// Messages for which the hub has no result yet, or no longer has the result.
        var unknown = 0
        var shared = 0
        /// Accepted deliveries in requests for several people, about which the hub is not asked.
        var unasked = 0
        /// Whether the hub returned no message ids, which are required to ask about messages.
        var lacksIDs = false
    }

    private static let page = 500
    private static let mostAtOnce = 32

    let store: any RunHistory & TelemetryLedger
    /// A function that is called with the progress once per page and must not block.
    var observe: @Sendable (AudienceProgress) -> Void = { _ in }

    /// Asks the hub about a run and uses the store of the settings; `observe` must not block.
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

    /// Asks the hub of a connection; throws if the run was sent through another hub.
    func ask(
        about record: RunRecord, at connection: HubConnection, logger: Logger
    ) async throws -> Result {
        guard record.hub == connection.identity else {
            throw Refused(
                """
                Run \(record.id) was sent through the hub \(record.hub), but \(connection.identity) is configured. Only \
                the first hub knows what happened to its messages.
                """)
        }
        return try await connection.withClient(
            concurrency: Self.mostAtOnce, retries: .standard, logger: logger.of(record.id)
        ) { client in
            try await ask(about: record, of: HubTelemetry(client: client))
        }
    }

    /// Requests are limited to the run's rate.
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
                // Results that arrived before a failure are saved.
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
                The hub did not say what happened to the messages. \(error.sentence) Earlier answers are kept. Without \
                --telemetry, the report does not ask the hub.
                """, status: ExitStatus(error))
        }
    }
}

extension TelemetryInquiry.Result {
    fileprivate var asked: Int { answered + unknown + shared }

    fileprivate mutating func count(_ fate: MessageFate) {
        switch fate {
        case .unknown: unknown += 1
        case .shared: shared += 1
        case .ended: answered += 1
        }
    }

    /// Explains missing results; nil if no result is missing.
    var sentence: String? {
        if unasked > 0 {
            return
                "Each request of this run was for several people, so telemetry cannot tell them apart: the column pns is empty."
        }
        if lacksIDs {
            return
                "The hub did not return ids for this run's messages, as is usual in the Free and Basic tiers, so it cannot be asked about them: the column pns is empty."
        }
        var parts: [String] = []
        if unknown > 0 {
            parts.append(
                "The hub has no result for \(Figures.count(unknown, "message", "messages")) yet, or has already deleted it; ask again later."
            )
        }
        if shared > 0 {
            parts.append(
                "\(Figures.count(shared, "message was", "messages were")) for several people, so their pns is empty."
            )
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
