import DeviceSimulation
import Logging

/// Simulated devices at work, from their registration to the end.
struct DeviceSession: Sendable {
    enum End: Sendable {
        /// They showed everything that was waited for; whether nothing of it failed.
        case done(isWhole: Bool)
        case cancelled
        /// The time was over before that; why.
        case late(String)
        case failure(any Error)
    }

    private let settings: DeviceSettings
    private let events: DeviceEvents
    private let goal: DeviceGoal
    private let userAgent: String
    private let explain: @Sendable (any Error) -> String
    private let logger: Logger

    /// Does not connect yet.
    ///
    /// - Parameter explain: says what stopped a device, for errors that are not the backend's.
    init(
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

    /// Works until the goal, the time limit or cancellation, and prints what devices show.
    ///
    /// - Parameters:
    ///   - duration: the time limit; nil: none.
    ///   - onFailure: told the reason, before anything that follows from it.
    func run(
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
