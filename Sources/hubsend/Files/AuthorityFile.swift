import Files
import Foundation

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
    /// - Throws: ``CommandFailure`` when something stands there that no hub wrote.
    init(path: String, _ invocation: Invocation) throws {
        guard !path.isEmpty else {
            throw CommandFailure(.configuration, "--ca-file names no file; give it a path")
        }
        self.path = invocation.absolute(path)
        guard FileManager.default.fileExists(atPath: self.path) else { return }
        guard Self.mayBeReplaced(self.path) else {
            throw CommandFailure(
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
    /// - Throws: ``CommandFailure`` when it cannot be written.
    func write(_ certificate: String) throws {
        let file = try AtomicFile(path: path, mode: 0o644)
        try file.write(Array(certificate.utf8))
        try file.commit()
    }
}
