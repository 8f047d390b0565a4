import CampaignCore
import Foundation

/// What `hubsend serve` says when it is ready.
package struct BackendAnnouncement {
    private let url: String
    private let store: String
    private let audit: String

    /// - Parameters:
    ///   - url: where it listens.
    ///   - store: the store that it works on.
    ///   - audit: the file in which it is written down who did what.
    package init(_ url: String, store: String, audit: String) {
        self.url = url
        self.store = store
        self.audit = audit
    }

    /// To a person, whole lines.
    package var text: String {
        """
        The app backend listens on \(url). Ctrl-C ends it.

          store  \(VisibleText.escape(store))
          audit  \(VisibleText.escape(audit))

        A device to try it with: hubsend device --user NAME --platform apns --backend \(url)

        """
    }

    /// To a program: one line of JSON, with its end.
    package func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return Array(try encoder.encode(["url": url])) + [UInt8(ascii: "\n")]
    }
}
