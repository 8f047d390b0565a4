import CampaignCore
import HTTPTypes
import TestSupport
import Testing

@testable import AppBackend

/// The source of a request, with forged fields before and after the proxies.
@Suite(.bounded) struct RequestSourceTests {
    private let proxies = ["10.0.0.0/8", "::1"].compactMap(AddressRange.init)

    private func source(
        peer: String = "10.0.0.1", scheme: WebScheme = .http, _ fields: [(String, String)]
    ) throws(ForwardedError) -> RequestSource {
        var all = HTTPFields()
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { continue }
            all.append(HTTPField(name: name, value: value))
        }
        return try RequestSource(
            peer: IPAddress(peer), scheme: scheme, host: "internal:8080", fields: all,
            proxies: proxies)
    }

    private func client(_ fields: (String, String)...) throws -> String? {
        try source(fields).address?.description
    }

    @Test("Forwarding fields are used only if they come from a trusted proxy")
    func forwardingFieldsAreUsedOnlyIfTheyComeFromATrustedProxy() throws {
        let source = try source(
            peer: "203.0.113.7",
            [
                ("Forwarded", "for=192.0.2.1;proto=https;host=example.com"),
                ("X-Forwarded-For", "192.0.2.2, \"garbage"),
            ])
        #expect(source.address?.description == "203.0.113.7")
        #expect(source.scheme == .http)
        #expect(source.host == "internal:8080")
        #expect(!source.mayCarryCredentials)
    }

    @Test("A trusted proxy determines the client's address")
    func trustedProxyDeterminesTheClientsAddress() throws {
        let source = try source([
            ("Forwarded", "for=192.0.2.1;proto=https;host=\"example.com:8443\"")
        ])
        #expect(source.address?.description == "192.0.2.1")
        #expect(source.peer?.description == "10.0.0.1")
        #expect(source.scheme == .https)
        #expect(source.host == "example.com:8443")
        #expect(source.mayCarryCredentials)
    }

    @Test(
        "A malformed Forwarded field is refused",
        arguments: [
            ("for=192.0.2.1", "192.0.2.1"),
            ("FOR=192.0.2.1;Proto=HTTPS", "192.0.2.1"),
            ("for=192.0.2.1:4711", ""),
            ("for=\"192.0.2.1:4711\"", "192.0.2.1"),
            ("for=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=\"[2001:db8:cafe::17]\";by=203.0.113.43", "2001:db8:cafe::17"),
            ("for=\"192.0.2.1:_port\"", "192.0.2.1"),
            ("for=198.51.100.9, for=192.0.2.1", "192.0.2.1"),
            ("for=198.51.100.9, for=192.0.2.1, for=10.0.0.7", "192.0.2.1"),
            ("for=198.51.100.9,, ,for=192.0.2.1 ; proto=http ,", "192.0.2.1"),
            ("for=10.0.0.5, for=10.0.0.6", "10.0.0.5"),
            ("for=192.0.2.1;ext=\"a,b;c=\\\"d\"", "192.0.2.1"),
            ("for=\"::ffff:192.0.2.1\"", ""),
            ("for=\"[::ffff:192.0.2.1]:47\"", "192.0.2.1"),
            ("for=\"[2001:db8::9\", for=192.0.2.1;ext=\"a, b;c=1\"", "192.0.2.1"),
            ("garbage=, for=192.0.2.1, for=10.0.0.7", "192.0.2.1"),
            ("for=unknown", "unknown"),
            ("for=_hidden", "unknown"),
            ("for=192.0.2.9, for=\"_gazonk:80\"", "unknown"),
            ("proto=https", "unknown"),
            ("for=\"[192.0.2.1]\"", ""),
            ("for=[2001:db8::1]", ""),
            ("for=", ""),
            ("for", ""),
            ("for=192.0.2.1;for=192.0.2.2", ""),
            ("for=\"192.0.2.1", ""),
            ("for=\", for=192.0.2.1", "192.0.2.1"),
            ("for=192.0.2.1 for=192.0.2.2", ""),
            ("for=192.0.2.256", ""),
            ("for=192.0.2.1:99999", ""),
            ("for=192.0.2.1:", ""),
            ("for=example.com", ""),
            ("for = 192.0.2.1", ""),
            ("for=\"192.0.2.1\\", ""),
            ("for=192.0.2.1\u{E4}", ""),
            (String(repeating: "for=10.0.0.1,", count: 33), "10.0.0.1"),
            ("for=192.0.2.1;ext=\"\(String(repeating: ",", count: 33))\"", ""),
            (String(repeating: "a=b;", count: 2_000), ""),
        ])
    func malformedForwardedFieldIsRefused(value: String, expected: String) throws {
        if expected.isEmpty {
            #expect(throws: ForwardedError.self) { try source([("Forwarded", value)]) }
        } else {
            #expect(try client(("Forwarded", value)) ?? "unknown" == expected)
        }
    }

    @Test("An open quotation mark does not extend into the next field")
    func openQuotationMarkDoesNotExtendIntoTheNextField() throws {
        #expect(throws: ForwardedError.self) {
            try source([("Forwarded", "for=\"198.51.100.9"), ("Forwarded", "for=192.0.2.1\"")])
        }
        #expect(
            try client(("Forwarded", "for=198.51.100.9"), ("Forwarded", "for=192.0.2.1"))
                == "192.0.2.1")
    }

    @Test(
        "X-Forwarded fields are read if there is no Forwarded field",
        arguments: [
            ("192.0.2.1", "192.0.2.1"),
            ("198.51.100.9, 192.0.2.1", "192.0.2.1"),
            ("198.51.100.9,192.0.2.1:4711 , 10.1.1.1", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("unknown", "unknown"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("[::FFFF:192.0.2.1]:4711", "192.0.2.1"),
            ("<script>, 300.1.1.1, 192.0.2.1", "192.0.2.1"),
            ("<script>, 192.0.2.1, ::ffff:10.1.1.1", "192.0.2.1"),
            ("<script>, 10.1.1.1", ""),
            ("\(String(repeating: "a,", count: 5_000))192.0.2.1", "192.0.2.1"),
            ("192.0.2.1;x", ""),
            ("\"192.0.2.1\"", ""),
            ("example.com", ""),
        ])
    func xForwardedFieldsAreReadIfThereIsNoForwardedField(value: String, expected: String) throws {
        if expected.isEmpty {
            #expect(throws: ForwardedError.self) { try source([("X-Forwarded-For", value)]) }
        } else {
            #expect(try client(("X-Forwarded-For", value)) ?? "unknown" == expected)
        }
    }

    @Test(
        "Each trusted proxy may add a scheme and a host",
        arguments: [
            ("192.0.2.1", "https, https", "https"), ("192.0.2.1", " HTTPS ,hTTps", "https"),
            // Only the last value comes from the proxy.
            ("192.0.2.1", "http, https", "https"), ("192.0.2.1", "https, http", "http"),
            ("192.0.2.1, 10.0.0.2", "http, https", "http"),
            ("192.0.2.1, 10.0.0.2", "gopher, https, https", "https"),
            ("192.0.2.1, 10.0.0.2", "https", "https"), ("192.0.2.1", "wss", "http"),
        ])
    func eachTrustedProxyMayAddASchemeAndAHost(client: String, schemes: String, expected: String)
        throws
    {
        let source = try source([
            ("X-Forwarded-For", client), ("X-Forwarded-Proto", schemes),
            ("X-Forwarded-Host", "a.example, b.example"),
        ])
        #expect(source.scheme.rawValue == expected)
        #expect(source.host == (client.contains("10.") ? "a.example" : "b.example"))
    }

    @Test("X-Forwarded-Proto determines the scheme if it is present")
    func xForwardedProtoDeterminesTheSchemeIfItIsPresent() throws {
        let client = ("X-Forwarded-For", "192.0.2.1")
        #expect(try source([client, ("X-Forwarded-Proto", "https")]).scheme == .https)
        #expect(try source([client, ("X-Forwarded-Proto", "http")]).scheme == .http)
        #expect(try source([client, ("X-Forwarded-Proto", "https, http")]).scheme == .http)
        #expect(try source([client]).scheme == .http)
        #expect(try source([client, ("X-Forwarded-Host", "example.com")]).host == "example.com")
        #expect(try source([client]).host == "internal:8080")
    }

    @Test("A forged field that the proxy does not write is refused")
    func forgedFieldThatTheProxyDoesNotWriteIsRefused() throws {
        let problem = ForwardedError.contradiction("for=198.51.100.9", "192.0.2.1; https; ")
        #expect(throws: problem) {
            try source([
                ("Forwarded", "for=198.51.100.9"), ("X-Forwarded-For", "192.0.2.1"),
                ("X-Forwarded-Proto", "https"),
            ])
        }
        #expect(
            try client(("Forwarded", "for=192.0.2.1"), ("X-Forwarded-For", "192.0.2.1"))
                == "192.0.2.1")
    }

    @Test(
        "Forwarded and X-Forwarded fields must agree where both give a value",
        arguments: [
            ("proto=https", "X-Forwarded-Proto", "http", false),
            ("proto=https", "X-Forwarded-Proto", "https", true),
            ("proto=https", "X-Forwarded-Host", "liar.example", true),
            ("host=example.com", "X-Forwarded-Host", "liar.example", false),
            ("host=example.com", "X-Forwarded-Host", "EXAMPLE.com", true),
            ("host=example.com", "X-Forwarded-Proto", "https", true),
        ])
    func forwardedAndXForwardedFieldsMustAgreeWhereBothGiveAValue(
        pair: String, name: String, value: String, isGood: Bool
    ) throws {
        let fields = [
            ("Forwarded", "for=192.0.2.1;\(pair)"), ("X-Forwarded-For", "192.0.2.1"), (name, value),
        ]
        if isGood {
            #expect(try source(fields).address?.description == "192.0.2.1")
        } else {
            #expect(throws: ForwardedError.self) { try source(fields) }
        }
    }

    @Test("An empty forwarding field does not hide the client behind the proxy")
    func emptyForwardingFieldDoesNotHideTheClientBehindTheProxy() throws {
        #expect(try client(("Forwarded", ","), ("X-Forwarded-For", "192.0.2.1")) == "192.0.2.1")
        #expect(try client(("Forwarded", "for=192.0.2.1"), ("X-Forwarded-For", "")) == "192.0.2.1")
        let silent = try source([("Forwarded", "")])
        #expect(silent.address == nil && silent.isProxySilent)
        #expect(throws: ForwardedError.malformed(field: "X-Forwarded-For", value: "a")) {
            try source([("Forwarded", ";"), ("X-Forwarded-For", "a")])
        }
        #expect(throws: ForwardedError.self) {
            try source([("Forwarded", ";"), ("X-Forwarded-For", "192.0.2.1")])
        }
    }

    @Test("Credentials require TLS or a loopback connection")
    func credentialsRequireTLSOrALoopbackConnection() throws {
        func may(_ peer: String, _ scheme: WebScheme, _ fields: (String, String)...) throws -> Bool
        {
            try source(peer: peer, scheme: scheme, fields).mayCarryCredentials
        }
        #expect(try may("127.0.0.1", .http))
        // A proxy on this machine is not a client on this machine.
        #expect(try !may("::1", .http))
        #expect(try !may("10.0.0.1", .https))
        #expect(try may("203.0.113.7", .https))
        #expect(try !may("203.0.113.7", .http))
        #expect(try !may("10.0.0.1", .http))
        #expect(try may("10.0.0.1", .http, ("Forwarded", "for=192.0.2.1;proto=https")))
        #expect(try !may("10.0.0.1", .http, ("Forwarded", "for=192.0.2.1;proto=http")))
        #expect(try !may("10.0.0.1", .https, ("Forwarded", "for=192.0.2.1;proto=http")))
        #expect(try !may("10.0.0.1", .https, ("Forwarded", "for=192.0.2.1")))
        #expect(try !may("10.0.0.1", .http, ("Forwarded", "for=127.0.0.1")))
        #expect(try !may("::1", .http, ("Forwarded", "for=192.0.2.1")))
        #expect(try may("::1", .http, ("Forwarded", "for=\"[::1]\"")))
        #expect(!RequestSource(peer: nil, scheme: .http, host: nil).mayCarryCredentials)
    }
}
