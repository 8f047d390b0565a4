import ArgumentParser
import CampaignCore
import DeviceClient
import DeviceSimulation
import Logging
import ProcessControl

struct DeviceCommand: AsyncParsableCommand {
    /// The most devices of one user that a backend keeps.
    private static let mostDevices = 100

    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Simulates a device: registers, waits for pushes, fetches, prints.",
        discussion: """
            It registers at the app backend (`hubsend serve`) as an app does, watches what the local hub (`hubsend hub`) \
            sends it, fetches what each push names, prints a line, and tells the backend that it was read. Its password \
            is in HUBSEND_DEVICE_PASSWORD, or a token in HUBSEND_DEVICE_TOKEN, each also with _FILE or _COMMAND.

            A silent push shows nothing until it was fetched. One with a placeholder shows that, and what is fetched in \
            time takes its place, as a notification service extension does it; else it stays. The line says which it was.

            The hub is the one that HUBSEND_HUB_CONNECTION_STRING or the config names; only a local one can be watched. \
            A made-up handle is unregistered at the end; one of --handle stays.
            """)

    @Option(
        help: ArgumentHelp("Whose device it is.", valueName: "name"), transform: Username.argument)
    var user: Username

    @Option(
        help: ArgumentHelp(
            "Its push service: \(Platform.alternatives).", valueName: "platform"),
        transform: DevicePlatform.argument)
    var platform: DevicePlatform

    @Option(
        help: ArgumentHelp(
            "The app backend. Default: $HUBSEND_BACKEND, else http://127.0.0.1:8080.",
            valueName: "url"))
    var backend: String?

    @Option(
        help: ArgumentHelp(
            "What its push service knows it by. Default: one that is made up.", valueName: "handle")
    )
    var handle: String?

    @Option(
        name: .customLong("tag"), parsing: .singleValue,
        help: ArgumentHelp("A tag that it asks for; may be repeated.", valueName: "tag"))
    var tags: [String] = []

    @Option(
        help: ArgumentHelp(
            "How many such devices the user has, 1 to \(mostDevices).", valueName: "number"))
    var count = 1

    @Flag(help: "End when each device has shown a notification.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "End when so many notifications were shown, on all devices together.",
            valueName: "number"))
    var messages: Int?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this time, such as 30s.", valueName: "duration"),
        transform: DurationArgument.read)
    var duration: Duration?

    @Option(
        help: ArgumentHelp(
            "Save what is fetched in this folder, a new file each, named by id and type.",
            valueName: "folder"), completion: .directory)
    var save: String?

    @Flag(help: "Do not tell the backend that notifications were read.")
    var noRead = false

    @Flag(help: "Print a JSON line when ready, and one for each notification.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if !(1...Self.mostDevices).contains(count) {
            throw ValidationError(
                "--count is from 1 to \(Self.mostDevices); a backend keeps no more of one user.")
        }
        if count > 1, handle != nil {
            throw ValidationError("--handle is one device's; leave --count out.")
        }
        if handle?.isEmpty == true { throw ValidationError("--handle is empty.") }
        if once, messages != nil {
            throw ValidationError("--once and --messages both say when to end; give one of them.")
        }
        if let messages, messages < 1 { throw ValidationError("--messages is at least 1.") }
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
                "write \(Platform.alternatives) (gcm is an old spelling of fcm)")
        }
        return platform
    }
}

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

    let settings: DeviceSettings
    let events: DeviceEvents
    let goal: DeviceGoal
    let logger: Logger

    /// Works until the goal, the time limit or cancellation, and prints what devices show.
    ///
    /// `onFailure` is told the reason, before anything that follows from it.
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
