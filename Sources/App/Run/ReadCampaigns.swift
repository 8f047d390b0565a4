import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// Campaign files without errors, in order, and their hub.
struct ReadCampaigns: Sendable {
    let hub: HubChoice
    private let call: RunCall
    private let sources: [CampaignSource]

    /// Reads campaigns without audiences; throws ``Refused/findingsShown`` if they have errors.
    init(_ paths: [String], by call: RunCall) async throws {
        self.call = call
        try call.settings.requireStorePath()
        var sources: [CampaignSource] = []
        for path in paths {
            sources.append(try await CampaignSource(path: path, settings: call.settings))
        }
        self.sources = sources
        // The hub is read last, so that a mistyped path is not reported as a missing hub.
        hub = try call.settings.requiredHub()
        // Missing files are checked later, because only the store shows whether they are needed.
        let whole = sources.filter { $0.loaded.withoutFiles == nil }
        let faults = whole.flatMap(\.loaded.diagnostics)
        let lacks = faults.hasErrors ? sources.flatMap(\.loaded.diagnostics) : faults
        try call.refuse(call.settings.configWarnings + lacks)
        let names = sources.compactMap(\.campaign?.name)
        guard Set(names).count == names.count else { throw Refused.sameCampaignTwice }
        call.watch.expect(names)
    }

    /// Plans a run of each campaign; throws ``Refused/findingsShown`` if any has errors.
    func planned(
        as mode: RunRequest.Mode, rehearsal: Rehearsal? = nil, keepingTo saved: OpenedPlan? = nil,
        at connection: HubConnection
    ) async throws -> PlannedRuns {
        let (settings, bar) = (call.settings, call.bar)
        try settings.requireStorePath(for: connection)
        let options = try await settings.storeOptions(
            for: sources.compactMap(\.loaded.campaign?.kind), clearing: bar, logger: call.logger)
        // The store is created only if the campaigns can be sent.
        let store =
            await settings.store.isThere() ? try await settings.store.open(options) : nil
        let planner = RunPlanner(
            call: call, hub: connection.identity, store: store, rehearsal: rehearsal, saved: saved)
        // Clears the progress bar, so that the next message does not appear on its line.
        defer { bar.clear() }
        var runs: [PlannedRun] = []
        for source in sources {
            guard let campaign = source.campaign else { continue }
            try saved?.requireCampaign(campaign.name)
            runs.append(try await planner.plan(campaign, of: source, as: mode))
        }
        bar.clear()
        try call.refuse(runs.flatMap(\.errors))
        return PlannedRuns(
            runs: runs, call: call, connection: connection, store: store, options: options)
    }
}

extension Refused {
    static let sameCampaignTwice = Refused(
        "Two of the files have the same campaign name. Campaign names must be unique in a store.")
}
