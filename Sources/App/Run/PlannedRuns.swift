import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// Everything that a command will do at a hub, before it asks for confirmation and sends.
struct PlannedRuns: Sendable {
    let runs: [PlannedRun]
    let call: RunCall
    let connection: HubConnection
    /// The store; nil if it does not exist yet, in which case it is created after the confirmation.
    let store: (any Store)?
    var options = StoreOptions()

    /// Prints warnings, and asks for confirmation on a terminal if pushes would leave this machine.
    ///
    /// A run ahead of its scheduled start requires confirmation at any hub; without a terminal, it
    /// is refused.
    func agreed() async throws -> AgreedRuns {
        let pending = runs.filter(\.isPending)
        try await store?.requirePayloadKey(for: pending)
        if !pending.isEmpty { try call.warn(of: pending) }
        try await ask(about: pending)
        let known = store
        let store = if let known { known } else { try await call.settings.store.open(options) }
        if known == nil, !connection.isLoopback { call.sayStoreIsNew(store.place, at: nil) }
        return AgreedRuns(runs: runs, call: call, connection: connection, store: store)
    }

    private func ask(about runs: [PlannedRun]) async throws {
        let (asks, isNow) = (call.options.asks, call.options.isNow)
        let invocation = call.settings.invocation
        let ahead = runs.compactMap(\.ahead)
        guard ahead.isEmpty || isNow || invocation.canAsk else {
            throw Refused(sending: ahead, call.settings)
        }
        let questions =
            asks && !isNow
            ? ahead.map { $0.question(naming: runs.count == 1 ? nil : $0.campaign) } : []
        if questions.isEmpty, invocation.canAsk {
            for start in ahead { Console.complain(start.notice) }
        }
        guard asks else { return }
        try await connection.askForConsent(
            to: runs.map(\.sentence) + questions.dropLast(), by: questions.last,
            invocation: invocation)
    }
}

extension RunCall {
    /// Finds a run that was stopped or interrupted.
    func unfinished(_ reference: RunReference) async throws -> RunRecord {
        let reader = try await settings.store.openForReading()
        let record = try await reference.unfinished(in: reader)
        try reader.close()
        return record
    }
}

extension PlannedRuns {
    /// Plans the continuation of a run that was stopped or interrupted.
    init(resuming record: RunRecord, by call: RunCall, at connection: HubConnection) async throws {
        let settings = call.settings
        if record.isRehearsal { call.watch.mute() }
        call.watch.expect([record.campaign])
        guard record.hub == connection.identity else {
            throw try await call.otherHub(of: record, than: connection.identity)
        }
        try settings.requireStorePath(for: connection)
        let loaded = CampaignSource.reread(of: record, settings: settings)
        let run = PlannedRun(
            entry: .resume(record, campaign: loaded?.campaign ?? loaded?.withoutFiles),
            warnings: loaded?.warnings ?? [])
        self.init(
            runs: [run], call: call, connection: connection,
            store: try await settings.store.open(
                try await settings.storeOptions(
                    for: [record.kind], clearing: call.bar, logger: call.logger)))
    }
}

extension Store {
    /// Requires the payload key if any of the runs has encrypted payloads.
    func requirePayloadKey(for runs: [PlannedRun]) async throws {
        if !runs.isEmpty { try await requirePayloadKey(for: runs.map(\.kind)) }
    }
}
