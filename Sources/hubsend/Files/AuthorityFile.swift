import Foundation

/// The file of `hub --ca-file`: the certificate of the hub's own authority, for clients to trust.
struct AuthorityFile {
    private static let beginning = "-----BEGIN CERTIFICATE-----"

    private let path: String

    /// Makes sure that nothing else is lost by writing it.
    ///
    /// - Parameter path: where it shall be.
    /// - Throws: ``CommandFailure`` when something stands there that holds no certificate.
    init(path: String) throws {
        self.path = path
        guard !path.isEmpty else {
            throw CommandFailure(.configuration, "--ca-file names no file; give it a path")
        }
        guard FileManager.default.fileExists(atPath: path) else { return }
        if try Self.mayBeReplaced(path) { return }
        throw CommandFailure(
            .configuration,
            """
            The file \(path) that --ca-file names is something other than a file of certificates, \
            and was left as it is; name another.
            """)
    }

    /// Whether a file holds certificates, or nothing at all: one that was made for this, as by mktemp.
    private static func mayBeReplaced(_ path: String) throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        // Opening a pipe would wait for its other end.
        guard attributes[.type] as? FileAttributeType == .typeRegular,
            let handle = FileHandle(forReadingAtPath: path)
        else { return false }
        let start = try handle.read(upToCount: beginning.utf8.count) ?? Data()
        return start.isEmpty || start == Data(beginning.utf8)
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
