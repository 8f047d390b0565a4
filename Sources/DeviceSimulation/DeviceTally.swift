/// Writes what devices show, and knows when it is enough.
package actor DeviceTally {
    private let goal: DeviceGoal
    private let devices: Int
    private let isJSON: Bool
    private let output: DeviceOutput
    private let enough: AsyncStream<Void>.Continuation
    /// Ends when it is enough.
    nonisolated let isEnough: AsyncStream<Void>
    /// How many notifications were shown.
    package private(set) var shown = 0
    /// How many pushes named what the backend does not have for the user, or no longer.
    package private(set) var gone = 0
    /// How many could not be fetched, saved or marked as read.
    package private(set) var failed = 0
    /// Why stdout cannot be written any more; then it is enough too.
    package private(set) var outputFailure: (any Error)?
    private var started: Set<Int> = []

    /// Begins to count.
    package init(goal: DeviceGoal, devices: Int, isJSON: Bool, output: DeviceOutput) {
        self.goal = goal
        self.devices = devices
        self.isJSON = isJSON
        self.output = output
        (isEnough, enough) = AsyncStream.makeStream(of: Void.self)
    }

    /// Whether the goal was reached; true without one.
    package var isReached: Bool {
        switch goal {
        case .none: true
        case .notifications(let number): shown >= number
        case .oneEach: started.count >= devices
        }
    }

    /// Writes a line, and counts it when it shows something.
    func add(_ line: DeviceLine) {
        // What came while the last ones were under way is beyond what was asked for.
        guard outputFailure == nil, goal == .none || !isReached else { return }
        do {
            try output.write(isJSON ? line.json() : line.shown)
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

    /// Why the goal was not reached within the time.
    package var shortfall: String { Self.shortfall(shown: shown, gone: gone) }

    /// Why a goal was not reached within the time.
    static func shortfall(shown: Int, gone: Int) -> String {
        guard gone > 0 else {
            return
                "The time is over, and only \(shown) of the notifications came that were waited for."
        }
        return """
            The time is over. \(shown > 0 ? "\(shown) shown, and " : "")\(gone) \(gone == 1 ? "push" : "pushes") came \
            whose payload is gone; do `hubsend run` and `hubsend serve` use the same store?
            """
    }

    /// Says what did not work, and counts it.
    func fail(_ device: SimulatedDevice, _ why: String) {
        failed += 1
        output.complain("device \(device.number): \(why)")
    }
}

/// When simulated devices have got enough.
package enum DeviceGoal: Hashable, Sendable {
    /// Never.
    case none
    /// When all devices together have shown this many notifications.
    case notifications(Int)
    /// When each device has shown one.
    case oneEach
}

/// Where simulated devices tell what they do.
package struct DeviceOutput: Sendable {
    let write: @Sendable (_ lines: String) throws -> Void
    let complain: @Sendable (_ sentence: String) -> Void

    /// Takes what is to become of the texts.
    ///
    /// - Parameters:
    ///   - write: gets whole lines; what it throws ends the work.
    ///   - complain: gets a sentence about what did not work, without an end of line.
    package init(
        write: @escaping @Sendable (_ lines: String) throws -> Void,
        complain: @escaping @Sendable (_ sentence: String) -> Void
    ) {
        self.write = write
        self.complain = complain
    }
}
