import CampaignCore
import DeviceClient
import Foundation

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
    ///
    /// - Parameters:
    ///   - goal: when it is enough.
    ///   - devices: how many devices there are.
    ///   - isJSON: whether lines are JSON.
    ///   - output: gets the lines.
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
        guard line.nothing == nil else {
            if line.nothing == .gone { gone += 1 }
            return
        }
        shown += 1
        started.insert(line.device)
        if goal != .none, isReached { enough.finish() }
    }

    /// Why the goal was not reached within the time.
    package var shortfall: String { Self.shortfall(shown: shown, gone: gone) }

    /// Why a goal was not reached within the time.
    ///
    /// - Parameters:
    ///   - shown: how many notifications were shown.
    ///   - gone: how many pushes named none that could be fetched.
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

/// One notification as a device tells of it: a line of text, or of JSON.
struct DeviceLine: Encodable {
    private static let mostShown = 400

    let device: Int
    let platform: String
    /// `secure`, `rich`, `alert`, `generic` or `nothing`.
    let kind: String
    var id: String?
    var type: String?
    /// What the device shows.
    var message: String?
    var mediaType: String?
    var bytes: Int?
    /// The content, where it is a text.
    var text: String?
    /// Why nothing is shown.
    var reason: String?
    /// Where the content was saved.
    var file: String?
    /// Whether the backend was told that it was read.
    var read = false
    /// Why nothing is shown, for the count; ``reason`` says it to the reader.
    let nothing: NothingToShow?

    private enum CodingKeys: String, CodingKey {
        case device, platform, kind, id, type, message
        case mediaType = "media_type"
        case bytes, text, reason, file, read
    }

    /// Describes what a device shows.
    ///
    /// - Parameters:
    ///   - notification: what it shows.
    ///   - id: the notification that the push named; nil: it named none.
    ///   - device: the device.
    init(
        _ notification: DeviceNotification, of id: DeviceClient.NotificationID?,
        on device: SimulatedDevice
    ) {
        self.device = device.number
        platform = device.platform.rawValue
        self.id = id?.text
        nothing = if case .nothing(let why) = notification { why } else { nil }
        switch notification {
        case .secure(_, let text):
            kind = "secure"
            message = text
        case .rich(let rich):
            kind = "rich"
            type = rich.type
            message = rich.message
            mediaType = rich.content.essence
            bytes = rich.content.data.count
            text = rich.content.text
        case .alert(let text):
            kind = "alert"
            message = text
        case .generic(_, let text):
            kind = "generic"
            message = text
        case .nothing(let why):
            kind = "nothing"
            reason =
                switch why {
                case .shownBefore: "shown before"
                case .gone: "gone"
                case .notOurs: "not ours"
                }
        }
    }

    /// The line in JSON; what steers a terminal is written by its number there too.
    ///
    /// - Throws: when it cannot be written.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return VisibleText.json(text) + "\n"
    }

    /// The line for a person: what comes from others cannot steer the terminal.
    var shown: String {
        var words = ["\(device)", platform, kind, id, type].compactMap { $0.map(Self.safe) }
        if let mediaType, let bytes {
            let size = Figures.count(bytes, "byte", "bytes")
            words.append("(\(Self.safe(mediaType)), \(size))")
        }
        var line = words.joined(separator: " ")
        if let said = message ?? reason { line += ": " + Self.safe(said) }
        if let text { line += " | " + Self.safe(text) }
        if let file { line += " > " + Self.safe(file) }
        return line + "\n"
    }

    private static func safe(_ text: String) -> String {
        let start = text.prefix(mostShown)
        return VisibleText.escape(String(start)) + (start.count < text.count ? "…" : "")
    }
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
