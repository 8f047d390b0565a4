import Crypto
import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import LocalHub

@Suite(.bounded) struct LocalAuthorityTests {
    private func authority(host: String = "127.0.0.1") throws -> LocalAuthority {
        try LocalAuthority(host: host, at: HubUnderTest.now)
    }

    @Test("The authority can certify only loopback names")
    func authorityCanCertifyOnlyLoopbackNames() throws {
        let certificate = try authority().certificate
        let extensions = certificate.extensions
        #expect(try extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(try extensions.keyUsage == KeyUsage(keyCertSign: true))
        let constraints = try #require(try extensions.nameConstraints)
        #expect(Array(constraints.permittedDNSDomains) == ["localhost"])
        #expect(
            constraints.permittedIPRanges.map { Array($0.bytes) } == [
                [127, 0, 0, 0, 255, 0, 0, 0],
                [UInt8](repeating: 0, count: 15) + [1] + [UInt8](repeating: 255, count: 16),
            ])
        #expect(constraints.excludedSubtrees.isEmpty)
        for oid in [
            ASN1ObjectIdentifier.X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
            .X509ExtensionID.nameConstraints,
        ] {
            #expect(extensions[oid: oid]?.critical == true)
        }
    }

    @Test("The server certificate contains only loopback names")
    func serverCertificateContainsOnlyLoopbackNames() throws {
        let authority = try authority()
        let certificate = authority.serverCertificate
        #expect(try certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(try certificate.extensions.basicConstraints == .notCertificateAuthority)
        let names = try #require(try certificate.extensions.subjectAlternativeNames)
        #expect(
            Array(names) == [
                .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                .ipAddress(ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 15) + [1])),
            ])
        #expect(
            try certificate.extensions.authorityKeyIdentifier?.keyIdentifier
                == authority.certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
        #expect(certificate.publicKey == Certificate.PublicKey(authority.serverKey.publicKey))
    }

    @Test("The localhost certificate contains no addresses")
    func localhostCertificateContainsNoAddresses() throws {
        let authority = try authority()
        let names = try authority.localhostCertificate.extensions.subjectAlternativeNames
        #expect(names.map(Array.init) == [.dnsName("localhost")])
        #expect(authority.localhostCertificate.publicKey == authority.serverCertificate.publicKey)
        #expect(
            authority.localhostCertificate.serialNumber != authority.serverCertificate.serialNumber)
    }

    @Test("Another loopback host is added to the certificate")
    func anotherLoopbackHostIsAddedToTheCertificate() throws {
        let names = try #require(
            try authority(host: "127.0.0.9").serverCertificate.extensions.subjectAlternativeNames)
        #expect(names.contains(.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 9]))))
        let others = try #require(
            try authority(host: "0.0.0.0").serverCertificate.extensions.subjectAlternativeNames)
        #expect(others.count == 3)
    }

    @Test("A certificate is valid from an hour ago, for 13 months")
    func certificateIsValidFromAnHourAgoFor13Months() throws {
        let authority = try authority()
        for certificate in [authority.certificate, authority.serverCertificate] {
            #expect(certificate.notValidBefore == HubUnderTest.now - 3_600)
            #expect(certificate.notValidAfter == HubUnderTest.now - 3_600 + 397 * 86_400)
        }
    }

    @Test("Every start creates a new authority") func everyStartCreatesANewAuthority() throws {
        let first = try authority().certificate
        let second = try authority().certificate
        #expect(first.subject != second.subject)
        #expect(first.serialNumber != second.serialNumber)
        #expect("\(first.subject)".contains("hubsend local hub 2025-12-31T23:00:00Z"))
    }

    @Test("A client that trusts the authority accepts the server", arguments: ["127.0.0.1", "::1"])
    func clientThatTrustsTheAuthorityAcceptsTheServer(address: String) async throws {
        let now = Date()
        func verify(_ server: LocalAuthority, trusting root: Certificate) async -> Bool {
            var verifier = Verifier(rootCertificates: CertificateStore([root])) {
                RFC5280Policy()
                ServerIdentityPolicy(serverHostname: nil, serverIP: address)
            }
            let result = await verifier.validate(
                leaf: server.serverCertificate, intermediates: CertificateStore())
            guard case .validCertificate = result else { return false }
            return true
        }
        let authority = try LocalAuthority(host: "127.0.0.1", at: now)
        #expect(await verify(authority, trusting: authority.certificate))
        let other = try LocalAuthority(host: "127.0.0.1", at: now)
        #expect(await verify(authority, trusting: other.certificate) == false)
        let old = try LocalAuthority(host: "127.0.0.1", at: now - 397 * 86_400)
        #expect(await verify(old, trusting: old.certificate) == false)
    }
}
