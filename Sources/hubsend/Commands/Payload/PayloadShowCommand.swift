import AppBackend
import ArgumentParser
import CampaignCore
import CampaignOperations
import Foundation
import Reports
import Settings
import Storage
import Terminal

/// `hubsend payload show`.
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
        let store = try SQLiteStore.openForReading(
            at: settings.store, options: try await settings.storeOptions())
        guard let overview = try await store.overview(id),
            let notification = try await store.notification(id)
        else { throw OperationFault.noSuchPayloads([id]) }
        // The line first: whoever cannot be written down is shown nothing.
        try AuditLog(of: settings, logger: options.logger()).noteShown(id)
        guard let output else {
            if format == .json {
                let object = NotificationJSON(overview, notification, at: Date())
                return try Console.output(try object.line())
            }
            let style = settings.invocation.outputStyle
            let text = NotificationText(overview, notification, at: Date(), style: style)
            return try Console.output(text.text(), style: style)
        }
        guard let bytes = notification.bytes else {
            throw CommandEnd(
                .configuration,
                overview.kind.isSilent
                    ? "The content of payload \(id) was purged; there is nothing to write."
                    : "Payload \(id) is an alert, which has no content; there is nothing to write."
            )
        }
        if output == "-" { return try Console.output(bytes) }
        try write(bytes, to: settings.invocation.absolute(output))
        if !options.quiet { try Console.output(VisibleText.path(output) + "\n") }
    }

    /// Writes a new file; what stands there already stays.
    private func write(_ bytes: [UInt8], to path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandEnd(
                .configuration,
                "The file \(path) is there already; name another, or delete it first.")
        }
        let file = try AtomicFile(path: path)
        try file.write(bytes)
        try file.commit()
    }
}
