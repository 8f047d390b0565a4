/// The text that `hubsend hub` prints for a person when it is ready.
package struct HubAnnouncement {
    private let address: LocalHubAddress
    private let ownKeysSetting: String?
    private let authorityFile: String?

    /// `ownKeysSetting` is the setting that contains secret keys; if given, no connection string is
    /// shown.
    package init(_ address: LocalHubAddress, ownKeysSetting: String?, authorityFile: String?) {
        self.address = address
        self.ownKeysSetting = ownKeysSetting
        self.authorityFile = authorityFile
    }

    /// The inbox page; nil if the hub does not listen on loopback.
    private var inbox: String? { address.loopbackURL.map { $0 + "/" } }

    package var text: String {
        """
        The local hub \(address.hubName) is \
        ready\(ownKeysSetting.map { ", with the keys in \($0)" } ?? ""). Press Ctrl-C to stop it.

        \(addresses)

        \(ownKeysSetting == nil ? publishedKeys : ownKeys)

        """
    }

    private var addresses: String {
        var lines: [String] = []
        if let inbox { lines.append("  inbox  \(inbox)") }
        lines.append("  http   \(address.httpURL)")
        if let https = address.httpsURL { lines.append("  https  \(https)") }
        if inbox == nil {
            lines += [
                "",
                "The inbox is available only on this machine, but the hub does not listen on "
                    + "127.0.0.1.",
                "Use --allow-host to make it available to other machines.",
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

                TLS works only on this machine, at https://localhost. For other machines, use --tls-cert.
                """
        }
        let trust =
            if address.authorityPEM == nil {
                ""
            } else if let authorityFile {
                " (it must trust \(authorityFile))"
            } else {
                " (it must trust the certificate that --ca-file FILE writes)"
            }
        return """

            For an SDK that requires TLS\(trust):
              \(connectionString)
            """
    }
}
