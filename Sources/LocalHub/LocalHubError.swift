import HTTPServing

/// Why a local hub cannot be made, or cannot go on.
package enum LocalHubError: Error, Equatable {
    case hostNotLoopback(String)
    case invalidHubName(String)
    case invalidPort(Int)
    /// An allowed host has a port, a wildcard or another character that hosts cannot have.
    case invalidAllowedHost(String)
    /// There are no rules, one has no usable name or key, or two have the same name.
    case invalidRules(String)
    /// Lines count from 1; no part of a key is shown.
    case unreadableRule(line: Int, setting: String, fault: String)
    case invalidDeviceTag(String)
    case tooManyDevices(limit: Int)
    case invalidLimit(String)
    case portInUse(host: String, port: Int)
    case cannotListen(host: String, port: Int, reason: String, advice: String)
    case authorityNotMade(reason: String)
    /// Something else is at the path of the authority's certificate.
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
            the local hub cannot listen on \(ClientText.quoted(host)): its keys are published, so it \
            serves this machine only; use 127.0.0.1, ::1 or localhost, or give it keys of your own.
            """
        case .invalidHubName(let name):
            """
            \(ClientText.quoted(name)) cannot be the name of a hub: use 1 to 260 letters, digits and \
            . - _, beginning with a letter or a digit.
            """
        case .invalidPort(let port):
            "the local hub cannot listen on port \(port): use 1 to 65535, or 0 for a free one."
        case .invalidAllowedHost(let host):
            """
            the local hub cannot show itself to requests for \(ClientText.quoted(host)): name a host \
            such as hub.example or an IP address, without scheme, port, wildcard or trailing dot.
            """
        case .invalidRules(let fault):
            "the local hub's shared access rules do not work: \(fault)."
        case .unreadableRule(let line, let setting, let fault):
            """
            Line \(line) of the local hub's keys (\(setting)) \(fault). Write lines such as: \
            backend 5up3rs3cret listen,send
            """
        case .invalidDeviceTag(let tag):
            """
            a device of the local hub has the tag \(ClientText.quoted(tag)): tags are 1 to 120 letters, \
            digits and _ @ # . : - (a user's name at most 111).
            """
        case .tooManyDevices(let limit):
            """
            the local hub keeps at most \(limit) devices, those of its state file included: name fewer \
            in the devices file.
            """
        case .invalidLimit(let name):
            "the local hub's limit \(name) is too small to work: use 1 or more."
        case .portInUse(let host, let port):
            """
            the local hub cannot listen on \(host) port \(port): something else already does; stop it, \
            or use another port (0 takes a free one).
            """
        case .cannotListen(let host, let port, let reason, let advice):
            "the local hub cannot listen on \(ClientText.quoted(host)) port \(port): \(reason); \(advice)."
        case .authorityNotMade(let reason):
            """
            the local hub cannot make its certificate for TLS (\(reason)): give it one of your own.
            """
        case .authorityFileTaken(let path):
            """
            the file \(path) is something other than a local hub's certificate, and was left as it is: \
            name another for the certificate to trust.
            """
        case .authorityFileNotWritten(let path, let reason):
            "the file \(path) cannot be written: \(reason)."
        case .tlsCertificateUnreadable:
            """
            the certificate for TLS cannot be read: give it as PEM (-----BEGIN CERTIFICATE-----), \
            the server's own first, then what leads to its root.
            """
        case .tlsKeyUnreadable:
            """
            the key for TLS cannot be read: give it as PEM (-----BEGIN PRIVATE KEY-----), without \
            a passphrase.
            """
        case .tlsKeyEncrypted:
            """
            the key for TLS is protected by a passphrase: take it off with \
            `openssl pkey -in KEY -out PLAIN`, and give that.
            """
        case .tlsKeyOfAnotherCertificate:
            """
            the key for TLS is not that of the first certificate: put the server's own certificate \
            first, and give the key that it was made for.
            """
        case .stateFileInUse(let path):
            """
            another local hub keeps its state in \(path): stop it, or use another \
            file.
            """
        case .stateFileDamaged(let path, let reason):
            """
            the state file \(path) cannot be used: \(reason); it was left as it is: \
            move it away, or use another file.
            """
        case .stateFileNewer(let path, let version):
            """
            the state file \(path) was written by a newer hubsend (version \
            \(version)), and was left as it is: use that hubsend, or another file.
            """
        case .stateFileNotWritten(let path, let reason):
            """
            the state file \(path) cannot be written: \(reason); make room, check \
            its folder and the rights to it, or use another file.
            """
        case .endedEarly:
            "the local hub ended before it was ready: start it again."
        }
    }
}
