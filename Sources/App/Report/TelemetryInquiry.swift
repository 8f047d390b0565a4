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

    private let store: any RunLedger & TelemetryLedger
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let observe: @Sendable (AudienceProgress) -> Void

    /// - Parameter observe: told of progress once a page; must return at once.
    init(
        in store: any RunLedger & TelemetryLedger, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        observe: @escaping @Sendable (AudienceProgress) -> Void = { _ in }
    ) {
        self.store = store
        self.clock = clock
        self.now = now
        self.observe = observe
    }

    /// Asks the hub about a run, with the store of the settings.
    ///
    /// - Parameter observe: told of progress; must return at once.
    static func ask(
        about record: RunRecord, at connection: HubConnection, _ settings: EffectiveSettings,
        logger: Logger, observe: @escaping @Sendable (AudienceProgress) -> Void
    ) async throws -> Result {
        let store = try await settings.store.open(StoreOptions())
        let result = try await TelemetryInquiry(in: store, observe: observe)
            .ask(about: record, at: connection, logger: logger)
        try store.close()
        return result
    }

    /// Asks the hub of a connection.
    ///
    /// - Throws: `RunError` when the run went through another hub; ``Refused``.
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
        var pace = RequestPace(rate: record.delivery.rate, clock: clock)
        for platform in record.platforms {
            var last = 0
            while true {
                let messages = try await store.untold(
                    record.id, platform: platform, after: last, limit: Self.page)
                guard let end = messages.last else { break }
                last = end.number
                let (fates, failure) = await fates(of: messages, of: telemetry, by: &pace)
                // Answers from before a failure are kept too.
                try await store.record(fates, of: record.id, at: now())
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

    /// The fates of some messages, up to the first that the hub does not report.
    private func fates(
        of messages: [SentMessage], of telemetry: any MessageTelemetry, by pace: inout RequestPace
    ) async -> (fates: [(message: SentMessage, fate: MessageFate)], failure: (any Error)?) {
        typealias Answer = (SentMessage, Swift.Result<MessageFate, HubInquiryFailure>)
        var fates: [(message: SentMessage, fate: MessageFate)] = []
        var failure: (any Error)?
        func take(_ answer: Answer) {
            switch answer.1 {
            case .success(let fate): fates.append((answer.0, fate))
            case .failure(.cancelled): failure = failure ?? CancellationError()
            case .failure(let error):
                failure =
                    failure
                    ?? Refused(
                        """
                        The hub was asked what became of its messages, and did not say. \(error.sentence) What was \
                        answered before is kept; without --telemetry the report asks nobody.
                        """, status: ExitStatus(error))
            }
        }
        await withTaskGroup(of: Answer.self) { group in
            var inFlight = 0
            for message in messages {
                if inFlight == Self.mostAtOnce, let answer = await group.next() {
                    inFlight -= 1
                    take(answer)
                }
                do {
                    try await pace.wait()
                    try Task.checkCancellation()
                } catch {
                    failure = failure ?? error
                }
                guard failure == nil else { break }
                group.addTask {
                    do throws(HubInquiryFailure) {
                        return (message, .success(try await telemetry.fate(of: message.id)))
                    } catch {
                        return (message, .failure(error))
                    }
                }
                inFlight += 1
            }
            for await answer in group { take(answer) }
        }
        return (fates, failure)
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
