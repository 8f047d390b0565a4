import CampaignCore
import Foundation
import LocalHub

/// The one line of `hubsend hub --json` (contract, section 11).
struct HubReadyLine: Encodable {
    private let address: LocalHubAddress
    private let usesOwnKeys: Bool

    /// - Parameters:
    ///   - address: where the hub is.
    ///   - usesOwnKeys: whether its keys are its owner's secrets; then no connection string is shown.
    init(_ address: LocalHubAddress, usesOwnKeys: Bool) {
        self.address = address
        self.usesOwnKeys = usesOwnKeys
    }

    func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return VisibleText.json(String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
    }

    private enum CodingKeys: CodingKey {
        case hub, http, https, inbox
    }

    private enum EndpointKeys: String, CodingKey {
        case url
        case connectionString = "connection_string"
        case authority = "ca"
    }

    // What is not there is null, so that a script finds every key.
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(address.hubName, forKey: .hub)
        var http = object.nestedContainer(keyedBy: EndpointKeys.self, forKey: .http)
        try http.encode(address.httpURL, forKey: .url)
        try http.encode(
            usesOwnKeys ? nil : address.connectionString(.developmentFull),
            forKey: .connectionString)
        if let url = address.httpsURL {
            var https = object.nestedContainer(keyedBy: EndpointKeys.self, forKey: .https)
            try https.encode(url, forKey: .url)
            try https.encode(
                usesOwnKeys ? nil : address.tlsConnectionString(.developmentFull),
                forKey: .connectionString)
            try https.encode(address.authorityPEM, forKey: .authority)
        } else {
            try object.encodeNil(forKey: .https)
        }
        try object.encode(address.loopbackURL.map { $0 + "/" }, forKey: .inbox)
    }
}
