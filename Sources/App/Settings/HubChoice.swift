import CampaignCore
import CampaignFormat
import Files
import Foundation

enum HubChoice: Sendable {
    /// A hub inside this process with the devices of a file; `folder` is the config's folder.
    ///
    /// If other settings contradict this choice, `conflict` is the error to throw.
    case local(devices: String, folder: String, conflict: Refused?)
    case remote(Secret, name: HubNaming?, route: HubRoute)

    /// Reads the hub from the settings; nil if there is no connection string.
    ///
    /// - Parameter line: the config's line about the hub, as used in error messages.
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
            self = .local(
                devices: devices, folder: config.folder,
                conflict: name.map { name in
                    Refused(
                        """
                        \(line) names the local hub (hub.local), but \(name.setting) names the hub \
                        \(VisibleText.escape(name.name)). To try things on this machine, unset \(name.setting); to send \
                        through that hub, set HUBSEND_HUB_CONNECTION_STRING too, and remove `local` from `hub` in the config.
                        """)
                })
        case .remote(let source?, _):
            self = .remote(
                Secret(source, key: "hub.connection_string"), name: name, route: route)
        case .remote(nil, _):
            return nil
        }
    }
}

/// A hub's name, and the setting that it comes from, as error messages name it.
struct HubNaming: Hashable, Sendable {
    let name: String
    let setting: String

    init(_ name: String, from setting: String) {
        self.name = name
        self.setting = setting
    }
}

/// How to reach a hub: proxy, extra certificate authorities, second key.
struct HubRoute: Sendable {
    static let authoritiesVariable = "HUBSEND_HUB_CA"
    static let proxyVariable = "HUBSEND_HUB_PROXY"

    /// The largest file of certificate authorities, in bytes.
    private static let longest = 1 << 20

    /// The config's line about a local hub that a variable overrides.
    fileprivate(set) var localHub: String?
    private let authorities: String?
    private let proxyText: String?
    /// The connection string with the hub's second key, if set, which is used after the hub has
    /// refused the first key.
    let secondary: Secret?

    init(_ invocation: Invocation) {
        authorities = invocation[Self.authoritiesVariable].map(invocation.absolute)
        proxyText = invocation[Self.proxyVariable]
        secondary = Secret.inEnvironment(Secret.secondaryConnectionString, of: invocation)
    }

    /// Refuses a remote hub if the config names the local one, because real people could get a
    /// test.
    func refuseRemote(_ host: String, from setting: String) throws(Refused) {
        guard let localHub else { return }
        throw Refused(
            """
            \(localHub) names the local hub (hub.local), but \(setting) points to the hub at \(host). To try things on this \
            machine, unset \(setting); to send through \(host), remove `local` from `hub` in the config.
            """)
    }

    /// Certificate authorities in PEM that are trusted in addition to the system's.
    ///
    /// Such authorities are required for a local hub or for some proxies. Only the owner may have
    /// write access to the file, because anybody who can change it could impersonate the hub.
    func trustRoots() throws -> [String] {
        guard let authorities else { return [] }
        let data = try SettingFile.read(
            authorities, from: Self.authoritiesVariable, protected: .trusted, limit: Self.longest)
        guard let text = String(data: data, encoding: .utf8),
            text.contains("-----BEGIN CERTIFICATE-----")
        else {
            throw Refused(
                """
                The file \(authorities) (\(Self.authoritiesVariable)) does not contain a PEM \
                certificate, which begins with -----BEGIN CERTIFICATE-----.
                """)
        }
        return [text]
    }

    /// The proxy, such as `http://proxy.example:3128`, with or without the scheme.
    func proxy() throws(Refused) -> HostAndPort? {
        guard let proxyText else { return nil }
        var rest = Substring(proxyText)
        if rest.hasPrefix("http://") { rest = rest.dropFirst("http://".count) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if let address = HostAndPort(rest) { return address }
        // The value may contain a password, so it is not quoted.
        throw Refused(
            """
            \(Self.proxyVariable) is not a valid proxy. Write http://, its host and its port, such \
            as http://proxy.example:3128. A proxy that requires a password cannot be used.
            """)
    }
}

extension HubSetting {
    var name: String? {
        if case .remote(_, let name) = self { name } else { nil }
    }

    var devices: String? {
        if case .local(let devices) = self { devices } else { nil }
    }

    /// The file with a key or device handles that the setting names, if any.
    var file: String? {
        switch self {
        case .local(let devices): devices
        case .remote(.file(let path), _): path
        case .remote: nil
        }
    }
}
