import AppBackend
import ArgumentParser
import CampaignCore
import Storage

struct PayloadShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a stored payload; leaves a line in the audit.",
        discussion: """
            Prints what the payload is and its text. Other content goes to a file with --output, or as it is to \
            stdout with --output -. Encrypted payloads need the key that they were stored with. Who looked is \
            written to the audit file of the app backend.
            """)

    @Argument(
        help: "The payload, as `hubsend payload list` and reports name it.",
        transform: NotificationID.argument)
    var id: NotificationID

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the content alone there; - for stdout.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "text or json; content that is not text is in neither.", valueName: "format"))
    var format: ListFormat = .text

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if output != nil, format == .json {
            throw ValidationError(
                "--output writes the content alone; leave --format json out, or --output.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try await settings.store.openForReading(settings.storeOptions())
        let payload = try await PayloadDescription(of: id, in: store)
        // The audit comes first: if it cannot be written, nothing is shown.
        try AuditLog(path: settings.audit, logger: options.logger()).noteShown(id)
        guard let output else { return try payload.print(format, settings.invocation) }
        try payload.write(to: output, settings.invocation, isQuiet: options.quiet)
    }
}
