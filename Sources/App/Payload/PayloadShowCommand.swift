import AppBackend
import ArgumentParser
import CampaignCore
import Foundation
import Storage

struct PayloadShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a stored payload, and records this in the audit log.",
        discussion: """
            Prints the properties of the payload and its text. For content that is not text, use \
            --output FILE, or --output - for stdout. Encrypted payloads need the key that they \
            were stored with. The audit log of the app backend records who looked at the payload.
            """)

    @Argument(
        help: "The id of the payload, from `hubsend payload list` or a report.",
        transform: NotificationID.argument)
    var id: NotificationID

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write only the content to this file; - is stdout.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The output format: text or json; both omit content that is not text.",
            valueName: "format"))
    var format: ListFormat = .text

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if output != nil, format == .json {
            throw ValidationError(
                "--output writes only the content and cannot be combined with --format json.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try await settings.store.openForReading(settings.storeOptions())
        guard let overview = try await store.overview(id),
            let payload = try await store.notification(id)
        else { throw Refused.noSuchPayloads([id]) }
        // The audit log is written first; if that fails, nothing is shown.
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

    /// Writes only the content to a new file, and prints the file's name.
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
                "The file \(path) already exists. Name another file, or delete this one first.")
        }
        let file = try AtomicFile(path: path)
        try file.write(bytes)
        try file.commit()
        if !options.quiet { try Console.output(VisibleText.path(output) + "\n") }
    }

    /// Writes the content to stdout.
    private func printContent(_ bytes: [UInt8]) throws {
        do {
            try Console.output(bytes)
        } catch TerminalError.full(let why) {
            throw Refused.noRoom(for: "payload", why: why)
        }
    }
}

extension Refused {
    static func noSuchPayloads(_ ids: [NotificationID]) -> Refused {
        Refused(
            """
            There is no payload \(ids.map(\.text).joined(separator: ", ")) in this store, and nothing was changed. \
            `hubsend payload list` lists the payloads.
            """)
    }
}
