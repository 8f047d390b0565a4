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

    @Test(arguments: ["0.0.0.0", "::", "example.com", "192.168.1.1", "", "127.0.0.1.example.com"])
    func onlyLoopbackHostsAreListenedOn(host: String) {
        #expect(fault { $0.host = host } == .hostNotLoopback(host))
    }

    @Test(arguments: ["127.0.0.1", "::1", "localhost", "127.0.0.2"])
    func everyLoopbackHostIsFine(host: String) {
        #expect(fault { $0.host = host } == nil)
    }

    @Test(arguments: [
        "", ".hubsend", "a/b", "a b", "-a", "a?b", "hüb", String(repeating: "a", count: 261),
    ])
    func aHubsNameIsOnePlainSegment(name: String) {
        #expect(fault { $0.hubName = name } == .invalidHubName(name))
    }

    @Test(arguments: [
        "", "hub.example:80", "*.example", "hub.example.", "http://hub.example", "a b", "-a",
        "a..b",
        "127.0.0.1:80", "1.2.3", "1.2.3.256", "0x7f.1", "hüb.example", "[::1]:80", "[::1", "::g",
        "fe80::1%lo", "a@b", String(repeating: "a", count: 64),
    ])
    func anAllowedHostIsAHostAndNothingElse(host: String) {
        #expect(fault { $0.allowedHosts = ["hub", host] } == .invalidAllowedHost(host))
    }

    @Test(arguments: ["hub", "Hub.Example", "my_hub", "10.0.0.7", "fd00::1", "[fd00::1]"])
    func aNameOrAnAddressMayBeAllowed(host: String) {
        #expect(fault { $0.allowedHosts = [host] } == nil)
    }

    @Test func aPortIsInRange() {
        #expect(fault { $0.port = -1 } == .invalidPort(-1))
        #expect(fault { $0.port = 65_536 } == .invalidPort(65_536))
        #expect(fault { $0.tls = LocalHubTLS(port: 65_536) } == .invalidPort(65_536))
    }

    @Test func rulesHaveNamesAndKeysThatAConnectionStringCanHold() {
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

    @Test func aDeviceHasTagsThatCanBeTargeted() {
        let device = LocalHubDevice(user: "al ice", platform: .apns)
        #expect(fault { $0.devices = [device] } == .invalidDeviceTag("username:al ice"))
    }

    @Test func limitsAreUsable() {
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

    @Test func theConnectionStringHasThreePartsAndATrailingSlash() {
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

    @Test func theConnectionStringForTLSHasTheSchemeThatAllClientsTurnIntoHTTPS() {
        let address = LocalHubAddress(host: "::1", port: 1, tlsPort: 8_443, hubName: "hubsend")
        #expect(address.httpsURL == "https://localhost:8443")
        #expect(
            address.tlsConnectionString(.developmentSend) == """
                Endpoint=sb://localhost:8443/;SharedAccessKeyName=DefaultSendSharedAccessSignature;\
                SharedAccessKey=aHVic2VuZCBsb2NhbCBodWI6IHNlbmQgb25seS4uLi4=
                """)
    }
}
