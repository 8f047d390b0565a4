import ArgumentParser
import CampaignCore
import DeviceClient
import DeviceSimulation
import Logging
import ProcessControl

struct DeviceCommand: AsyncParsableCommand {
    /// The maximum number of devices that a backend stores for a user.
    private static let mostDevices = 100

    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Simulates a device: registers, waits for pushes, fetches and prints them.",
        discussion: """
            Registers with the app backend (`hubsend serve`) as an app does, waits for pushes from the local hub \
            (`hubsend hub`), fetches the content of each push, prints a line, and reports the push to the backend as \
            read. Set the user's password in HUBSEND_DEVICE_PASSWORD, or a token in HUBSEND_DEVICE_TOKEN; both names \
            also work with the suffix _FILE or _COMMAND.

            A silent push shows nothing until its content is fetched. A push with a placeholder \
            shows the placeholder unless the content arrives in time to replace it, as in a \
            notification service extension. The line says which of the two was shown.

            HUBSEND_HUB_CONNECTION_STRING or the config names the hub, which must be a local one. A generated handle \
            is unregistered at the end; a handle set with --handle remains registered.
            """)

    @Option(
        help: ArgumentHelp("The user of the device.", valueName: "name"),
        transform: Username.argument)
    var user: Username

    @Option(
        help: ArgumentHelp(
            "The platform of the device: \(Platform.alternatives).", valueName: "platform"),
        transform: DevicePlatform.argument)
    var platform: DevicePlatform

    @Option(
        help: ArgumentHelp(
            "The address of the app backend. Default: $HUBSEND_BACKEND, or http://127.0.0.1:8080.",
            valueName: "url"))
    var backend: String?

    @Option(
        help: ArgumentHelp(
            "The device's handle at its push service. Default: a generated handle.",
            valueName: "handle")
    )
    var handle: String?

    @Option(
        name: .customLong("tag"), parsing: .singleValue,
        help: ArgumentHelp("A tag to register with; may be repeated.", valueName: "tag"))
    var tags: [String] = []

    @Option(
        help: ArgumentHelp(
            "The number of devices to simulate, 1 to \(mostDevices).", valueName: "number"))
    var count = 1

    @Flag(help: "Stop when each device has shown a notification.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Stop after this many notifications in total on all devices.",
            valueName: "number"))
    var messages: Int?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Stop after this time, such as 30s.", valueName: "duration"),
        transform: DurationArgument.read)
    var duration: Duration?

    @Option(
        help: ArgumentHelp(
            "Save fetched content in this folder, one file per payload, named after its id and type.",
            valueName: "folder"), completion: .directory)
    var save: String?

    @Flag(help: "Do not report notifications to the backend as read.")
    var noRead = false

    @Flag(help: "Print one JSON line when ready and one for each notification.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if !(1...Self.mostDevices).contains(count) {
            throw ValidationError(
                "--count must be from 1 to \(Self.mostDevices), the maximum that a backend stores per user."
            )
        }
        if count > 1, handle != nil {
            throw ValidationError("--handle is for one device and cannot be combined with --count.")
        }
        if handle?.isEmpty == true { throw ValidationError("--handle must not be empty.") }
        if once, messages != nil {
            throw ValidationError("--once and --messages cannot be combined.")
        }
        if let messages, messages < 1 { throw ValidationError("--messages must be at least 1.") }
    }

    func run() async throws {
        let (settings, events) = try await settings()
        let session = DeviceSession(
            settings: settings, events: events, goal: goal, logger: options.logger())
        let (end, signal) = try await SignalWatch.run { [duration] in
            try await session.run(for: duration) { Console.complain(settings.failure($0)) }
        }
        switch end {
        case .done(let isWhole): try (isWhole ? ExitStatus.done : .troubled).exit()
        case .cancelled: try (signal.map(ExitStatus.init) ?? .interrupted).exit()
        case .late(let why): throw Refused(why, status: .troubled)
        case .failure(let error): try settings.failure(error).status.exit()
        }
    }

    private var goal: DeviceGoal {
        once ? .oneEach : messages.map(DeviceGoal.notifications) ?? .none
    }

    private func settings() async throws -> (devices: DeviceSettings, events: DeviceEvents) {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let invocation = settings.invocation
        var devices = try await DeviceSettings(
            user: user, platform: platform, backend: backend, invocation)
        let events = try await DeviceEvents(
            of: user, at: settings.requiredHub())
        devices.handle = handle
        devices.tags = tags
        devices.count = count
        devices.marksRead = !noRead
        devices.folder = try save.map { try DeviceFolder(path: invocation.absolute($0)) }
        devices.isJSON = json
        devices.isQuiet = options.quiet
        return (devices, events)
    }
}

extension DeviceSettings {
    fileprivate func failure(_ error: any Error) -> Refused {
        let failure = Refused(for: error)
        guard let error = error.ofBackend else { return failure }
        return Refused(sentence(error, isRegistering: true), status: failure.status)
    }
}

extension DevicePlatform {
    fileprivate static func argument(_ text: String) throws -> DevicePlatform {
        let spelled = Platform(spelling: text.lowercased())
        guard let platform = spelled.flatMap({ DevicePlatform(rawValue: $0.rawValue) }) else {
            throw ValidationError(
                "write \(Platform.alternatives) (gcm is an old name for fcm)")
        }
        return platform
    }
}

/// Simulated devices, from their registration to the end of the command.
struct DeviceSession: Sendable {
    enum End: Sendable {
        /// The devices showed everything that they waited for; `isWhole` is false if something
        /// failed.
        case done(isWhole: Bool)
        case cancelled
        /// The time limit was reached first; the text says what was missing.
        case late(String)
        case failure(any Error)
    }

    let settings: DeviceSettings
    let events: DeviceEvents
    let goal: DeviceGoal
    let logger: Logger

    /// Prints what devices show, until the goal or the time limit is reached or the task is
    /// cancelled.
    ///
    /// `onFailure` receives the reason for a failure before any of its consequences are printed.
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
                events, client: client, userAgent: Hubsend.userAgent, logger: logger,
                onBreak: { [isQuiet = settings.isQuiet] in if !isQuiet { complain($0) } })
            let devices = try SimulatedDevices(
                settings, watch: watch, tally: tally, output: output,
                transport: HTTPClientTransport(client: client, userAgent: Hubsend.userAgent),
                explain: { Refused(for: $0).sentence }, using: &generator)
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
