import HTTPServing

/// The reason why a local hub cannot start or continue.
package enum LocalHubError: Error, Equatable {
    case hostNotLoopback(String)
    case invalidHubName(String)
    case invalidPort(Int)
    /// An allowed host has a port, a wildcard or another character that is not valid in a host
    /// name.
    case invalidAllowedHost(String)
    /// There are no rules, a name or key is unusable, or two rules have the same name.
    case invalidRules(String)
    /// A line of the keys is invalid; lines are counted from 1, and no part of a key is shown.
    case unreadableRule(line: Int, setting: String, problem: String)
    case invalidDeviceTag(String)
    case tooManyDevices(limit: Int)
    case invalidLimit(String)
    case portInUse(host: String, port: Int)
    case cannotListen(host: String, port: Int, reason: String, advice: String)
    case authorityNotMade(reason: String)
    /// The file at the path for the authority's certificate is not a local hub's certificate.
    case authorityFileTaken(String)
    case authorityFileNotWritten(String, reason: String)
    case tlsCertificateUnreadable
    case tlsKeyUnreadable
    case tlsKeyEncrypted
    case tlsKeyOfAnotherCertificate
    case stateFileInUse(String)
    case stateFileDamaged(String, reason: String)
    case stateFileNewer(String, version: Int)
    case stateFileNotWritten(String, reason: String)
    case endedEarly
}

extension LocalHubError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .hostNotLoopback(let host):
            """
            the local hub cannot listen on \(ClientText.quoted(host)) with its published keys, which are for this \
            machine only: use 127.0.0.1, ::1 or localhost, or give it your own keys.
            """
        case .invalidHubName(let name):
            """
            \(ClientText.quoted(name)) is not a valid hub name: use 1 to 260 letters, digits and \
            . - _, beginning with a letter or digit.
            """
        case .invalidPort(let port):
            "the local hub cannot listen on port \(port): use 1 to 65535, or 0 for a free port."
        case .invalidAllowedHost(let host):
            """
            the local hub cannot allow the host \(ClientText.quoted(host)): use a name such as \
            hub.example or an IP address, without scheme, port, wildcard or trailing dot.
            """
        case .invalidRules(let problem):
            "the local hub's shared access rules are invalid: \(problem)."
        case .unreadableRule(let line, let setting, let problem):
            """
            Line \(line) of the local hub's keys (\(setting)) \(problem). Write lines such as: \
            backend 5up3rs3cret listen,send
            """
        case .invalidDeviceTag(let tag):
            """
            a device of the local hub has the invalid tag \(ClientText.quoted(tag)): use 1 to 120 \
            letters, digits and _ @ # . : - (up to 111 for a user's name).
            """
        case .tooManyDevices(let limit):
            """
            the local hub can have up to \(limit) devices, including those in its state file: \
            remove some from the devices file.
            """
        case .invalidLimit(let name):
            "the local hub's limit \(name) is too small: use 1 or more."
        case .portInUse(let host, let port):
            """
            the local hub cannot listen on \(host) port \(port): the port is in use; stop the \
            other program, or use another port (0 picks a free one).
            """
        case .cannotListen(let host, let port, let reason, let advice):
            "the local hub cannot listen on \(ClientText.quoted(host)) port \(port): \(reason); "
                + "\(advice)."
        case .authorityNotMade(let reason):
            """
            the local hub cannot create its TLS certificate (\(reason)): give it your own certificate.
            """
        case .authorityFileTaken(let path):
            """
            the file \(path) is not a local hub's certificate and was left unchanged: choose \
            another file for the certificate.
            """
        case .authorityFileNotWritten(let path, let reason):
            "the file \(path) cannot be written: \(reason)."
        case .tlsCertificateUnreadable:
            """
            the TLS certificate cannot be read: use the PEM format (-----BEGIN CERTIFICATE-----), \
            with the server's own certificate first, then the rest of its chain.
            """
        case .tlsKeyUnreadable:
            """
            the TLS key cannot be read: use the PEM format (-----BEGIN PRIVATE KEY-----), without a passphrase.
            """
        case .tlsKeyEncrypted:
            """
            the TLS key is protected by a passphrase: remove it with \
            `openssl pkey -in KEY -out PLAIN`, and use the new file.
            """
        case .tlsKeyOfAnotherCertificate:
            """
            the TLS key does not belong to the first certificate: put the server's own \
            certificate first, and use the key of that certificate.
            """
        case .stateFileInUse(let path):
            """
            another local hub uses the state file \(path): stop it, or use another file.
            """
        case .stateFileDamaged(let path, let reason):
            """
            the state file \(path) cannot be used and was left unchanged: \(reason); move it \
            somewhere else, or use another file.
            """
        case .stateFileNewer(let path, let version):
            """
            the state file \(path) was written by a newer hubsend (version \(version)) and was \
            left unchanged: use that version, or another file.
            """
        case .stateFileNotWritten(let path, let reason):
            """
            the state file \(path) cannot be written: \(reason); free some space, check its \
            folder and permissions, or use another file.
            """
        case .endedEarly:
            "the local hub stopped before it was ready: start it again."
        }
    }
}
