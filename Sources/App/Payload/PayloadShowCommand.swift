import AppBackend
import ArgumentParser
import CampaignCore
import Foundation
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
        guard let overview = try await store.overview(id),
            let payload = try await store.notification(id)
        else { throw Refused.noSuchPayloads([id]) }
        // The audit comes first: if it cannot be written, nothing is shown.
        try AuditLog(path: settings.audit, logger: options.logger()).noteShown(id)
        if let output {
            return try write(payload.bytes, of: overview, to: output, settings.invocation)
        }
        switch format {
        case .text:
            try settings.invocation.show(Document(payload: overview, payload, at: Date()))
        case .json:
            try Console.output(NotificationJSON.object(overview, payload, at: Date()).line())
        }
    }

    /// Writes only the content to a new file, and the file's name to stdout.
    ///
    /// An existing file is not replaced; `-` is stdout.
    private func write(
        _ bytes: [UInt8]?, of overview: NotificationOverview, to output: String,
        _ invocation: Invocation
    ) throws {
        guard let bytes else {
            throw Refused(
                overview.kind.isSilent
                    ? "The content of payload \(overview.id) was purged; there is nothing to write."
                    : "Payload \(overview.id) is an alert, which has no content; there is nothing to write."
            )
        }
        if output == "-" { return try printContent(bytes) }
        let path = invocation.absolute(output)
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Refused(
                "The file \(path) is there already; name another, or delete it first.")
        }
        let file = try AtomicFile(path: path)
        try file.write(bytes)
        try file.commit()
        if !options.quiet { try Console.output(VisibleText.path(output) + "\n") }
    }

    /// Writes the content to stdout; repeating the command is harmless, unlike with other output.
    private func printContent(_ bytes: [UInt8]) throws {
        do {
            try Console.output(bytes)
        } catch TerminalFault.full(let why) {
            throw Refused.noRoom(for: "payload", why: why)
        }
    }
}

extension Refused {
    static func noSuchPayloads(_ ids: [NotificationID]) -> Refused {
        Refused(
            """
            There is no payload \(ids.map(\.text).joined(separator: ", ")) in this store, and nothing was done; \
            `hubsend payload list` lists those that are.
            """)
    }
}
