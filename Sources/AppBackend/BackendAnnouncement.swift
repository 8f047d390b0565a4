import CampaignCore

package struct BackendAnnouncement {
    private let url: String
    private let store: String
    private let audit: String

    package init(_ url: String, store: String, audit: String) {
        self.url = url
        self.store = store
        self.audit = audit
    }

    package var text: String {
        """
        The app backend listens on \(url). Press Ctrl-C to stop it.

          store  \(VisibleText.escape(store))
          audit  \(VisibleText.escape(audit))

        To try it with a simulated device: hubsend device --user NAME --platform apns --backend \(url)

        """
    }

    /// One line of JSON, with a line feed.
    package func json() -> [UInt8] {
        var json = JSONWriter()
        json.add("url", url)
        return json.text + [UInt8(ascii: "\n")]
    }
}
