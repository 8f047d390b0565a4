import DeviceClient
import Foundation

/// Writes what devices show, and knows when it is enough.
actor DeviceTally {
    private let goal: DeviceGoal
    private let devices: Int
    private let format: ListFormat
    private let enough: AsyncStream<Void>.Continuation
    /// Ends when it is enough.
    nonisolated let isEnough: AsyncStream<Void>
    /// How many notifications were shown.
    private(set) var shown = 0
    /// How many pushes named what the backend does not have for the user, or no longer.
    private(set) var gone = 0
    /// How many could not be fetched, saved or marked as read.
    private(set) var failed = 0
    /// Why stdout cannot be written any more; then it is enough too.
    private(set) var outputFailure: (any Error)?
    private var started: Set<Int> = []

    /// Begins to count.
    ///
    /// - Parameters:
    ///   - goal: when it is enough.
    ///   - devices: how many devices there are.
    ///   - format: how lines are written.
    init(goal: DeviceGoal, devices: Int, format: ListFormat) {
        self.goal = goal
        self.devices = devices
        self.format = format
        (isEnough, enough) = AsyncStream.makeStream(of: Void.self)
    }

    /// Whether the goal was reached; true without one.
    var isReached: Bool {
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
            try Console.output(format == .json ? line.json() : line.shown)
        } catch {
            outputFailure = error
            enough.finish()
            return
        }
        guard line.nothing == nil else {
            if line.nothing == .gone { gone += 1 }
            return
        }
        shown += 1
        started.insert(line.device)
        if goal != .none, isReached { enough.finish() }
    }

    /// Why the goal was not reached within the time.
    var shortfall: String { Self.shortfall(shown: shown, gone: gone) }

    /// Why a goal was not reached within the time.
    ///
    /// - Parameters:
    ///   - shown: how many notifications were shown.
    ///   - gone: how many pushes named none that could be fetched.
    /// - Returns: the sentences.
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
        Console.complain("hubsend: device \(device.number): \(why)")
    }
}
