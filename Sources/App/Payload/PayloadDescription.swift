import CampaignCore
import Foundation
import Storage

/// A stored payload with its content, as `hubsend payload show` prints it.
struct PayloadDescription {
    private let overview: NotificationOverview
    private let notification: StoredNotification

    init(of id: NotificationID, in store: any Store) async throws {
        guard let overview = try await store.overview(id),
            let notification = try await store.notification(id)
        else { throw OperationFault.noSuchPayloads([id]) }
        self.overview = overview
        self.notification = notification
    }

    /// Writes the payload's description and text to stdout.
    func print(_ format: ListFormat, _ invocation: Invocation) throws {
        switch format {
        case .text:
            let style = invocation.outputStyle
            let text = NotificationText(overview, notification, at: Date(), style: style)
            try Console.output(text.text(), style: style)
        case .json:
            try Console.output(NotificationJSON(overview, notification, at: Date()).line())
        }
    }

    /// Writes only the content to a new file, and the file's name to stdout.
    ///
    /// An existing file is not replaced; `-` is stdout.
    func write(to output: String, _ invocation: Invocation, isQuiet: Bool) throws {
        guard let bytes = notification.bytes else {
            throw OperationFault.noContent(of: overview.id, isPurged: overview.kind.isSilent)
        }
        if output == "-" { return try printContent(bytes) }
        let path = invocation.absolute(output)
        guard !FileManager.default.fileExists(atPath: path) else {
            throw OperationFault.fileIsThere(path)
        }
        let file = try AtomicFile(path: path)
        try file.write(bytes)
        try file.commit()
        if !isQuiet { try Console.output(VisibleText.path(output) + "\n") }
    }

    /// Writes the content to stdout; repeating the command is harmless, unlike with other output.
    private func printContent(_ bytes: [UInt8]) throws {
        do {
            try Console.output(bytes)
        } catch TerminalFault.full(let why) {
            throw OperationFault.noRoom(for: "payload", why: why)
        }
    }
}
