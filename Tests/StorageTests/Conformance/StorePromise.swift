import Testing

/// One thing that every store keeps, whatever it keeps it in.
struct StorePromise: Sendable, CustomTestStringConvertible {
    let name: String
    let check: @Sendable (StoreUnderTest) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
        self.name = name
        self.check = check
    }

    var testDescription: String { name }

    static let all =
        runs + staging + rests + people + sending + frequencyCaps + ending + reporting
        + notifications + languages
        + receipts + statistics
        + telemetry + troubles + fallbacks + inbox + overviews + purging + registrations
        + verification + waves + sendingInWaves + waveNames
}
