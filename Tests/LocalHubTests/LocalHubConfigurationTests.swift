import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct LocalHubConfigurationTests {
    private func fault(_ change: (inout LocalHubConfiguration) -> Void) -> LocalHubError? {
        var configuration = LocalHubConfiguration()
        change(&configuration)
        do {
            _ = try LocalHubServer(configuration: configuration, logger: HubUnderTest.quiet)
            return nil
        } catch {
            #expect(error.description.hasSuffix("."))
            return error
        }
    }

    @Test(
        "With published keys, only loopback hosts are accepted",
        arguments: ["0.0.0.0", "::", "example.com", "192.168.1.1", "", "127.0.0.1.example.com"])
    func withPublishedKeysOnlyLoopbackHostsAreAccepted(host: String) {
        #expect(fault { $0.host = host } == .hostNotLoopback(host))
    }

    @Test(
        "Every loopback host is accepted",
        arguments: ["127.0.0.1", "::1", "localhost", "127.0.0.2"])
    func everyLoopbackHostIsAccepted(host: String) {
        #expect(fault { $0.host = host } == nil)
    }

    @Test(
        "A hub name is a single path segment",
        arguments: [
            "", ".hubsend", "a/b", "a b", "-a", "a?b", "hüb", String(repeating: "a", count: 261),
        ])
    func hubNameIsASinglePathSegment(name: String) {
        #expect(fault { $0.hubName = name } == .invalidHubName(name))
    }

    @Test(
        "An invalid allowed host is refused",
        arguments: [
            "", "hub.example:80", "*.example", "hub.example.", "http://hub.example", "a b", "-a",
            "a..b",
            "127.0.0.1:80", "1.2.3", "1.2.3.256", "0x7f.1", "hüb.example", "[::1]:80", "[::1",
            "::g",
            "fe80::1%lo", "a@b", String(repeating: "a", count: 64),
        ])
    func invalidAllowedHostIsRefused(host: String) {
        #expect(fault { $0.allowedHosts = ["hub", host] } == .invalidAllowedHost(host))
    }

    @Test(
        "An allowed host can be a name or an address",
        arguments: ["hub", "Hub.Example", "my_hub", "10.0.0.7", "fd00::1", "[fd00::1]"])
    func allowedHostCanBeANameOrAnAddress(host: String) {
        #expect(fault { $0.allowedHosts = [host] } == nil)
    }

    @Test("A port that is out of range is refused") func portThatIsOutOfRangeIsRefused() {
        #expect(fault { $0.port = -1 } == .invalidPort(-1))
        #expect(fault { $0.port = 65_536 } == .invalidPort(65_536))
        #expect(fault { $0.tls = LocalHubTLS(port: 65_536) } == .invalidPort(65_536))
    }

    @Test("Rule names and keys must fit into a connection string")
    func ruleNamesAndKeysMustFitIntoAConnectionString() {
        let rules: [[LocalHubRule]] = [
            [], [LocalHubRule(name: "", key: "k", claims: [])],
            [LocalHubRule(name: "n", key: "", claims: [])],
            [LocalHubRule(name: "n", key: "a;b", claims: [])],
            [LocalHubRule(name: String(repeating: "n", count: 257), key: "k", claims: [])],
            [.developmentFull, .developmentFull],
        ]
        for rules in rules {
            guard case .invalidRules = fault({ $0.rules = rules }) else {
                Issue.record("\(rules) are taken")
                continue
            }
        }
    }

    @Test("A device with an invalid tag is refused") func deviceWithAnInvalidTagIsRefused() {
        let device = LocalHubDevice(user: "al ice", platform: .apns)
        #expect(fault { $0.devices = [device] } == .invalidDeviceTag("username:al ice"))
    }

    @Test("A limit that is too small is refused") func limitThatIsTooSmallIsRefused() {
        #expect(fault { $0.limits.pushesPerDevice = 0 } == .invalidLimit("pushesPerDevice"))
        #expect(fault { $0.limits.idleTimeout = .zero } == .invalidLimit("idleTimeout"))
        #expect(fault { $0.limits.clockSkew = .seconds(-1) } == .invalidLimit("clockSkew"))
        let devices = ["a", "b"].map { LocalHubDevice(user: $0, platform: .apns) }
        #expect(
            fault {
                $0.limits.devices = 1
                $0.devices = devices
            } == .tooManyDevices(limit: 1))
    }

    @Test("A connection string has three parts") func connectionStringHasThreeParts() {
        let address = LocalHubAddress(host: "127.0.0.1", port: 8_080, hubName: "hubsend")
        #expect(
            address.connectionString(.developmentSend) == """
                Endpoint=http://127.0.0.1:8080/;SharedAccessKeyName=DefaultSendSharedAccessSignature;\
                SharedAccessKey=aHVic2VuZCBsb2NhbCBodWI6IHNlbmQgb25seS4uLi4=
                """)
        let six = LocalHubAddress(host: "::1", port: 1, hubName: "hubsend")
        #expect(six.httpURL == "http://[::1]:1")
        #expect(six.httpsURL == nil)
        #expect(six.tlsConnectionString(.developmentSend) == nil)
    }

    @Test("The TLS connection string uses the sb scheme")
    func tlsConnectionStringUsesTheSbScheme() {
        let address = LocalHubAddress(host: "::1", port: 1, tlsPort: 8_443, hubName: "hubsend")
        #expect(address.httpsURL == "https://localhost:8443")
        #expect(
            address.tlsConnectionString(.developmentSend) == """
                Endpoint=sb://localhost:8443/;SharedAccessKeyName=DefaultSendSharedAccessSignature;\
                SharedAccessKey=aHVic2VuZCBsb2NhbCBodWI6IHNlbmQgb25seS4uLi4=
                """)
    }
}
