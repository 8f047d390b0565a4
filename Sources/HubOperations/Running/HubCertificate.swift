import Files
package import LocalHub
package import Settings

/// Reads the certificate that `hub --tls-cert` and `--tls-key` name.
package enum HubCertificate {
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
    package static func identity(
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
