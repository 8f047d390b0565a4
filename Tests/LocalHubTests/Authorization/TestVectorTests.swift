import Foundation
import HTTPTypes
import HummingbirdCore
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TestVectorTests {
    private static let rule = LocalHubRule(
        name: "DefaultFullSharedAccessSignature",
        key: "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", claims: [.listen, .send, .manage])

    struct Vector: CustomTestStringConvertible {
        let name: String
        let audience: String
        let signature: String
        let host: String

        var testDescription: String { name }

        var header: String {
            let encoded = signature.replacing("+", with: "%2B").replacing("/", with: "%2F")
                .replacing("=", with: "%3D")
            return "SharedAccessSignature sr=\(audience)&sig=\(encoded)&se=1767225600"
                + "&skn=DefaultFullSharedAccessSignature"
        }
    }

    private static let azure = "contoso.servicebus.windows.net"

    static let vectors = [
        Vector(
            name: "A", audience: "https%3a%2f%2fcontoso.servicebus.windows.net%2fmyhub",
            signature: "byK4VkxOKEGkC5t85JVxBSAxTjDS9VAT9pVB6PQm05U=", host: azure),
        Vector(
            name: "B, as .NET signs",
            audience: "http%3a%2f%2fcontoso.servicebus.windows.net%2fmyhub%2fmessages%2f",
            signature: "shWR/Mt3WVM/w0F7VRdiFdf5aWNtiKs2xexV7Z3F5Ug=", host: azure),
        Vector(
            name: "C, as JS signs", audience: "https%3A%2F%2Fcontoso.servicebus.windows.net%2F",
            signature: "X5ikjhLiNhGth58tbNl9jvZ2LSnGACYAoUzjL2+s6fI=", host: azure),
        Vector(
            name: "D, loopback", audience: "http%3a%2f%2f127.0.0.1%3a8080%2fmyhub",
            signature: "/R9YEcQjUW4bTKMIzfi7Fc9BEEtiLOYsaq9OPp6Bh8c=", host: "127.0.0.1"),
    ]

    @Test("Known signatures are accepted", arguments: vectors)
    func knownSignaturesAreAccepted(vector: Vector) throws {
        let rule = try TokenVerifier(rules: [Self.rule], skew: .zero).rule(
            provenBy: vector.header, host: vector.host, path: "/myhub/messages",
            now: HubUnderTest.now)
        #expect(rule == Self.rule)
    }

    @Test("Known signatures authorize a send to their host", arguments: vectors)
    func knownSignaturesAuthorizeASendToTheirHost(vector: Vector) throws {
        var configuration = LocalHubConfiguration()
        configuration.hubName = "myhub"
        configuration.rules = [Self.rule]
        configuration.now = { HubUnderTest.now }
        let port = vector.host == "127.0.0.1" ? ":8080" : ""
        var head = HTTPRequest(
            method: .post, scheme: "http", authority: vector.host + port,
            path: "/myhub/messages/?api-version=2020-06")
        head.headerFields.add("Authorization", vector.header)
        head.headerFields.add("ServiceBusNotification-Format", "apple")
        let answer = try Hub(configuration).answer(
            head, body: Array(HubUnderTest.silent.utf8), isPeerLocal: true)
        guard case .response(let response) = answer else {
            Issue.record("there was no response")
            return
        }
        #expect(response.status == .created)
    }

    @Test(
        "Known signing mistakes produce invalid signatures",
        arguments: [
            "OegeBRFQMIZfATcNJ8yo8/40mYQcTcvVAomAySAL6WA=",
            "+5xNwcAbcPIZ8RuGT5HodW+zaVrpipdM66c+aKnph1Y=",
        ])
    func knownSigningMistakesProduceInvalidSignatures(signature: String) {
        let vector = Vector(
            name: "mistake", audience: Self.vectors[0].audience, signature: signature,
            host: Self.azure)
        #expect(throws: AuthorizationFailure.invalidSignature) {
            try TokenVerifier(rules: [Self.rule], skew: .zero).rule(
                provenBy: vector.header, host: vector.host, path: "/myhub/messages",
                now: HubUnderTest.now)
        }
    }
}
