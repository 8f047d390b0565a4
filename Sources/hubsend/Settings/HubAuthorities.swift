import Files
import Foundation

/// Certificate authorities that a hub's certificate may come from, beside the system's: a local hub's, or that of a company's proxy.
enum HubAuthorities {
    /// The variable that names their file.
    static let variable = "HUBSEND_HUB_CA"

    /// The longest file that is read, in bytes.
    private static let longest = 1 << 20

    /// Reads certificates in PEM.
    ///
    /// Whoever can write the file can pose as the hub, so that nobody but its owner may.
    ///
    /// - Parameter path: the file.
    /// - Returns: its text.
    /// - Throws: ``CommandFailure`` when it cannot be read, can be written by others or holds no certificate.
    static func read(_ path: String) throws -> String {
        let data = try SettingFile.read(
            path, from: variable, protected: .trusted, limit: longest)
        guard let text = String(data: data, encoding: .utf8),
            text.contains("-----BEGIN CERTIFICATE-----")
        else {
            throw CommandFailure(
                .configuration,
                """
                The file \(path) that \(variable) names holds no certificate in PEM; it begins with \
                -----BEGIN CERTIFICATE-----.
                """)
        }
        return text
    }
}
