import Foundation

struct AtomFeed {
    let title: String
    let address: String
    var next: String?
    let updated: Date
    let entries: [AtomEntry]

    static let contentType = "application/atom+xml; type=feed; charset=utf-8"

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

/// An Atom entry as the service writes it: one line, without an XML declaration or white space.
struct AtomEntry {
    let address: String
    let title: String
    let updated: Date
    /// The time of publication; if nil, the time of the last change is written, as in the service's
    /// entries for registrations.
    var published: Date?
    /// Recorded from the service: the response to an update of a hub omits it.
    var showsPublished = true
    /// The namespace, in entries of hubs.
    var author: String?
    /// For an entry in a list of hubs: the base of the list's links, and the link to the hub.
    var listing: (base: String, link: String)?
    var version: Int?
    /// The description in the entry, as XML.
    let content: String

    static func tag(_ version: Int) -> String { "W/\"\(version)\"" }

    static let contentType = "application/atom+xml; type=entry; charset=utf-8"

    var xml: String {
        let etag = version.map { "a:etag=\"\(XMLText.attribute(Self.tag($0)))\" " } ?? ""
        let metadata = version == nil ? "" : " xmlns:a=\"\(ServiceNamespace.metadata)\""
        let url = XMLText.attribute(address)
        let attributes =
            listing.map { "xml:base=\"\(XMLText.attribute($0.base))\"" }
            ?? "\(etag)xmlns=\"\(ServiceNamespace.atom)\"\(metadata)"
        let link = listing.map { XMLText.attribute($0.link) } ?? url
        let times =
            (showsPublished
                ? XMLText.element("published", ServiceTime.seconds(published ?? updated)) : "")
            + XMLText.element("updated", ServiceTime.seconds(updated))
        let author = author.map { "<author>\(XMLText.element("name", $0))</author>" } ?? ""
        return "<entry \(attributes)><id>\(url)</id>"
            + "<title type=\"text\">\(XMLText.escaped(title))</title>\(times)\(author)"
            + "<link rel=\"self\" href=\"\(link)\"/>"
            + "<content type=\"application/xml\">\(content)</content></entry>"
    }
}
