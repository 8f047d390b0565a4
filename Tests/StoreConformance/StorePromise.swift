import Storage
import Testing

/// A promise that every store keeps.
package struct StorePromise: Sendable, CustomTestStringConvertible {
    package let name: String
    package let check: @Sendable (StoreUnderTest) async throws -> Void

    package init(_ name: String, _ check: @escaping @Sendable (StoreUnderTest) async throws -> Void)
    {
        self.name = name
        self.check = check
    }

    package var testDescription: String { name }

    package static let all =
        runs + staging + rests + people + sending + frequencyCaps + ending + reporting
        + notifications + languages
        + receipts + statistics
        + telemetry + troubles + fallbacks + inbox + overviews + purging + retention + forgetting
        + registrations + rekeying
        + verification + waves + sendingInWaves + waveNames
}
