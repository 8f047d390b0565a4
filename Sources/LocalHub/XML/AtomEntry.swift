import Foundation

/// An Atom entry as the service writes it: one line, no declaration, no white space (reference, section 6.3).
struct AtomEntry {
    /// The address of what the entry describes.
    let address: String
    /// The title.
    let title: String
    /// When it last changed.
    let updated: Date
    /// When it was made; nil: the service writes the last change there too, as it does for registrations.
    var published: Date?
    /// The version, for entries that have one.
    var version: Int?
    /// The description inside, as XML.
    let content: String

    /// The value of the `ETag` header for a version.
    static func tag(_ version: Int) -> String { "W/\"\(version)\"" }

    /// The content type of an entry that stands alone.
    static let contentType = "application/atom+xml; type=entry; charset=utf-8"

    /// The entry.
    var xml: String {
        let etag = version.map { "a:etag=\"\(XMLText.attribute(Self.tag($0)))\" " } ?? ""
        let metadata = version == nil ? "" : " xmlns:a=\"\(ServiceNamespace.metadata)\""
        let url = XMLText.attribute(address)
        return "<entry \(etag)xmlns=\"\(ServiceNamespace.atom)\"\(metadata)><id>\(url)</id>"
            + "<title type=\"text\">\(XMLText.escaped(title))</title>"
            + "<published>\(ServiceTime.seconds(published ?? updated))</published>"
            + "<updated>\(ServiceTime.seconds(updated))</updated>"
            + "<link rel=\"self\" href=\"\(url)\"/>"
            + "<content type=\"application/xml\">\(content)</content></entry>"
    }
}
