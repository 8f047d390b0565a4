import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Logging
import Storage

/// Runs the campaigns of one call: checks all of them first, then sends one after the other.
struct RunBatch {
    let settings: Settings
    let paths: [String]
    let mode: RunRequest.Mode
    /// A rehearsal's people; nil: it is none.
    let rehearsal: Rehearsal?
    /// Whether a terminal is asked before pushes leave this machine.
    let asks: Bool
    let output: RunOutput
    let logger: Logger

    /// Runs them.
    ///
    /// - Returns: the one exit code for all.
    /// - Throws: what kept all of them from being sent.
    func run() async throws -> ExitStatus {
        try settings.refuseUnsupportedKeys()
        try settings.requireStorePlace()
        var sources: [CampaignSource] = []
        for path in paths {
            sources.append(try await CampaignSource(path: path, settings: settings))
        }
        // Only now: of a path with a slip in it, the slip is what is wrong, and not what its folder lacks.
        let hub = try settings.requiredHub()
        try check(sources)
        return try await hub.connect(logger: logger) { [sources] connection in
            let result = try await SignalWatch.run(
                onProgressRequest: output.bar.report, onSignal: output.sayStopping
            ) {
                try await send(sources, to: connection)
            }
            return result.value.after(result.signal)
        }
    }

    private func send(
        _ sources: [CampaignSource], to connection: HubConnection
    ) async throws -> ExitStatus {
        try settings.requireStorePlace(for: connection)
        // A campaign that is refused leaves no store behind that was not there before.
        let isThere = FileManager.default.fileExists(atPath: settings.store)
        let options = try await settings.storeOptions(clearing: output.bar)
        let known = isThere ? try await settings.openStore(options) : nil
        let items = try await prepared(sources, known, connection)
        try output.warn(
            of: items, beside: settings.configFindings, isVerbose: logger.logLevel <= .debug)
        if asks {
            try await connection.askForConsent(
                to: items.filter(\.isPending).map(\.sentence), invocation: settings.invocation)
        }
        let store =
            if let known { known } else { try await settings.openStore(options) }
        let execution = RunExecution(
            store: store, connection: connection, settings: settings, output: output,
            logger: logger)
        var statuses: [ExitStatus] = []
        for (index, item) in items.enumerated() {
            if Task.isCancelled {
                let names = items[index...].map(\.request.campaign.name).joined(separator: ", ")
                Console.complain("hubsend: interrupted; not begun in this call: \(names)")
                statuses.append(.interrupted)
                break
            }
            statuses.append(
                await output.reporting {
                    guard let rest = item.emptyRest else { return try await execution.run(item) }
                    try await output.sayNobodyIsLeft(of: rest, in: store)
                    return .done
                })
        }
        try store.close()
        return .combining(statuses)
    }

    /// Refuses faults in the files themselves, of all campaigns together.
    private func check(_ sources: [CampaignSource]) throws {
        try refuse(settings.configFindings + sources.flatMap(\.loaded.diagnostics))
        for source in sources {
            guard let key = source.loaded.unsupportedKeys.first else { continue }
            throw CommandFailure(.configuration, key.refusal(in: source.loaded.path))
        }
        let names = sources.compactMap(\.loaded.campaign?.name)
        guard Set(names).count == names.count else {
            throw CommandFailure(
                .configuration,
                "Two of the files are the same campaign; names are unique in a store.")
        }
    }

