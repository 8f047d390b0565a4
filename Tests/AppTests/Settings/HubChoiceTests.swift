import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct HubChoiceTests {
    @Test("The environment's hub overrides the config's")
    func environmentsHubOverridesTheConfigs() throws {
        let place = try SettingsPlace(["hubsend.yaml": "hub: { local: devices.yaml }\n"])
        let config = SettingFlags(config: place.file("hubsend.yaml"))
        guard case .local(let devices, let folder, _) = try place.load(flags: config).hub else {
            Issue.record("The config names a local hub.")
            return
        }
        #expect(folder + "/devices.yaml" == devices)
        let settings = try place.load(
            flags: config,
            environment: ["HUBSEND_HUB_CONNECTION_STRING": "x", "HUBSEND_HUB_NAME": "news"])
        guard case .remote(let secret, let name, let route) = settings.hub else {
            Issue.record("The variables name another hub.")
            return
        }
        #expect(secret.setting == "HUBSEND_HUB_CONNECTION_STRING")
        #expect(name == HubNaming("news", from: "HUBSEND_HUB_NAME"))
        let fault = #expect(throws: Refused.self) {
            try route.refuseRemote("contoso.example", from: secret.setting)
        }
        for word in ["hubsend.yaml (line 1)", "HUBSEND_HUB_CONNECTION_STRING", "contoso.example"] {
            #expect(fault?.description.contains(word) == true)
        }
    }

    @Test("The error about a missing connection string shows the line with the hub")
    func errorAboutAMissingConnectionStringShowsTheLineWithTheHub() throws {
        let place = try SettingsPlace(["hubsend.yaml": "store: a.sqlite\nhub:\n  name: my-hub\n"])
        let config = SettingFlags(config: place.file("hubsend.yaml"))
        let settings = try place.load(flags: config)
        let fault = #expect(throws: Refused.self) { try settings.requiredHub() }
        #expect(
            fault?.description == """
                \(place.file("hubsend.yaml")) (line 3) names the hub my-hub, but its connection \
                string is not set. Set HUBSEND_HUB_CONNECTION_STRING, or \
                HUBSEND_HUB_CONNECTION_STRING_FILE to the path of a file that contains it.
                """)
    }

    @Test("Without a hub, the error says how to set one")
    func withoutAHubTheErrorSaysHowToSetOne() throws {
        let settings = try SettingsPlace([:]).load()
        #expect(settings.hub == nil)
        let fault = #expect(throws: Refused.self) { try settings.requiredHub() }
        #expect(fault?.sentence.hasPrefix("No hub is configured. Set HUBSEND_HUB_") == true)
    }

    private func route(_ environment: [String: String], in place: SettingsPlace) -> HubRoute {
        HubRoute(place.invocation(environment))
    }

    @Test(
        "A proxy can be written with or without its scheme",
        arguments: [
            "http://proxy.example:3128", "http://proxy.example:3128/", "proxy.example:3128",
        ])
    func proxyCanBeWrittenWithOrWithoutItsScheme(text: String) throws {
        let proxy = try route(["HUBSEND_HUB_PROXY": text], in: SettingsPlace([:])).proxy()
        #expect(proxy?.host == "proxy.example")
        #expect(proxy?.port == 3_128)
    }

    @Test(
        "An invalid proxy is refused without being quoted",
        arguments: ["proxy", "https://proxy.example:3128", "http://ann:pa55@proxy:3128", "a:0b"])
    func invalidProxyIsRefusedWithoutBeingQuoted(text: String) throws {
        let route = try route(["HUBSEND_HUB_PROXY": text], in: SettingsPlace([:]))
        let fault = #expect(throws: Refused.self) { try route.proxy() }
        #expect(fault?.description.contains("pa55") == false)
        #expect(fault?.description.contains("http://proxy.example:3128") == true)
    }

    @Test("Only the system's authorities are trusted by default")
    func onlyTheSystemsAuthoritiesAreTrustedByDefault() throws {
        let route = try route([:], in: SettingsPlace([:]))
        #expect(try route.trustRoots() == [])
        #expect(try route.proxy() == nil)
    }

    @Test(
        "An untrustworthy file of authorities is refused",
        arguments: [
            (0o666, "-----BEGIN CERTIFICATE-----", "chmod go-w"),
            (0o600, "secret", "a PEM certificate"),
        ])
    func untrustworthyFileOfAuthoritiesIsRefused(
        mode: Int, text: String, advice: String
    ) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "ca.pem", mode: mode)
        let route = HubRoute(
            Invocation(environment: ["HUBSEND_HUB_CA": "ca.pem"], currentFolder: folder.path))
        let fault = #expect(throws: (any Error).self) { try route.trustRoots() }
        let sentence = Refused(for: try #require(fault)).sentence
        #expect(sentence.contains(advice), "\(sentence)")
        #expect(sentence.contains(folder.file("ca.pem")))
    }

    @Test(
        "An address consists of a host and a port",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8_080), ("[::1]:0", "::1", 0),
            ("host:65535", "host", 65_535),
        ])
    func addressConsistsOfAHostAndAPort(text: String, host: String, port: Int) throws {
        let address = try #require(HostAndPort(text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(
        "An invalid address is refused",
        arguments: [
            "", ":", "host", "host:", ":80", "::1:80", "a/b:80", "host:65536", "host:-1",
            "host:+80",
            "host: 80", "host:080", "host:٨٠",
        ])
    func invalidAddressIsRefused(text: String) {
        #expect(HostAndPort(text) == nil)
    }
}
