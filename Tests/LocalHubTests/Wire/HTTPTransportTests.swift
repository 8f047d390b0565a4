import HTTPTypes
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct HTTPTransportTests {
    private func head(_ authority: String?, scheme: String, hosts: [String] = []) -> HTTPRequest {
        var fields: HTTPFields = [:]
        for host in hosts { fields.add("Host", host) }
        return HTTPRequest(
            method: .get, scheme: scheme, authority: authority, path: "/", headerFields: fields)
    }

    @Test(arguments: ["http", "https", "ftp"])
    func overTLSTheSchemeIsWhatItIs(scheme: String) {
        let sent = head("a", scheme: scheme)
        #expect(HTTPTransport.http2.normalized(sent).scheme == "https")
        #expect(HTTPTransport.https1.normalized(sent).scheme == "https")
        #expect(HTTPTransport.http1.normalized(sent).scheme == scheme)
    }

    @Test func aHostStandsInForAMissingAuthority() {
        let sent = head(nil, scheme: "https", hosts: ["a:1"])
        #expect(HTTPTransport.http2.normalized(sent) == head("a:1", scheme: "https"))
    }

    @Test func aHostThatRepeatsTheAuthorityIsLeftOut() {
        let sent = head("a:1", scheme: "https", hosts: ["a:1"])
        #expect(HTTPTransport.http2.normalized(sent) == head("a:1", scheme: "https"))
    }

    @Test(arguments: [["b"], ["a", "a"]])
    func anotherHostIsLeftForTheHubToRefuse(hosts: [String]) {
        let sent = head("a", scheme: "https", hosts: hosts)
        #expect(HTTPTransport.http2.normalized(sent) == sent)
        #expect(HTTPTransport.https1.normalized(sent) == sent)
    }
}