    /// Plans the audiences of those that have to be staged; the others go on with what was staged.
    private func prepared(
        _ sources: [CampaignSource], _ store: SQLiteStore?, _ connection: HubConnection
    ) async throws -> [PreparedRun] {
        // Whatever is said next stands on a line of its own.
        defer { output.bar.clear() }
        var items: [PreparedRun] = []
        var findings: [Diagnostic] = []
        for source in sources {
            guard let campaign = source.loaded.campaign else { continue }
            let request = RunRequest(
                campaign: campaign, hub: connection.identity, mode: mode,
                campaignPath: source.loaded.path == "-"
                    ? "-" : settings.invocation.absolute(source.loaded.path))
            let standing: RunRecord? =
                if let store {
                    try await CampaignRunner.standingRun(for: request, in: store)
                } else {
                    nil
                }
            let obstacle: RunRecord? =
                if let store {
                    try await CampaignRunner.obstacle(to: request, beside: standing, in: store)
                } else {
                    nil
                }
            var item = PreparedRun(
                request: request, standing: standing, obstacle: obstacle, planned: nil)
            item.warnings = source.loaded.diagnostics
            if obstacle == nil, standing.map({ $0.state == .staging }) ?? true {
                let checked = try await source.check(
                    for: choice(for: request, in: store), observe: output.bar.update)
                findings += checked.findings.filter { $0.severity == .error }
                item.planned = checked.planned
                item.warnings = checked.findings
            }
            items.append(item)
        }
        output.bar.clear()
        try refuse(findings)
        return items
    }

    private func choice(
        for request: RunRequest, in store: SQLiteStore?
    ) async throws -> PeopleChoice {
        if let rehearsal { return .rehearsal(rehearsal) }
        guard case .rest(let outcomes) = mode else { return .all }
        return .rest(
            try await RestOfCampaign.find(
                of: request.campaign.name, with: outcomes, at: request.hub, in: store))
    }

    private func refuse(_ findings: [Diagnostic]) throws {
        guard findings.hasErrors else { return }
        try output.refuse(findings.sorted())
        throw CommandEnd(status: .faults)
    }
}

/// A campaign that was checked and can be sent.
struct PreparedRun: Sendable {
    let request: RunRequest
    /// The run that is there already, of the same occurrence.
    let standing: RunRecord?
    /// The unfinished run because of which nothing is sent once more; nil as a rule.
    let obstacle: RunRecord?
    /// The audience; nil when the standing run has one, and when nothing will be sent.
    var planned: PlannedAudience?
    /// What was found that keeps nothing from being sent.
    var warnings: [Diagnostic] = []

    /// Whether there is anything to send.
    var isPending: Bool {
        ![.finished, .stopped].contains(standing?.state) && obstacle == nil && emptyRest == nil
    }

    /// The earlier run of whose rest nobody is left, so that there is nothing to do; nil as a rule.
    var emptyRest: RestOfRun? {
        guard let planned, planned.plan.counts.final == 0 else { return nil }
        return planned.rest
    }

    /// What would happen, for a person who is asked.
    var sentence: String {
        let name = request.campaign.name
        guard let planned else {
            let run = standing.map { "run \($0.id)" } ?? "a run"
            return "\(name): continue \(run)\(warningsText)"
        }
        let plan = planned.plan
        let people = Figures.count(plan.counts.final, "person", "people")
        let pushes = Figures.count(plan.deliveries, "push", "pushes")
        return "\(name): \(people), \(pushes)\(warningsText)"
    }

    private var warningsText: String {
        warnings.isEmpty ? "" : ", " + Figures.count(warnings.count, "warning", "warnings")
    }
}

/// Finds whom `run --again --only` is for.
enum RestOfCampaign {
    /// The rest of the last finished run of a campaign.
    ///
    /// - Parameters:
    ///   - campaign: the campaign's name.
    ///   - outcomes: the ways in which its deliveries ended.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept; nil: there is no store.
    /// - Returns: the rest, which may be nobody.
    /// - Throws: ``CommandFailure`` when no run is finished.
    static func find(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: (any RunLedger)?
    ) async throws -> RestOfRun {
        guard let ledger,
            let last = try await CampaignRunner.lastFinishedRun(of: campaign, at: hub, in: ledger)
        else {
            throw CommandFailure(
                .configuration,
                """
                No run of campaign \(campaign) on hub \(hub) is finished, so nobody is left of one; \
                `hubsend runs` lists them. Leave --again and --only out to send it or to go on with it.
                """)
        }
        return RestOfRun(of: last.id, outcomes: outcomes, in: ledger)
    }
}
