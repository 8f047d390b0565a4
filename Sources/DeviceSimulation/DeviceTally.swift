import CampaignCore

/// Prints what devices show, and checks whether the goal has been reached.
package actor DeviceTally {
    private let goal: DeviceGoal
    private let devices: Int
    private let isJSON: Bool
    private let output: DeviceOutput
    private let enough: AsyncStream<Void>.Continuation
    nonisolated let isEnough: AsyncStream<Void>
    package private(set) var shown = 0
    /// The number of pushes whose payload the backend no longer has for the user.
    package private(set) var gone = 0
    /// The number of payloads that could not be fetched, saved or marked as read.
    package private(set) var failed = 0
    /// The error when writing to stdout, which also ends the work.
    package private(set) var outputFailure: (any Error)?
    private var started: Set<Int> = []

    package init(goal: DeviceGoal, devices: Int, isJSON: Bool, output: DeviceOutput) {
        self.goal = goal
        self.devices = devices
        self.isJSON = isJSON
        self.output = output
        (isEnough, enough) = AsyncStream.makeStream(of: Void.self)
    }

    /// Whether the goal was reached; true if there is no goal.
    package var isReached: Bool {
        switch goal {
        case .none: true
        case .notifications(let number): shown >= number
        case .oneEach: started.count >= devices
        }
    }

    func add(_ line: DeviceLine) {
        // Notifications beyond the goal are ignored.
        guard outputFailure == nil, goal == .none || !isReached else { return }
        do {
            try output.write(isJSON ? String(decoding: line.line(), as: UTF8.self) : line.shown)
        } catch {
            outputFailure = error
            enough.finish()
            return
        }
        if line.isGone { gone += 1 }
        guard line.isNew else { return }
        shown += 1
        started.insert(line.device)
        if goal != .none, isReached { enough.finish() }
    }

    package var shortfall: String { Self.shortfall(shown: shown, gone: gone) }

    /// Explains why a goal was not reached in time.
    static func shortfall(shown: Int, gone: Int) -> String {
        guard gone > 0 else {
            return
                "The time is up, but only \(shown) of the expected notifications arrived."
        }
        return """
            The time is up. \(shown > 0 ? "\(shown) shown, but " : "")\(gone) \
            \(gone == 1 ? "push refers" : "pushes refer") to a payload that no longer exists. \
            Do `hubsend run` and `hubsend serve` use the same store?
            """
    }

    func fail(_ device: SimulatedDevice, _ why: String) {
        failed += 1
        output.complain("device \(device.number): \(why)")
    }
}

package enum DeviceGoal: Hashable, Sendable {
    case none
    /// All devices together have shown this many notifications.
    case notifications(Int)
    /// Each device has shown a notification.
    case oneEach
}

package struct DeviceOutput: Sendable {
    let write: @Sendable (_ lines: String) throws -> Void
    let complain: @Sendable (_ sentence: String) -> Void

    /// `write` is called with whole lines and ends the work if it throws an error; `complain` is
    /// called with a sentence without a line break.
    package init(
        write: @escaping @Sendable (_ lines: String) throws -> Void,
        complain: @escaping @Sendable (_ sentence: String) -> Void
    ) {
        self.write = write
        self.complain = complain
    }
}
