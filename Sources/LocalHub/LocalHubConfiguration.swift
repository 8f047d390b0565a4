import HTTPServing

package import struct Foundation.Date

package struct LocalHubConfiguration: Sendable {
    /// The hub's name: one path segment of letters, digits and `. - _`, beginning with a letter or digit.
    package var hubName = "hubsend"
    /// The host to listen on; a host other than loopback requires rules with secret keys.
    package var host = "127.0.0.1"
    /// The port for plain HTTP; 0 picks a free port.
    package var port = 0
    /// The second port, for clients that require TLS.
    package var tls: LocalHubTLS?
    /// Additional hosts that clients can use in requests: host names or IP addresses without a
    /// port, such as the name of a container.
    ///
    /// Anyone who can reach the hub under one of these names can read all messages and handles,
    /// clear the messages and change the faults, all without a key. If all keys are secret,
    /// requests with a key can use any host.
    package var allowedHosts: [String] = []
    /// The rules of the namespace, which apply to every hub in it.
    package var rules = LocalHubRule.development
    /// The devices to register when the hub starts.
    package var devices: [LocalHubDevice] = []
    package var limits = LocalHubLimits()
    /// Chooses a fault for each send that is authorised and well formed.
    package var fault: @Sendable (SendRequestSummary) -> LocalHubFault? = { _ in nil }
    /// Fault rules for any operation, applied before ``fault``.
    package var faults: [FaultRule] = []
    /// Parses fault rules from requests; if nil, the rules cannot be changed.
    package var readFaults: (@Sendable (String) throws(UnreadableFaults) -> [FaultRule])?
    /// The app backend from which payloads can be fetched.
    package var payloads: PayloadBackend?
    /// The seed for the fault rules; with the same seed, the same requests fail.
    package var seed: UInt64 = 1
    /// The file in which hubs, registrations, installations and scheduled sends are saved; if nil,
    /// they are lost when the hub stops.
    ///
    /// The hub reads the file when it starts; it writes the file when it stops, and after changes,
    /// at most once a second. Received pushes, telemetry and feedback are not saved. ``devices``
    /// that are already in the file are updated.
    package var stateFile: String?
    /// How long it takes until the telemetry shows the final state of a send.
    ///
    /// The state is unknown for the first third of the time, then `Enqueued`, then `Processing`.
    package var telemetryDelay: Duration = .zero
    /// How long after the response a write or deletion of an installation takes effect.
    package var installationDelay: Duration = .zero
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Waits until ``now`` reaches a time, even if that clock advances before the wait starts; if
    /// nil, ``sleep`` is used.
    var sleepUntil: (@Sendable (Date) async throws -> Void)?
    package var now: @Sendable () -> Date = { Date() }
    /// The source of random bits for ids and generated handles.
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
        guard !rules.isEmpty else { throw .invalidRules("there are no rules; add one") }
        for rule in rules {
            // SDKs refuse longer names and keys, and a semicolon would break the connection string.
            for text in [rule.name, rule.key]
            where !(1...256).contains(text.utf8.count) || text.contains(";") {
                throw .invalidRules(
                    "the name and the key of \(ClientText.quoted(rule.name)) must have 1 to "
                        + "256 characters and no semicolon")
            }
        }
        guard Set(rules.map(\.name)).count == rules.count else {
            throw .invalidRules("two rules have the same name; rename one")
        }
    }
}
