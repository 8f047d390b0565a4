import CampaignCore
import Delivery
import Logging
import NotificationHubs

@testable import App

extension RunOptions {
    /// A call that asks no questions and prints only errors.
    static func quiet(
        isJSON: Bool = false,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        explain: @escaping @Sendable (any Error) -> Void
    ) -> RunOptions {
        RunOptions(asks: false, isJSON: isJSON, isQuiet: true, logger: logger, explain: explain)
    }
}

extension RunCall {
    /// Takes campaigns through all the stages, as `run` does.
    func run(
        _ paths: [String], as mode: RunRequest.Mode = .occurrence(.once),
        keepingTo plan: OpenedPlan? = nil, at connection: HubConnection
    ) async throws -> [CampaignEnd] {
        try await ReadCampaigns(paths, by: self)
            .planned(as: mode, keepingTo: plan, at: connection).agreed().send()
    }

    /// Takes a run through all the stages, as `resume` does.
    func resume(_ run: RunID, at connection: HubConnection) async throws -> [CampaignEnd] {
        let record = try await unfinished(.run(run))
        return try await PlannedRuns(resuming: record, by: self, at: connection).agreed().send()
    }
}

extension HubConnection {
    init(_ text: String, named name: String = "main") throws {
        self.init(
            try ConnectionString(parsing: text), name: try HubName(name), setting: "test")
    }
}
