import CampaignCore
import Delivery
import Files
import Foundation
import Logging
import NotificationHubs
import Storage

/// The service of `hubsend worker`, which takes part in the runs of a shared store at a hub until
/// it is stopped.
struct WorkerService: Sendable {
    private let settings: EffectiveSettings
    private let logger: Logger
    /// The hub of the settings, which must not exist only inside one command.
    let hub: HubChoice
    let figures = WorkerFigures()

    init(_ settings: EffectiveSettings, logger: Logger) throws {
        self.settings = settings
        self.logger = logger
        if settings.store.file != nil { throw Self.noSharedStore(settings) }
        hub = try settings.requiredHub()
        if case .local = hub {
            throw Refused(
                """
                The config's hub (`hub.local`) exists only inside one command, so no other process can take part in its \
                runs. Start `hubsend hub`, and set the two variables that it prints, here and for `hubsend run`.
                """)
        }
    }

    private static func noSharedStore(_ settings: EffectiveSettings) -> Refused {
        Refused(
            """
            A worker needs a store on a PostgreSQL server, where several processes share runs, but the store is \
            \(settings.store). To move it to a server, with its record of who was sent what, run `hubsend store migrate --from FILE --store postgresql://db.example.com/hubsend`; see \
            hubsend-postgresql(7).
            """)
    }

    /// Works until the task is cancelled; waits while the store is unreachable.
    ///
    /// `onReady` is called when the store is open and has this host's key, `onReplaced` when
    /// another store took its place.
    func work(
        at connection: HubConnection, onReady: () throws -> Void,
        onReplaced: @escaping @Sendable (any Error) -> Void
    ) async throws {
        try settings.requireStorePath(for: connection)
        let options = try await settings.storeOptions(logger: logger)
        var delay = RetryDelay(upTo: WorkerLoop.longestStoreWait)
        var opened: (any Store)?
        while opened == nil {
            do {
                opened = try await open(options)
            } catch is CancellationError {
                return
            } catch {
                guard (error as? StoreError)?.disposition == .tryAgain else { throw error }
                let reason = WorkerLoop.reason(error)
                if delay.isNews(reason) {
                    logger.warning(
                        "The store cannot be used; the worker will start when it is available",
                        metadata: ["reason": "\(reason)"])
                }
                do {
                    try await Task.sleep(for: delay.next())
                } catch {
                    // The worker was stopped before it was ready.
                    return
                }
            }
        }
        guard let store = opened else { return }
        guard let sharing = store.sharing else { throw Self.noSharedStore(settings) }
        figures.noteStore()
        try onReady()
        // The watch ends with the work.
        async let _ = store.watchPlace(onReplaced: onReplaced)
        await WorkerLoop(
            operations(at: connection, in: store, sharing), figures: figures, logger: logger
        ).work()
        try store.close()
    }

    /// Opens the store, and checks that it has this host's key.
    private func open(_ options: StoreOptions) async throws -> any Store {
        _ = try OpenFiles.connections(atMost: 1)
        let store = try await settings.store.open(options)
        do {
            try await store.checkPayloadKey()
        } catch {
            try store.close()
            throw error
        }
        return store
    }

    private func operations(
        at connection: HubConnection, in store: any Store, _ sharing: any RunSharing
    ) -> WorkerLoop.Operations {
        let (hub, process) = (connection.identity, connection.process)
        return WorkerLoop.Operations(
            openRuns: { try await sharing.openRuns(at: hub) },
            otherHubs: {
                let runs = try await store.runs(.unfinished(of: nil))
                return Set(
                    runs.filter { $0.state == .running && !$0.isRehearsal && $0.hub != hub }
                        .map(\.hub))
            },
            part: { run in
                try await sharing.workers(on: run).last { $0.process == process }
            },
            wait: { try await sharing.waitForRuns(atMost: $0) },
            takePart: { [figures, logger] run in
                // In the meantime, the first payload may have been stored with another key.
                try await store.requirePayloadKey(for: [run.kind])
                return try await connection.withClient(
                    concurrency: run.delivery.concurrency, logger: logger
                ) { client in
                    var runner = CampaignRunner(
                        ledger: store,
                        sender: CountedSender(HubPushSender(client: client), for: figures),
                        lock: store.campaignLock, logger: logger)
                    runner.process = process
                    runner.observe = { figures.note(RunFigures($0), of: run.campaign) }
                    guard let summary = try await runner.takePart(in: run.id, at: hub) else {
                        return nil
                    }
                    figures.note(RunFigures(summary, ended: Date()), of: run.campaign)
                    return summary.result
                }
            })
    }
}

/// The output of `hubsend worker` when it is ready.
struct WorkerAnnouncement {
    private let url: String?
    private let hub: HubIdentity

    /// - Parameter url: the address of `/health` and `/metrics`, if there is one.
    init(_ url: String?, at hub: HubIdentity) {
        self.url = url
        self.hub = hub
    }

    /// The announcement for a person, as complete lines.
    var text: String {
        let place = url.map { " Health and metrics: \($0)/health, \($0)/metrics." } ?? ""
        return "Taking part in runs at the hub \(hub).\(place) Press Ctrl-C to stop.\n"
    }

    /// The announcement for a program, as one line of JSON with its line feed; a missing address is
    /// null.
    func json() throws -> [UInt8] {
        try (["url": url] as JSONObject).line()
    }
}
