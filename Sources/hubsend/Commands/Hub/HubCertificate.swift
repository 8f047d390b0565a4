import CampaignOperations
import Files
import Foundation
import LocalHub
import Settings

/// Reads the certificate that `hub --tls-cert` and `--tls-key` name.
enum HubCertificate {
    /// The longest file that is read, in bytes.
    private static let longest = 1 << 20

    /// Where the hub's certificate comes from.
    ///
    /// - Parameters:
    ///   - certificate: the file with the certificate and what leads to its root; nil: the hub makes one.
    ///   - key: the file with its key.
    ///   - invocation: what the paths are relative to.
    /// - Returns: the certificate and its key, or that the hub makes one.
    /// - Throws: `SettingFault` when a file cannot be read, is too long, or others can get at it.
    static func identity(
        _ certificate: String?, _ key: String?, _ invocation: Invocation
    ) throws -> LocalHubTLS.Identity {
        guard let certificate, let key else { return .ownAuthority }
        return .certificate(
            chain: try read(certificate, from: "--tls-cert", protected: .trusted, invocation),
            key: try read(key, from: "--tls-key", protected: .secret, invocation))
    }

    private static func read(
        _ path: String, from flag: String, protected protection: FileProtection,
        _ invocation: Invocation
    ) throws -> [UInt8] {
        let path = invocation.absolute(path)
        return Array(
            try SettingFile.read(path, from: flag, protected: protection, limit: longest))
    }
}

/// The file of `hub --ca-file`: the certificate of the hub's own authority, for clients to trust.
struct AuthorityFile {
    /// The longest file that can be one that a hub wrote, in bytes.
    private static let longest = 4_096

    private let path: String

    /// Makes sure that nothing else is lost by writing it.
    ///
    /// - Parameters:
    ///   - path: where it shall be, as given.
    ///   - invocation: what it is relative to.
    /// - Throws: ``CommandEnd`` when something stands there that no hub wrote.
    init(path: String, _ invocation: Invocation) throws {
        guard !path.isEmpty else {
            throw CommandEnd(.configuration, "--ca-file names no file; give it a path")
        }
        self.path = invocation.absolute(path)
        guard FileManager.default.fileExists(atPath: self.path) else { return }
        guard Self.mayBeReplaced(self.path) else {
            throw CommandEnd(
                .configuration,
                """
                The file \(path) that --ca-file names is something other than a local hub's \
                certificate, and was left as it is; name another.
                """)
        }
    }

    /// Whether a file holds one certificate and nothing else, or nothing at all: one that was made for
    /// this, as by mktemp.
    ///
    /// A bundle of authorities, or a key behind its certificate, is somebody else's. What cannot be
    /// looked at is not replaced either.
    private static func mayBeReplaced(_ path: String) -> Bool {
        let bytes: [UInt8]?
        do {
            let file = try OpenFile(path, for: .reading)
            guard try file.status().kind == .regular else { return false }
            bytes = try file.contents(limit: longest)
        } catch {
            return false
        }
        guard let bytes else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.components(separatedBy: "-----BEGIN ")
        return text.isEmpty
            || parts.count == 2 && parts[0].isEmpty && parts[1].hasPrefix("CERTIFICATE-----")
    }

    /// Writes the certificate, whole or not at all; everybody may read it, since it is no secret.
    ///
    /// - Parameter certificate: in PEM.
    /// - Throws: `OperationFault` when it cannot be written.
    func write(_ certificate: String) throws {
        let file = try AtomicFile(path: path, mode: 0o644)
        try file.write(Array(certificate.utf8))
        try file.commit()
    }
}
