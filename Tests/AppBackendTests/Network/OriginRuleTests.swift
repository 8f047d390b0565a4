import CampaignCore
import HTTPTypes
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct OriginRuleTests {
    private func refuses(
        _ fields: [(String, String)], method: HTTPRequest.Method = .post,
        scheme: WebScheme = .https, host: String? = "push.example.com"
    ) -> Bool {
        objection(fields, method: method, scheme: scheme, host: host) != nil
    }

    private func objection(
        _ fields: [(String, String)], method: HTTPRequest.Method = .post,
        scheme: WebScheme = .https, host: String? = "push.example.com",
        allowing origins: Set<String> = []
    ) -> String? {
        var all = HTTPFields()
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { continue }
            all.append(HTTPField(name: name, value: value))
        }
        return OriginRule.objection(
            to: method, all, of: RequestSource(peer: nil, scheme: scheme, host: host),
            allowing: origins)
    }

    @Test("A listed origin is accepted in upper or lower case")
    func listedOriginIsAcceptedInUpperOrLowerCase() {
        let origins: Set = ["capacitor://localhost", "null"]
        for origin in ["capacitor://localhost", "Capacitor://LOCALHOST", "null"] {
            let fields = [("Origin", origin), ("Sec-Fetch-Site", "cross-site")]
            #expect(objection(fields, allowing: origins) == nil)
        }
        for origin in ["capacitor://localhost:1", "capacitor://localhost/", "http://localhost"] {
            #expect(objection([("Origin", origin)], allowing: origins) != nil)
        }
    }

    @Test("Behind a proxy, the browser's Sec-Fetch-Site field is sufficient")
    func behindAProxyTheBrowsersSecFetchSiteFieldIsSufficient() {
        let origin = ("Origin", "https://push.example.com:8443")
        #expect(
            !refuses([origin, ("Sec-Fetch-Site", "same-origin")], scheme: .http, host: "inner"))
        #expect(!refuses([origin, ("Sec-Fetch-Site", "none")], scheme: .http, host: "inner"))
        #expect(refuses([origin, ("Sec-Fetch-Site", "same-site")], scheme: .http, host: "inner"))
        #expect(refuses([origin], scheme: .http, host: "inner"))
    }

    @Test("The refusal of a foreign origin names both origins")
    func refusalOfAForeignOriginNamesBothOrigins() {
        let fields = [("Origin", "capacitor://localhost"), ("Sec-Fetch-Site", "cross-site")]
        #expect(
            objection(fields, host: "push.example.com:8443")
                == "the page's origin is \"capacitor://localhost\" and is not listed in "
                + "backend.origins; this server's origin is \"https://push.example.com:8443\"; "
                + "Sec-Fetch-Site is \"cross-site\"")
    }

    @Test("An app that sends no Origin field is accepted")
    func appThatSendsNoOriginFieldIsAccepted() {
        #expect(!refuses([]))
        #expect(!refuses([("Sec-Fetch-Site", "same-origin")]))
        #expect(!refuses([("Sec-Fetch-Site", "none")]))
    }

    @Test(
        "A page served by the backend itself is accepted",
        arguments: [
            "https://push.example.com", "https://push.example.com:443", "HTTPS://PUSH.example.COM",
        ])
    func pageServedByTheBackendItselfIsAccepted(origin: String) {
        #expect(!refuses([("Origin", origin)]))
        #expect(!refuses([("Origin", origin)], host: "Push.Example.com:443"))
    }

    @Test(
        "A foreign origin is refused",
        arguments: [
            "null", "", "https://evil.example", "http://push.example.com",
            "https://push.example.com:8443", "https://push.example.com.evil.example",
            "https://push.example.com@evil.example", "https://push.example.com/",
            "https://push.example.com:443:443", "https://push.example.com:", "push.example.com",
            "https://", "ftp://push.example.com", "https://push.example.com https://evil.example",
            "https://push.example.com:65536", "https://xn--pus-hla.example.com",
        ])
    func foreignOriginIsRefused(origin: String) {
        for method in [HTTPRequest.Method.post, .put, .delete, .patch] {
            #expect(refuses([("Origin", origin)], method: method))
        }
        for method in [HTTPRequest.Method.get, .head, .options] {
            #expect(!refuses([("Origin", origin)], method: method))
        }
    }

    @Test("An origin that cannot be verified is refused")
    func originThatCannotBeVerifiedIsRefused() {
        let own = ("Origin", "https://push.example.com")
        #expect(refuses([own, own]))
        #expect(refuses([own], host: nil))
        #expect(refuses([own], host: "push.example.com/"))
        #expect(refuses([own], scheme: .http))
        #expect(refuses([own, ("Sec-Fetch-Site", "Cross-Site")]))
        #expect(refuses([("Sec-Fetch-Site", "cross-site")]))
    }

    @Test("The port and the IP address are part of an origin")
    func portAndTheIPAddressArePartOfAnOrigin() {
        let local = ("Origin", "http://127.0.0.1:8080")
        #expect(!refuses([local], scheme: .http, host: "127.0.0.1:8080"))
        #expect(refuses([local], scheme: .http, host: "127.0.0.1:8081"))
        #expect(!refuses([("Origin", "http://[::1]:8080")], scheme: .http, host: "[::1]:8080"))
        #expect(refuses([("Origin", "http://[::1")], scheme: .http, host: "[::1"))
    }
}
