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

    @Test func aCertificateAndItsKeyAreTaken() throws {
        var files = try Files()
        #expect(fault(files.identity) == nil)
        files.certificate += files.authority
        #expect(fault(files.identity) == nil)
    }

    @Test(arguments: ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])
    func aCertificateThatIsNoneIsRefused(text: String) throws {
        var files = try Files()
        files.certificate = text
        #expect(fault(files.identity) == .tlsCertificateUnreadable)
    }

    @Test func aKeyThatIsNoneIsRefused() throws {
        var files = try Files()
        for text in ["", "no PEM", files.certificate] {
            files.key = text
            #expect(fault(files.identity) == .tlsKeyUnreadable)
        }
    }

    @Test(arguments: [
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAA\n-----END EC PRIVATE KEY-----",
    ])
    func aKeyWithAPassphraseIsRefused(text: String) throws {
        var files = try Files()
        files.key = text
        #expect(fault(files.identity) == .tlsKeyEncrypted)
    }

    @Test func theKeyOfAnotherCertificateIsRefused() throws {
        var files = try Files()
        files.key = try Files().key
        #expect(fault(files.identity) == .tlsKeyOfAnotherCertificate)
    }

    @Test func theAuthorityBeforeTheServersOwnCertificateIsRefused() throws {
        var files = try Files()
        files.certificate = files.authority + files.certificate
        #expect(fault(files.identity) == .tlsKeyOfAnotherCertificate)
    }

    @Test(arguments: [(0, 0), (400, 1)])
    func anExpiredCertificateIsAWarning(days: Int, warnings: Int) throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        _ = try ServerTLS(
            try Files().identity, host: "127.0.0.1",
            at: HubUnderTest.now + Double(days) * 86_400, logger: logger)
        #expect(log.entries.filter { $0.level == .warning }.count == warnings)
        #expect(log.entries.allSatisfy { "\($0)".contains("has expired") })
    }

    @Test func noErrorRepeatsAKey() throws {
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
