import Foundation

/// What `hubsend hub` says to a person when it is ready.
package struct HubAnnouncement {
    private let address: LocalHubAddress
    private let ownKeysSetting: String?
    private let authorityFile: String?

    /// `ownKeysSetting` names the setting with secret keys; then no connection string is shown.
    package init(_ address: LocalHubAddress, ownKeysSetting: String?, authorityFile: String?) {
        self.address = address
        self.ownKeysSetting = ownKeysSetting
        self.authorityFile = authorityFile
    }

    /// The inbox page; nil when the hub does not listen on loopback.
    private var inbox: String? { address.loopbackURL.map { $0 + "/" } }

    package var text: String {
        """
        The local hub \(address.hubName) is ready\(ownKeysSetting.map { ", with the keys of \($0)" } ?? ""). \
        Ctrl-C ends it.

        \(places)

        \(ownKeysSetting == nil ? publishedKeys : ownKeys)

        """
    }

    private var places: String {
        var lines: [String] = []
        if let inbox { lines.append("  inbox  \(inbox)") }
        lines.append("  http   \(address.httpURL)")
        if let https = address.httpsURL { lines.append("  https  \(https)") }
        if inbox == nil {
            lines += [
                "",
                "The inbox is shown to this machine only, and the hub does not listen on 127.0.0.1;",
                "--allow-host shows it to others.",
            ]
        }
        return lines.joined(separator: "\n")
    }

    private var publishedKeys: String {
        """
          export HUBSEND_HUB_CONNECTION_STRING='\(address.connectionString(.developmentFull))'
          export HUBSEND_HUB_NAME='\(address.hubName)'
        \(sdks(address.tlsConnectionString(.developmentFull)))
        For a program that only sends:
          \(address.connectionString(.developmentSend))
        For an app that only registers itself:
          \(address.connectionString(.developmentListen))
        """
    }

    private var ownKeys: String {
        """
          Endpoint=http://HOST:\(address.port)/;SharedAccessKeyName=NAME;SharedAccessKey=KEY
        \(sdks(address.tlsPort.map {
            "Endpoint=sb://HOST:\($0)/;SharedAccessKeyName=NAME;SharedAccessKey=KEY"
        }))
        """
    }

    private func sdks(_ connectionString: String?) -> String {
        guard let connectionString else { return "" }
        guard address.authorityPEM == nil || address.isLoopback else {
            return """

                TLS is for this machine only, by https://localhost; for others it needs --tls-cert.
                """
        }
        let trust =
            if address.authorityPEM == nil {
                ""
            } else if let authorityFile {
                ", which has to trust \(authorityFile)"
            } else {
                ", which has to trust the file that --ca-file FILE writes"
            }
        return """

            For an SDK that insists on TLS\(trust):
              \(connectionString)
            """
    }
}

/// The one line of `hubsend hub --json`.
package struct HubReadyLine: Encodable {
    private let address: LocalHubAddress
    private let usesOwnKeys: Bool

    /// With secret keys of its owner, no connection string is shown.
    package init(_ address: LocalHubAddress, usesOwnKeys: Bool) {
        self.address = address
        self.usesOwnKeys = usesOwnKeys
    }

    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
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
    package func encode(to encoder: any Encoder) throws {
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
