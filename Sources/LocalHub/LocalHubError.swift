import HTTPServing

/// Why a local hub cannot be made, or cannot go on.
package enum LocalHubError: Error, Equatable {
    /// The host is not a loopback host.
    case hostNotLoopback(String)
    /// A hub cannot have this name.
    case invalidHubName(String)
    /// The port is not 0 to 65535.
    case invalidPort(Int)
    /// A host that may look into the hub is not valid: it has a port, a wildcard or another character that no host
    /// has.
    case invalidAllowedHost(String)
    /// There are no rules, one has no usable name or key, or two have the same name.
    case invalidRules(String)
    /// A line of a list of rules cannot be read; lines count from 1, and no part of a key is shown.
    case unreadableRule(line: Int, setting: String, fault: String)
    /// A device has a tag that is not valid.
    case invalidDeviceTag(String)
    /// There are more devices than the limits allow.
    case tooManyDevices(limit: Int)
    /// A limit is too small to work.
    case invalidLimit(String)
    /// Something else listens on the port.
    case portInUse(host: String, port: Int)
    /// The port cannot be listened on for another reason.
    case cannotListen(host: String, port: Int, reason: String, advice: String)
    /// The certificates for the hub's own authority cannot be made.
    case authorityNotMade(reason: String)
    /// Something else stands where the certificate of the hub's own authority shall be.
    case authorityFileTaken(String)
    /// The file with that certificate cannot be written.
    case authorityFileNotWritten(String, reason: String)
    /// The certificate for TLS is not PEM.
    case tlsCertificateUnreadable
    /// The key for TLS is not PEM.
    case tlsKeyUnreadable
    /// The key for TLS is protected by a passphrase, which the hub cannot ask for.
    case tlsKeyEncrypted
    /// The key for TLS is not that of the certificate.
    case tlsKeyOfAnotherCertificate
    /// Another hub keeps its state in the file.
    case stateFileInUse(String)
    /// The state file cannot be read, is damaged, or is not a state file.
    case stateFileDamaged(String, reason: String)
    /// The state file is of a version that is not known yet.
    case stateFileNewer(String, version: Int)
    /// The state file cannot be written.
    case stateFileNotWritten(String, reason: String)
    /// The hub ended before it was ready.
    case endedEarly
}

extension LocalHubError: CustomStringConvertible {
    /// What is wrong, where, and what to do.
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
