import Files
import LocalHub

enum HubCertificate {
    /// The maximum size of a file, in bytes.
    private static let longest = 1 << 20

    /// - Parameter certificate: the certificate with its chain; if it is nil, the hub generates
    ///   one.
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
