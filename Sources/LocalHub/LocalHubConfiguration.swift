import HTTPServing

package import struct Foundation.Date

/// The settings of a local hub.
package struct LocalHubConfiguration: Sendable {
    /// The hub's name: one path segment of letters, digits and `. - _`, beginning with a letter or digit.
    package var hubName = "hubsend"
    /// The host to listen on; any other than a loopback host needs rules with keys of one's own.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    package var port = 0
    /// The second port, for clients that insist on TLS; nil: no second port.
    package var tls: LocalHubTLS?
    /// Further hosts by which the hub may be asked: names or IP addresses without a port, such as the name of a
    /// container.
    ///
    /// The loopback hosts need not be among them. Where all keys are one's own, requests that bring one are answered
    /// whatever host they name.
    ///
    /// For them the peer's address does not matter: whoever reaches the hub and names such a host sees all messages
    /// and handles without a key, can clear them, and can change what goes wrong.
    package var allowedHosts: [String] = []
    /// The shared access rules of the namespace; they hold for every hub in it.
    package var rules = LocalHubRule.development
    /// The devices that the hub knows from its start.
    package var devices: [LocalHubDevice] = []
    /// How much the hub accepts and keeps, and how long it waits.
    package var limits = LocalHubLimits()
    /// What goes wrong with a send; called once for each that is authorised and well formed.
    package var fault: @Sendable (SendRequestSummary) -> LocalHubFault? = { _ in nil }
    /// What goes wrong by rule, with any operation; tried before ``fault``.
    package var faults: [FaultRule] = []
    /// Reads fault rules from the body of a request that changes them while the hub runs; nil: they cannot be changed.
    package var readFaults: (@Sendable (String) throws(UnreadableFaults) -> [FaultRule])?
    /// The app backend that the payloads which pushes name are fetched from, to show them; nil: no app backend is known.
    package var payloads: PayloadBackend?
    /// The seed of the fault rules' random numbers: with the same seed the same requests fail.
    package var seed: UInt64 = 1
    /// Where the hub keeps what clients put there; nil: it forgets everything when it ends.
    ///
    /// It keeps the hubs of the namespace, registrations, installations and scheduled sends. They are read at the start,
    /// and written after changes, at most once a second, and at the end. What devices received, telemetry and feedback
    /// are not kept. ``devices`` come on top: one that the file has already is not added again, but becomes as the
    /// configuration says. The folder exists; a lock file stands beside the file.
    package var stateFile: String?
    /// How long after a send telemetry shows its final state; zero: at once.
    ///
    /// For the first third of it telemetry does not know the send yet, for the second it is `Enqueued`, for
    /// the last `Processing`.
    package var telemetryDelay: Duration = .zero
    /// How long after its answer a write or deletion of an installation takes effect, as the service does it; zero: at
    /// once.
    package var installationDelay: Duration = .zero
    /// How the hub waits for a span of time, such as the heartbeat of a stream or the end of a wait.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// How the hub waits for a time of its clock, that of the next scheduled send; nil: by ``sleep``.
    ///
    /// A time and not a span, since the clock may go on before the waiting begins.
    var sleepUntil: (@Sendable (Date) async throws -> Void)?
    /// The hub's clock.
    package var now: @Sendable () -> Date = { Date() }
    /// The hub's source of 64 random bits, for ids and made-up handles.
    package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

    /// A hub without devices on a free loopback port, with the development rules.
    package init() {}

    /// Checks that the hub can work with these settings.
    ///
    /// - Throws: `LocalHubError` for the first fault.
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

    /// Whether one of the keys is published in the manual.
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
