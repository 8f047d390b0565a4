import Logging
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct TLSTests {
    private func send(
        to identity: TLSIdentity?, trusting roots: [String]
    ) async throws -> (result: Result<SendReceipt, any Error>, requests: Int) {
        try await ScriptedHub.with(tls: identity, script: { _, _ in .accepted }) { hub in
            try await NotificationHubClient.with(
                hub.connectionString(scheme: "sb", host: "localhost"), trusting: roots
            ) { client in
                do {
                    return (.success(try await client.sendExample()), hub.record.requests.count)
                } catch {
                    return (.failure(error), hub.record.requests.count)
                }
            }
        }
    }

    private func error(_ result: Result<SendReceipt, any Error>) -> HubError? {
        guard case .failure(let error) = result else { return nil }
        return error as? HubError
    }

    @Test("A push is sent over TLS to a trusted hub")
    func pushIsSentOverTLSToATrustedHub() async throws {
        let sent = try await send(to: .loopback, trusting: [TLSIdentity.loopback.certificate])

        #expect(try sent.result.get().messageID == "id-1")
        #expect(sent.requests == 1)
    }

    @Test("A self-signed certificate is refused before any request")
    func selfSignedCertificateIsRefusedBeforeAnyRequest() async throws {
        let sent = try await send(to: .loopback, trusting: [])

        #expect(error(sent.result)?.disposition == .stop(.notAHub))
        #expect(
            error(sent.result)?.cause
                == .noAnswer(TransportFailure(cause: .certificateRefused)))
        #expect(
            error(sent.result)?.reason
                == "the server's TLS certificate is not trusted for this host")
        #expect(sent.requests == 0)
    }

    @Test("A trusted certificate for another host is refused")
    func trustedCertificateForAnotherHostIsRefused() async throws {
        let sent = try await send(to: .otherHost, trusting: [TLSIdentity.otherHost.certificate])

        #expect(error(sent.result)?.disposition == .stop(.notAHub))
        #expect(sent.requests == 0)
    }

    @Test("A host listed only in the certificate's common name is refused")
    func hostListedOnlyInTheCertificatesCommonNameIsRefused() async throws {
        let sent = try await send(
            to: .commonNameOnly, trusting: [TLSIdentity.commonNameOnly.certificate])

        #expect(error(sent.result)?.disposition == .stop(.notAHub))
        #expect(
            error(sent.result)?.reason
                == "the server's TLS certificate is not trusted for this host")
        #expect(sent.requests == 0)
    }

    @Test("Nothing is sent to a server without TLS")
    func nothingIsSentToAServerWithoutTLS() async throws {
        let sent = try await send(to: nil, trusting: [])

        #expect(error(sent.result)?.disposition == .retry(after: nil))
        #expect(error(sent.result)?.reason == "the TLS handshake failed")
        #expect(sent.requests == 0)
    }

    @Test("An invalid trusted certificate is a configuration error")
    func invalidTrustedCertificateIsAConfigurationError() throws {
        #expect(throws: HubConfigurationError.tls) {
            try NotificationHubClient(
                connectionString: ConnectionString(parsing: Secret.connectionString),
                hubName: HubName("news"),
                settings: HubClientSettings(additionalTrustRoots: ["not PEM"]),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
    }
}
