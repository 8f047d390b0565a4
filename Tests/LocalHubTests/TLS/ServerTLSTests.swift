import Crypto
import Foundation
import InMemoryLogging
import Logging
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import LocalHub

@Suite(.bounded) struct ServerTLSTests {
    private struct Files {
        var certificate: String
        var key: String
        let authority: String

        init(at time: Date = HubUnderTest.now) throws {
            let made = try LocalAuthority(host: "127.0.0.1", at: time)
            certificate = try made.serverCertificate.serializeAsPEM().pemString + "\n"
            key = made.serverKey.pemRepresentation
            authority = try made.certificate.serializeAsPEM().pemString + "\n"
        }

        var identity: LocalHubTLS.Identity {
            .certificate(chain: Array(certificate.utf8), key: Array(key.utf8))
        }
    }

    private func fault(_ identity: LocalHubTLS.Identity) -> LocalHubError? {
        var configuration = LocalHubConfiguration()
        configuration.tls = LocalHubTLS(identity: identity)
        do {
            _ = try LocalHubServer(configuration: configuration, logger: HubUnderTest.quiet)
            return nil
        } catch {
            #expect(error.description.hasSuffix("."))
            #expect(error.description.hasPrefix("the "))
            return error
        }
    }

    @Test("A certificate with its key is accepted") func certificateWithItsKeyIsAccepted() throws {
        var files = try Files()
        #expect(fault(files.identity) == nil)
        files.certificate += files.authority
        #expect(fault(files.identity) == nil)
    }

    @Test(
        "An invalid certificate is refused",
        arguments: ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])
    func invalidCertificateIsRefused(text: String) throws {
        var files = try Files()
        files.certificate = text
        #expect(fault(files.identity) == .tlsCertificateUnreadable)
    }

    @Test("An invalid key is refused") func invalidKeyIsRefused() throws {
        var files = try Files()
        for text in ["", "no PEM", files.certificate] {
            files.key = text
            #expect(fault(files.identity) == .tlsKeyUnreadable)
        }
    }

    @Test(
        "A key with a passphrase is refused",
        arguments: [
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
            "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAA\n-----END EC PRIVATE KEY-----",
        ])
    func keyWithAPassphraseIsRefused(text: String) throws {
        var files = try Files()
        files.key = text
        #expect(fault(files.identity) == .tlsKeyEncrypted)
    }

    @Test("The key of another certificate is refused")
    func keyOfAnotherCertificateIsRefused() throws {
        var files = try Files()
        files.key = try Files().key
        #expect(fault(files.identity) == .tlsKeyOfAnotherCertificate)
    }

    @Test("A certificate file that begins with the authority is refused")
    func certificateFileThatBeginsWithTheAuthorityIsRefused() throws {
        var files = try Files()
        files.certificate = files.authority + files.certificate
        #expect(fault(files.identity) == .tlsKeyOfAnotherCertificate)
    }

    @Test("An expired certificate causes a warning in the log", arguments: [(0, 0), (400, 1)])
    func expiredCertificateCausesAWarningInTheLog(days: Int, warnings: Int) throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        _ = try ServerTLS(
            try Files().identity, host: "127.0.0.1",
            at: HubUnderTest.now + Double(days) * 86_400, logger: logger)
        #expect(log.entries.filter { $0.level == .warning }.count == warnings)
        #expect(log.entries.allSatisfy { "\($0)".contains("has expired") })
    }

    @Test("Errors do not repeat a key") func errorsDoNotRepeatAKey() throws {
        let files = try Files()
        let secret = try #require(files.key.split(separator: "\n").dropFirst().first)
        for key in [files.key, files.key + "ENCRYPTED", "x" + files.key] {
            var broken = files
            broken.key = key
            broken.certificate = try Files().certificate
            let error = try #require(fault(broken.identity))
            #expect(!"\(error)".contains(secret))
        }
    }
}
