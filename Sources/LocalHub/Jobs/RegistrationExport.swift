import NIOCore

import struct Foundation.Date

/// Writes the registrations of a hub as a job exports them, one a row.
struct RegistrationExport {
    /// How many registrations are looked at before others have their turn.
    private static let slice = 500

    /// The hub.
    let hub: HubStore
    /// The most bytes.
    let limit: Int

    /// The rows.
    ///
    /// - Parameters:
    ///   - now: the hub's time; registrations that have expired are left out.
    ///   - report: is told the percentage now and then.
    /// - Returns: the rows; nil when they have more bytes than may be.
    /// - Throws: `CancellationError`.
    func rows(at now: Date, _ report: (Int) -> Void) async throws -> ByteBuffer? {
        var rows = ByteBuffer()
        var next: Int? = 0
        while let start = next {
            try Task.checkCancellation()
            let (page, end) = hub.update { state in
                (
                    state.registrations.page(of: nil, from: start, limit: Self.slice) {
                        $0.isLive(at: now)
                    }, state.registrations.endPlace
                )
            }
            for registration in page.registrations {
                rows.writeString(
                    RegistrationDescription(registration: registration, form: .row).xml)
                rows.writeString("\n")
            }
            guard rows.readableBytes <= limit else { return nil }
            next = page.nextPlace
            report(100 * (next ?? end) / max(end, 1))
            // On a machine with one core nobody else has a turn otherwise, and not only at the lock.
            await Task.yield()
        }
        return rows
    }
}
