import NIOCore

import struct Foundation.Date

struct RegistrationExport {
    /// The number of rows written before a pause.
    private static let slice = 500

    let hub: HubStore
    /// The maximum size of the file in bytes.
    let limit: Int

    /// Returns the rows of all registrations that have not expired; nil if they exceed the limit.
    ///
    /// `report` is called with the percentage from time to time.
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
            // Without a pause, other requests would have to wait for all rows if there is only one
            // core.
            await Task.yield()
        }
        return rows
    }
}
