import CampaignFormat
import Files
import Foundation
import NotificationHubs

/// Which hub flags, environment and config file come to.
enum HubChoice {
    /// A hub inside this process, with the devices of a file; `folder` is that of the config.
    case local(devices: String, folder: String)
    /// A hub at an address.
    case remote(Secret, name: String?, route: HubRoute)
}

extension HubChoice {
    /// Reads which hub is meant; nil when nothing names one.
    init?(invocation: Invocation, config: Config?, name: String?) {
        let route = HubRoute(invocation)
        if let secret = Secret.inEnvironment(Secret.connectionString, of: invocation) {
            self = .remote(secret, name: name, route: route)
            return
        }
        guard let config, let hub = config.hub else { return nil }
        switch hub {
        case .local(let devices):
            self = .local(devices: devices, folder: config.folder)
        case .remote(let source?, _):
            self = .remote(Secret(source), name: name, route: route)
        case .remote(nil, _):
            return nil
        }
    }
}

extension HubSetting {
    /// The hub's name, where the config gives it.
    var name: String? {
        if case .remote(_, let name) = self { name } else { nil }
    }

    /// The devices file of a hub inside the process.
    var devices: String? {
        if case .local(let devices) = self { devices } else { nil }
    }

    /// The file that it names: a key, or devices with their handles.
    var file: String? {
        switch self {
        case .local(let devices): devices
        case .remote(.file(let path), _): path
        case .remote: nil
        }
    }
}

extension Secret {
    /// Where a config says that the connection string is.
    fileprivate init(_ source: HubSetting.ConnectionString) {
        switch source {
        case .text(let text): self = .value(text.value, from: "hub.connection_string")
        case .file(let path): self = .file(path, from: "hub.connection_string_file")
        case .command(let command): self = .command(command, from: "hub.connection_string_command")
        }
    }
}

/// How a hub is reached where the network is not a plain one.
struct HubRoute {
    /// The variable that names a proxy.
    static let proxyVariable = "HUBSEND_HUB_PROXY"

    /// A file of certificate authorities to trust beside the system's.
    let authorities: String?
    /// An HTTP proxy, as the environment gives it.
    private let proxyText: String?

    /// Reads the environment.
    init(_ invocation: Invocation) {
        authorities = invocation[HubAuthorities.variable].map(invocation.absolute)
        proxyText = invocation[Self.proxyVariable]
    }

    /// The certificates of ``authorities``, in PEM.
    ///
    /// - Throws: ``CommandFailure`` when the file is no good.
    func trustRoots() throws -> [String] {
        try authorities.map { [try HubAuthorities.read($0)] } ?? []
    }

    /// The proxy, written as `http://proxy.example:3128` or without the scheme; nil for none.
    ///
    /// - Throws: ``CommandFailure`` when it is written otherwise.
    func proxy() throws -> HubProxy? {
        guard let proxyText else { return nil }
        var rest = Substring(proxyText)
        if rest.hasPrefix("http://") { rest = rest.dropFirst("http://".count) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        do {
            let address = try ListenAddress(String(rest))
            return HubProxy(host: address.host, port: address.port)
        } catch {
            // Not repeated: it may hold a password.
            throw CommandFailure(
                .configuration,
                """
                What \(Self.proxyVariable) gives is no proxy. Write http://, its host and its port, such as \
                http://proxy.example:3128; a proxy that wants a password cannot be used.
                """)
        }
    }
}

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
