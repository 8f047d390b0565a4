package import DeviceSimulation
package import Logging
import Terminal

/// Simulated devices at work, from their registration to what ends it.
package struct DeviceSession: Sendable {
    /// How it ended.
    package enum End: Sendable {
        /// They have shown what was waited for; whether nothing of it failed.
        case done(isWhole: Bool)
        /// The task was cancelled before that.
        case cancelled
        /// The time was over before that; why.
        case late(String)
        /// The hub cannot be watched, or a device cannot be registered.
        case failure(any Error)
    }

    private let settings: DeviceSettings
    private let events: DeviceEvents
    private let goal: DeviceGoal
    private let userAgent: String
    private let explain: @Sendable (any Error) -> String
    private let logger: Logger

    /// Connects nowhere yet.
    ///
    /// - Parameters:
    ///   - settings: what was asked for.
    ///   - events: where the hub tells of pushes.
    ///   - goal: when it is enough.
    ///   - userAgent: how hub and backend see the program.
    ///   - explain: says what kept a device from its work, where it was not the backend.
    ///   - logger: gets what needs no message to the user.
    package init(
        _ settings: DeviceSettings, _ events: DeviceEvents, goal: DeviceGoal, userAgent: String,
        explain: @escaping @Sendable (any Error) -> String, logger: Logger
    ) {
        self.settings = settings
        self.events = events
        self.goal = goal
        self.userAgent = userAgent
        self.explain = explain
        self.logger = logger
    }

    /// Works until it is enough, the time is over or the task is cancelled; writes to the standard streams what devices show.
    ///
    /// - Parameters:
    ///   - duration: how long to wait at most; nil: for ever.
    ///   - onFailure: told why they cannot go on, before anything that follows from it.
    /// - Returns: how it ended.
    /// - Throws: `BackendClientError` when the backend's address cannot be one, `TerminalFault` when stdout cannot be written.
    package func run(
        for duration: Duration?, onFailure: (any Error) -> Void
    ) async throws -> End {
        let complain: @Sendable (String) -> Void = { Console.complain("hubsend: " + $0) }
        let output = DeviceOutput(write: { try Console.output($0) }, complain: complain)
        let tally = DeviceTally(
            goal: goal, devices: settings.count, isJSON: settings.isJSON, output: output)
        let end = try await HTTPClientTransport.withClient { client in
            var generator = SystemRandomNumberGenerator()
            let watch = PushWatch(
                events, client: client, userAgent: userAgent, logger: logger,
                onBreak: { [isQuiet = settings.isQuiet] in if !isQuiet { complain($0) } })
            let devices = try SimulatedDevices(
                settings, watch: watch, tally: tally, output: output,
                transport: HTTPClientTransport(client: client, userAgent: userAgent),
                explain: explain, using: &generator)
            return await devices.work(for: duration, logger: logger, onFailure: onFailure)
        }
        if case .failure(let error) = end { return .failure(error) }
        if let failure = await tally.outputFailure { throw failure }
        let isReached = await tally.isReached
        switch end {
        case .cancelled where !isReached: return .cancelled
        case .time where !isReached: return .late(await tally.shortfall)
        default: return .done(isWhole: await tally.failed == 0)
        }
    }
}
