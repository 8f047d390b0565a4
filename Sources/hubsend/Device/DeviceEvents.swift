import CampaignCore
import NIOSSL
import NotificationHubs

/// Where a local hub tells of pushes to a user's devices.
struct DeviceEvents: Sendable {
    /// The address without `after`.
    let address: String
    /// The hub as a person knows it.
    let hub: String
    /// How the hub is spoken to over TLS.
    let tls: TLSConfiguration

    /// Finds the address; asks the hub for its name, where nothing gives it.
    ///
    /// - Parameters:
    ///   - user: whose devices.
    ///   - hub: the hub that the settings name.
    /// - Throws: ``CommandFailure`` for a hub that is not on this machine, or is no process of its own.
    init(of user: Username, at hub: HubChoice) async throws {
        guard case .remote(let secret, let name, let route) = hub else {
            throw CommandFailure(
                .configuration,
                """
                The hub of hub.local lives within `hubsend run` and cannot be watched. Start `hubsend hub`, and set \
                \(Secret.connectionString) as it says.
                """)
        }
        let connection = try await HubChoice.connection(secret, name: name, by: route)
        let endpoint = connection.connectionString.endpoint
        guard connection.isLoopback else {
            throw CommandFailure(
                .configuration,
                """
                The hub \(endpoint.host) in \(secret.setting) is no local hub, and only a local one tells what devices \
                get. Start `hubsend hub`, and set \(Secret.connectionString) as it says.
                """)
        }
        self.hub = "\(endpoint)"
        tls = try TLSConfiguration.hub(trusting: connection.trustRoots)
        address =
            "\(endpoint)/.hubsend/devices/\(Self.encoded(user.text))/events"
            + "?hub=\(Self.encoded(connection.name.rawValue))"
    }

    /// Encodes all but letters, digits, `-`, `.`, `_` and `~`.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default:
                "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
