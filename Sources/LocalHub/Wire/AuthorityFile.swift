import Files
import Foundation

/// The file with the certificate of the hub's own authority, which clients must trust.
package struct AuthorityFile: Sendable {
    /// The largest file that a hub can have written, in bytes.
    private static let longest = 4_096

    private let path: String

    /// Checks that writing the file would replace nothing but a local hub's certificate; `path` is
    /// absolute.
    package init(path: String) throws(LocalHubError) {
        self.path = path
        if !Self.mayBeWritten(path) { throw .authorityFileTaken(path) }
    }

    /// Whether the file does not exist, is empty (like a new file from `mktemp`), or contains only
    /// a local hub's certificate.
    ///
    /// An unreadable file is not replaced either.
    private static func mayBeWritten(_ path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return true }
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
            || parts.count == 2 && parts[0].isEmpty && LocalAuthority.isCertificate(text)
    }

    /// Writes the certificate as PEM, completely or not at all; everyone can read the file.
    package func write(_ certificate: String) throws(LocalHubError) {
        do {
            try FileReplacement.write(Array(certificate.utf8), to: path, mode: 0o644)
        } catch  where error.kind == .missing {
            let folder = Path.folder(of: path)
            throw .authorityFileNotWritten(
                path,
                reason: "the folder \(folder) does not exist; create it, or choose another "
                    + "folder")
        } catch {
            throw .authorityFileNotWritten(path, reason: "\(error)")
        }
    }
}
