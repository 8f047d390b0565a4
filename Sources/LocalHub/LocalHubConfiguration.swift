import HTTPServing

package import struct Foundation.Date

package struct LocalHubConfiguration: Sendable {
    /// The hub's name: one path segment of letters, digits and `. - _`, beginning with a letter or digit.
    package var hubName = "hubsend"
    /// Any other than a loopback host needs rules with secret keys.
    package var host = "127.0.0.1"
    /// 0 takes a free one.
    package var port = 0
    /// The second port, for clients that insist on TLS.
    package var tls: LocalHubTLS?
    /// Further hosts by which the hub may be asked: names or IP addresses without a port, such as a
    /// container's name.
    ///
    /// Everybody who reaches the hub and names such a host sees all messages and handles without a key,
    /// can clear them, and can change the faults. If all keys are secret, requests with a key may
    /// name any host.
    package var allowedHosts: [String] = []
    /// The rules of the namespace, which hold for every hub in it.
    package var rules = LocalHubRule.development
    /// The devices to register at start.
    package var devices: [LocalHubDevice] = []
    package var limits = LocalHubLimits()
    /// Decides the fault of each send that is authorised and well formed.
    package var fault: @Sendable (SendRequestSummary) -> LocalHubFault? = { _ in nil }
    /// Fault rules for any operation; tried before ``fault``.
    package var faults: [FaultRule] = []
    /// Reads fault rules that a request sets while the hub runs; nil: they cannot be changed.
    package var readFaults: (@Sendable (String) throws(UnreadableFaults) -> [FaultRule])?
    /// The app backend whose payloads can be shown.
    package var payloads: PayloadBackend?
    /// The seed of the fault rules: with the same seed, the same requests fail.
    package var seed: UInt64 = 1
    /// The file that keeps hubs, registrations, installations and scheduled sends; nil: they are
    /// forgotten at the end.
    ///
    /// It is read at the start, and written after changes, at most once a second, and at the end.
    /// Received pushes, telemetry and feedback are not kept. ``devices`` that the file already has
    /// become as configured.
    package var stateFile: String?
    /// How long after a send telemetry shows its final state.
    ///
    /// It is unknown for the first third, then `Enqueued`, then `Processing`.
    package var telemetryDelay: Duration = .zero
    /// How long after its answer a write or deletion of an installation takes effect.
    package var installationDelay: Duration = .zero
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Waits for a time of ``now``, since that clock may advance before the waiting begins; nil: by
    /// ``sleep``.
    var sleepUntil: (@Sendable (Date) async throws -> Void)?
    package var now: @Sendable () -> Date = { Date() }
    /// The source of random bits for ids and made-up handles.
    package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

    package init() {}

    /// Checks that the hub can work with these settings.
    func check() throws(LocalHubError) {
        guard LoopbackHost.contains(host) || !usesDevelopmentKeys else {
            throw .hostNotLoopback(host)
        }
        guard HubName.isValid(hubName) else { throw .invalidHubName(hubName) }
        for port in [port, tls?.port ?? 0] {
            guard (0...65_535).contains(port) else { throw .invalidPort(port) }
        }
        for host in allowedHosts where InspectionAccess.canonical(host) == nil {
            throw .invalidAllowedHost(host)
        }
        try checkRules()
        if let limit = limits.firstUnusable { throw .invalidLimit(limit) }
        guard devices.count <= limits.devices else { throw .tooManyDevices(limit: limits.devices) }
        for device in devices {
            if let wrong = device.tags.first(where: { !TagGrammar.isTag($0) }) {
                throw .invalidDeviceTag(wrong)
            }
        }
    }

    var usesDevelopmentKeys: Bool {
        let published = Set(LocalHubRule.development.map(\.key))
        return rules.contains { published.contains($0.key) }
    }

    private func checkRules() throws(LocalHubError) {
        guard !rules.isEmpty else { throw .invalidRules("there are none; add one") }
        for rule in rules {
            // A longer name or key is refused by SDKs; a semicolon would cut the connection string.
            for text in [rule.name, rule.key]
            where !(1...256).contains(text.utf8.count) || text.contains(";") {
                throw .invalidRules(
                    "the name and the key of \(ClientText.quoted(rule.name)) need 1 to 256 "
                        + "characters and no semicolon")
            }
        }
        guard Set(rules.map(\.name)).count == rules.count else {
            throw .invalidRules("two have the same name; rename one")
        }
    }
}
