import NIOCore

import struct Foundation.Date

/// Writes the registrations of a hub as a job exports them, one per row.
struct RegistrationExport {
    /// How many rows are written before others have their turn.
    private static let slice = 500

    let hub: HubStore
    /// The most bytes.
    let limit: Int

    /// The rows of the registrations that have not expired.
    ///
    /// - Parameters:
    ///   - now: the hub's time.
    ///   - report: is told the percentage now and then.
    /// - Returns: the rows; nil when they have more bytes than the limit.
    /// - Throws: `CancellationError`.
    func rows(at now: Date, _ report: (Int) -> Void) async throws -> ByteBuffer? {
        let registrations = hub.update { $0.registrations.all }.filter { $0.isLive(at: now) }
        var rows = ByteBuffer()
        for (index, registration) in registrations.enumerated() {
            rows.writeString(RegistrationDescription(registration: registration, form: .row).xml)
            rows.writeString("\n")
            guard rows.readableBytes <= limit else { return nil }
            guard index.isMultiple(of: Self.slice) else { continue }
            try Task.checkCancellation()
            report(100 * index / registrations.count)
            // On a machine with one core other requests would wait for all rows.
            await Task.yield()
        }
        return rows
    }
}
