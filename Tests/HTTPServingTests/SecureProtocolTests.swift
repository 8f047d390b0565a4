import HTTPTypes
import TestSupport
import Testing

@testable import HTTPServing

@Suite(.bounded) struct HTTPTransportTests {
    private func head(
        _ authority: String?, scheme: String, hosts: [String] = []
    ) throws -> HTTPRequest {
        var fields: HTTPFields = [:]
        let name = try #require(HTTPField.Name("Host"))
        for host in hosts { fields.append(HTTPField(name: name, value: host)) }
        return HTTPRequest(
            method: .get, scheme: scheme, authority: authority, path: "/", headerFields: fields)
    }

    @Test("Over TLS, the scheme is always https", arguments: ["http", "https", "ftp"])
    func overTLSTheSchemeIsAlwaysHttps(scheme: String) throws {
        let sent = try head("a", scheme: scheme)
        #expect(SecureProtocol.http2.normalized(sent).scheme == "https")
        #expect(SecureProtocol.https1.normalized(sent).scheme == "https")
    }

    @Test("A Host field replaces a missing authority")
    func hostFieldReplacesAMissingAuthority() throws {
        let sent = try head(nil, scheme: "https", hosts: ["a:1"])
        #expect(try SecureProtocol.http2.normalized(sent) == head("a:1", scheme: "https"))
    }

    @Test("A Host field that repeats the authority is removed")
    func hostFieldThatRepeatsTheAuthorityIsRemoved() throws {
        let sent = try head("a:1", scheme: "https", hosts: ["a:1"])
        #expect(try SecureProtocol.http2.normalized(sent) == head("a:1", scheme: "https"))
    }

    @Test(
        "A conflicting Host field is left for the responder to refuse",
        arguments: [["b"], ["a", "a"]])
    func conflictingHostFieldIsLeftForTheResponderToRefuse(hosts: [String]) throws {
        let sent = try head("a", scheme: "https", hosts: hosts)
        #expect(SecureProtocol.http2.normalized(sent) == sent)
        #expect(SecureProtocol.https1.normalized(sent) == sent)
    }
}
