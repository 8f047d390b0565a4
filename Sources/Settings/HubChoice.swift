import CampaignFormat
import Files
import Foundation

/// The hub that flags, environment and config file lead to.
package enum HubChoice: Sendable {
    /// A hub inside this process, with the devices of a file; `folder` is that of the config.
    case local(devices: String, folder: String)
    /// A hub at an address.
    case remote(Secret, name: HubNaming?, route: HubRoute)

    /// Reads which hub is meant; nil when nothing gives its connection string.
    ///
    /// - Parameters:
    ///   - config: what the config file says; nil: there is none.
    ///   - line: names the config's line about the hub, as part of a sentence.
    init?(invocation: Invocation, config: Config?, line: String, name: HubNaming?) {
        var route = HubRoute(invocation)
        if let secret = Secret.inEnvironment(Secret.connectionString, of: invocation) {
            if case .local? = config?.hub { route.localHub = line }
            self = .remote(secret, name: name, route: route)
            return
        }
        guard let config, let hub = config.hub else { return nil }
        switch hub {
        case .local(let devices):
            self = .local(devices: devices, folder: config.folder)
        case .remote(let source?, _):
            self = .remote(
                Secret(source, key: "hub.connection_string"), name: name, route: route)
        case .remote(nil, _):
            return nil
        }
    }
}

/// A hub's name, and the setting that gives it, as part of a sentence.
package struct HubNaming: Hashable, Sendable {
    package let name: String
    package let setting: String

    package init(_ name: String, from setting: String) {
        self.name = name
        self.setting = setting
    }
}

/// How a hub is reached: through a proxy, with certificate authorities of one's own, or with a second key.
package struct HubRoute: Sendable {
    /// The variable that names a file of certificate authorities.
    package static let authoritiesVariable = "HUBSEND_HUB_CA"
    /// The variable that names a proxy.
    package static let proxyVariable = "HUBSEND_HUB_PROXY"

    /// The longest file of authorities that is read, in bytes.
    private static let longest = 1 << 20

    /// The config's line about a local hub, where a variable gives the connection string; nil: the config has none.
    fileprivate(set) var localHub: String?
    private let authorities: String?
    private let proxyText: String?
    /// The connection string with the hub's other key, which is used once the first is refused; nil: no other key is set.
    package let secondary: Secret?

    /// Reads the environment.
    package init(_ invocation: Invocation) {
        authorities = invocation[Self.authoritiesVariable].map(invocation.absolute)
        proxyText = invocation[Self.proxyVariable]
        secondary = Secret.inEnvironment(Secret.secondaryConnectionString, of: invocation)
    }

    /// Refuses a hub on another machine where the config names the local one: with one of them left over, real people could get a
    /// trial.
    ///
    /// - Parameters:
    ///   - host: where the hub is.
    ///   - setting: the variable that leads there.
    /// - Throws: ``SettingFault/localAndDistantHub(config:setting:host:)``.
    package func refuseDistant(_ host: String, from setting: String) throws(SettingFault) {
        guard let localHub else { return }
        throw .localAndDistantHub(config: localHub, setting: setting, host: host)
    }

    /// Certificate authorities that the hub's certificate may come from beside the system's, in PEM: a local hub's, or that
    /// of a company's proxy.
    ///
    /// A person who can write the file can pose as the hub, so only its owner may.
    ///
    /// - Throws: ``SettingFault`` when the file cannot be read, can be written by others or holds no certificate.
    package func trustRoots() throws(SettingFault) -> [String] {
        guard let authorities else { return [] }
        let data = try SettingFile.read(
            authorities, from: Self.authoritiesVariable, protected: .trusted, limit: Self.longest)
        guard let text = String(data: data, encoding: .utf8),
            text.contains("-----BEGIN CERTIFICATE-----")
        else { throw .noCertificate(path: authorities) }
        return [text]
    }

    /// The proxy, written as `http://proxy.example:3128` or without the scheme; nil for none.
    ///
    /// - Throws: ``SettingFault/unusableProxy`` when it is written otherwise.
    package func proxy() throws(SettingFault) -> HostAndPort? {
        guard let proxyText else { return nil }
        var rest = Substring(proxyText)
        if rest.hasPrefix("http://") { rest = rest.dropFirst("http://".count) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let address = HostAndPort(rest) else { throw .unusableProxy }
        return address
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
