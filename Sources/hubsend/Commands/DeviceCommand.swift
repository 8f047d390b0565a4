import ArgumentParser
import AsyncHTTPClient
import CampaignCore
import DeviceClient
import Foundation
import Logging
import ProcessControl
import Settings

/// `hubsend device`.
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

            The hub is the one that HUBSEND_HUB_CONNECTION_STRING or the config names; only a local one can be watched. \
            A made-up handle is unregistered at the end; one of --handle stays.
            """)

    @Option(
        help: ArgumentHelp("Whose device it is.", valueName: "name"), transform: Username.argument)
    var user: Username

    @Option(
        help: ArgumentHelp("Its push service: apns, fcm or wns.", valueName: "platform"),
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
            valueName: "folder"))
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
        let logger = options.logger()
        let settings = try await settings()
        let tally = DeviceTally(
            goal: settings.goal, devices: count, format: settings.format)
        let (end, signal) = try await SignalWatch.run {
            try await HTTPClientTransport.withClient { client in
                var generator = SystemRandomNumberGenerator()
                let devices = try SimulatedDevices(
                    settings,
                    watch: PushWatch(
                        settings.events, client: client, isQuiet: settings.isQuiet, logger: logger),
                    tally: tally, transport: HTTPClientTransport(client: client),
                    using: &generator)
                return try await Self.run(devices, tally, settings, logger)
            }
        }
        if let failure = await tally.outputFailure { throw failure }
        let isReached = await tally.isReached
        if end == .signal, !isReached {
            try CommandEnd.exit(signal.map(ExitStatus.init) ?? .interrupted)
        }
        if end == .time, !isReached {
            throw CommandFailure(.troubled, await tally.shortfall)
        }
        try CommandEnd.exit(await tally.failed > 0 ? .troubled : .done)
    }

    /// What ended the work.
    private enum End: Sendable {
        case goal
        case time
        case signal
    }

    private static func run(
        _ devices: SimulatedDevices, _ tally: DeviceTally, _ settings: DeviceSettings,
        _ logger: Logger
    ) async throws -> End {
        let result: Result<End, CommandEnd>
        // Without the hub, or a credential, the backend cannot unregister anything either.
        var isBackendUsable = true
        do {
            result = .success(try await untilEnd(devices, tally, for: settings.duration))
        } catch  where Task.isCancelled {
            result = .success(.signal)
        } catch {
            let failure: CommandFailure
            if let error = error as? BackendClientError {
                failure = settings.failure(error, isRegistering: true)
            } else {
                failure = FailureTranslation.failure(for: error)
                isBackendUsable = false
            }
            // The cause comes before all that follows from it.
            Console.complain(failure)
            result = .failure(CommandEnd(status: failure.status))
        }
        let saysFailures = isBackendUsable
        // A task of its own: the signal that ended the work does not end this too.
        await Task {
            await devices.unregister { device, why in
                if saysFailures {
                    await tally.fail(device, why)
                } else {
                    logger.info("\(why)", metadata: ["device": "\(device.number)"])
                }
            }
        }.value
        return try result.get()
    }

    private static func untilEnd(
        _ devices: SimulatedDevices, _ tally: DeviceTally, for duration: Duration?
    ) async throws -> End {
        try await withThrowingTaskGroup(of: End.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask {
                try await devices.run()
                return .goal
            }
            tasks.addTask {
                for await _ in tally.isEnough {}
                try Task.checkCancellation()
                return .goal
            }
            if let duration {
                tasks.addTask {
                    try await Task.sleep(for: duration)
                    return .time
                }
            }
            guard let end = try await tasks.next() else { throw CancellationError() }
            return end
        }
    }

    private func settings() async throws -> DeviceSettings {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let invocation = settings.invocation
        let address = backend ?? invocation["HUBSEND_BACKEND"] ?? "http://127.0.0.1:8080"
        guard let url = URL(string: address) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        return DeviceSettings(
            user: user, platform: platform, handle: handle, tags: tags, count: count, backend: url,
            credential: try await DeviceSecret(of: user, invocation),
            events: try await DeviceEvents(of: user, at: settings.requiredHub()),
            goal: once ? .oneEach : messages.map(DeviceGoal.notifications) ?? .none,
            duration: duration, marksRead: !noRead,
            folder: try save.map { try DeviceFolder(path: invocation.absolute($0)) },
            format: json ? .json : .text, isQuiet: options.quiet)
    }
}

extension DevicePlatform {
    /// Reads a platform from the command line.
    ///
    /// - Throws: `ValidationError` that says which there are.
    fileprivate static func argument(_ text: String) throws -> DevicePlatform {
        let name = text.lowercased()
        guard let platform = name == "gcm" ? .fcm : DevicePlatform(rawValue: name) else {
            throw ValidationError("write apns, fcm or wns (gcm is an old spelling of fcm)")
        }
        return platform
    }
}
