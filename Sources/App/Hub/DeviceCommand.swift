import ArgumentParser
import CampaignCore
import DeviceClient
import DeviceSimulation
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
            "Its push service: apns, fcm, wns, adm or browser.", valueName: "platform"),
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
            settings, events, goal: goal, userAgent: Hubsend.userAgent,
            explain: { FailureTranslation.end(for: $0).message }, logger: options.logger())
        let (end, signal) = try await SignalWatch.run { [duration] in
            try await session.run(for: duration) { Console.complain(settings.failure($0)) }
        }
        switch end {
        case .done(let isWhole): try CommandEnd.exit(isWhole ? .done : .troubled)
        case .cancelled: try CommandEnd.exit(signal.map(ExitStatus.init) ?? .interrupted)
        case .late(let why): throw CommandEnd(.troubled, why)
        case .failure(let error): throw CommandEnd(settings.failure(error).status)
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
            of: user, at: settings.requiredHub(), as: .hubsend)
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
    fileprivate func failure(_ error: any Error) -> CommandEnd {
        let failure = FailureTranslation.end(for: error)
        guard let error = error.ofBackend else { return failure }
        return CommandEnd(failure.status, sentence(error, isRegistering: true))
    }
}

extension DevicePlatform {
    fileprivate static func argument(_ text: String) throws -> DevicePlatform {
        let name = text.lowercased()
        guard let platform = name == "gcm" ? .fcm : DevicePlatform(rawValue: name) else {
            throw ValidationError(
                "write apns, fcm, wns, adm or browser (gcm is an old spelling of fcm)")
        }
        return platform
    }
}
