import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// Campaign files without findings of their own, in order, and their hub.
struct ReadCampaigns: Sendable {
    let hub: HubChoice
    private let call: RunCall
    private let sources: [CampaignSource]

    /// Reads campaigns without their audiences; throws ``Refused/findingsShown`` after findings.
    init(_ paths: [String], by call: RunCall) async throws {
        self.call = call
        try call.settings.requireStorePlace()
        var sources: [CampaignSource] = []
        for path in paths {
            sources.append(try await CampaignSource(path: path, settings: call.settings))
        }
        self.sources = sources
        // The hub comes after them: a typo in a path is the error, not what its folder lacks.
        hub = try call.settings.requiredHub()
        // Missing files are judged later: only the store knows whether they are needed.
        let whole = sources.filter { $0.loaded.withoutFiles == nil }
        let faults = whole.flatMap(\.loaded.diagnostics)
        let lacks = faults.hasErrors ? sources.flatMap(\.loaded.diagnostics) : faults
        try call.refuse(call.settings.configWarnings + lacks)
        let names = sources.compactMap(\.campaign?.name)
        guard Set(names).count == names.count else { throw Refused.sameCampaignTwice }
        call.watch.expect(names)
    }

    /// Plans a run of each campaign; throws ``Refused/findingsShown`` after the findings of all.
    func planned(
        as mode: RunRequest.Mode, rehearsal: Rehearsal? = nil, keepingTo saved: OpenedPlan? = nil,
        at connection: HubConnection
    ) async throws -> PlannedRuns {
        let (settings, bar) = (call.settings, call.bar)
        try settings.requireStorePlace(for: connection)
        let options = try await settings.storeOptions(
            for: sources.compactMap(\.loaded.campaign?.kind), clearing: bar, logger: call.logger)
        // No store is made if the campaigns are refused.
        let store =
            await settings.store.isThere() ? try await settings.store.open(options) : nil
        let planner = RunPlanner(
            call: call, hub: connection.identity, store: store, rehearsal: rehearsal, saved: saved)
        // The next message gets a line of its own.
        defer { bar.clear() }
        var runs: [PlannedRun] = []
        for source in sources {
            guard let campaign = source.campaign else { continue }
            try saved?.requireCampaign(campaign.name)
            runs.append(try await planner.plan(campaign, of: source, as: mode))
        }
        bar.clear()
        try call.refuse(runs.flatMap(\.faults))
        return PlannedRuns(
            runs: runs, call: call, connection: connection, store: store, options: options)
    }
}

extension Refused {
    static let sameCampaignTwice = Refused(
        "Two of the files are the same campaign; names are unique in a store.")
}
