import Foundation
import LocalHub

/// The one line of `hubsend hub --json` (contract, section 11); what this version has not is null.
struct HubReadyLine: Encodable {
    private struct Endpoint: Encodable {
        let url: String
        let connection_string: String?
    }

    private enum CodingKeys: String, CodingKey {
        case hub, http, https, inbox
    }

    private let hub: String
    private let http: Endpoint

    /// - Parameters:
    ///   - address: where the hub is.
    ///   - usesOwnKeys: whether its keys are its owner's secrets; then no connection string is shown.
    init(_ address: LocalHubAddress, usesOwnKeys: Bool) {
        hub = address.hubName
        http = Endpoint(
            url: address.httpURL,
            connection_string: usesOwnKeys ? nil : address.connectionString(.developmentFull))
    }

    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(hub, forKey: .hub)
        try object.encode(http, forKey: .http)
        try object.encodeNil(forKey: .https)
        try object.encodeNil(forKey: .inbox)
    }
}
