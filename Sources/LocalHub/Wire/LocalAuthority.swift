import Crypto
import Foundation
import HTTPServing
import SwiftASN1
import X509

/// A certificate authority that a hub creates when it starts and that signs only for this hub.
///
/// It is safe to trust: its key is discarded after signing, and its name constraints (RFC 5280,
/// 4.2.1.10) allow only loopback addresses.
struct LocalAuthority {
    /// How long before the start of the hub the certificates become valid, for clients whose clocks
    /// are slow.
    private static let headStart: TimeInterval = 3_600
    /// How long the certificates are valid; clients accept up to 398 days for a server (CA/Browser
    /// Forum, 6.3.2).
    private static let lifetime: TimeInterval = 397 * 86_400

    /// The common prefix of the authorities' names.
    private static let nameBeginning = "hubsend local hub "

    /// Whether some text is the certificate of a local hub's authority, in PEM.
    static func isCertificate(_ text: String) -> Bool {
        do {
            let subject = try Certificate(pemEncoded: text).subject.description
            return subject.contains("CN=\(nameBeginning)") && subject.contains("O=hubsend")
        } catch {
            return false
        }
    }

    /// The authority's certificate, which clients must trust.
    let certificate: Certificate
    /// The server's certificate for its loopback addresses and `localhost`.
    let serverCertificate: Certificate
    /// The server's certificate for clients that connect to `localhost` by name.
    ///
    /// BoringSSL cannot match addresses against name constraints, so it refuses certificates that
    /// contain an address; clients based on SwiftNIO, gRPC or Dart must use the name.
    let localhostCertificate: Certificate
    /// The server's key, for both certificates.
    let serverKey: P256.Signing.PrivateKey

    /// Creates an authority for a server that listens on `host`.
    init(host: String, at now: Date) throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let keyIdentifier = SubjectKeyIdentifier(hash: key.publicKey)
        // Trust stores identify authorities by name, so the name must differ each time the hub
        // starts.
        let mark = keyIdentifier.keyIdentifier.prefix(4)
            .map { Hexadecimal.text(UInt64($0), digits: 2) }.joined()
        let name = try DistinguishedName {
            OrganizationName("hubsend")
            CommonName("\(Self.nameBeginning)\(now.formatted(.iso8601)) \(mark)")
        }
        let begin = now - Self.headStart
        let end = begin + Self.lifetime
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: begin, notValidAfter: end, issuer: name, subject: name,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                Critical(Self.loopbackOnly)
                keyIdentifier
            },
            issuerPrivateKey: key)
        let serverKey = P256.Signing.PrivateKey()
        func sign(_ names: [GeneralName]) throws -> Certificate {
            let publicKey = Certificate.PublicKey(serverKey.publicKey)
            return try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
                notValidBefore: begin, notValidAfter: end, issuer: name,
                subject: try DistinguishedName {
                    OrganizationName("hubsend")
                    CommonName("localhost")
                },
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectAlternativeNames(names)
                    SubjectKeyIdentifier(hash: publicKey)
                    AuthorityKeyIdentifier(keyIdentifier: keyIdentifier.keyIdentifier)
                },
                issuerPrivateKey: key)
        }
        let localhost = GeneralName.dnsName("localhost")
        serverCertificate = try sign([localhost] + Self.addresses(besides: host))
        localhostCertificate = try sign([localhost])
        self.serverKey = serverKey
    }

    /// The names that the authority can sign: `localhost`, 127.0.0.0/8 and ::1.
    private static var loopbackOnly: NameConstraints {
        NameConstraints(
            permittedDNSDomains: ["localhost"],
            permittedIPRanges: [
                ASN1OctetString(contentBytes: [127, 0, 0, 0, 255, 0, 0, 0]),
                ASN1OctetString(
                    contentBytes: loopbackIPv6[...] + [UInt8](repeating: 255, count: 16)),
            ])
    }

    /// The addresses of the server: 127.0.0.1 and ::1, and the host if it is another address in
    /// 127.0.0.0/8.
    private static func addresses(besides host: String) -> [GeneralName] {
        var addresses: [[UInt8]] = [[127, 0, 0, 1], loopbackIPv6]
        let octets = host.split(separator: ".").compactMap { UInt8($0) }
        if LoopbackHost.contains(host), octets.count == 4, !addresses.contains(octets) {
            addresses.append(octets)
        }
        return addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
    }

    private static let loopbackIPv6 = [UInt8](repeating: 0, count: 15) + [1]
}
