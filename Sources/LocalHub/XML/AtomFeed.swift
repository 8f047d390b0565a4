import Foundation

/// An Atom feed as the service writes it (reference, section 6.3).
struct AtomFeed {
    /// The title.
    let title: String
    /// The address of the feed.
    let address: String
    /// The address of the next page; nil when there is none.
    var next: String?
    /// When it was made.
    let updated: Date
    /// The entries.
    let entries: [AtomEntry]

    /// The content type of a feed.
    static let contentType = "application/atom+xml; type=feed; charset=utf-8"

    /// The feed.
    var xml: String {
        let url = XMLText.attribute(address)
        return "<feed xmlns=\"\(ServiceNamespace.atom)\">"
            + "<title type=\"text\">\(XMLText.escaped(title))</title><id>\(url)</id>"
            + "<updated>\(ServiceTime.seconds(updated))</updated>"
            + "<link rel=\"self\" href=\"\(url)\"/>"
            + (next.map { "<link rel=\"next\" href=\"\(XMLText.attribute($0))\"/>" } ?? "")
            + entries.map(\.xml).joined() + "</feed>"
    }
}
