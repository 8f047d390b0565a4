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

    @Test(arguments: ["http", "https", "ftp"])
    func overTLSTheSchemeIsWhatItIs(scheme: String) throws {
        let sent = try head("a", scheme: scheme)
        #expect(SecureProtocol.http2.normalized(sent).scheme == "https")
        #expect(SecureProtocol.https1.normalized(sent).scheme == "https")
    }

    @Test func aHostStandsInForAMissingAuthority() throws {
        let sent = try head(nil, scheme: "https", hosts: ["a:1"])
        #expect(try SecureProtocol.http2.normalized(sent) == head("a:1", scheme: "https"))
    }

    @Test func aHostThatRepeatsTheAuthorityIsLeftOut() throws {
        let sent = try head("a:1", scheme: "https", hosts: ["a:1"])
        #expect(try SecureProtocol.http2.normalized(sent) == head("a:1", scheme: "https"))
    }

    @Test(arguments: [["b"], ["a", "a"]])
    func anotherHostIsLeftForTheResponderToRefuse(hosts: [String]) throws {
        let sent = try head("a", scheme: "https", hosts: hosts)
        #expect(SecureProtocol.http2.normalized(sent) == sent)
        #expect(SecureProtocol.https1.normalized(sent) == sent)
    }
}
