public import Foundation

/// A notification's title, link and additional keys for the app.
public struct NotificationExtras: Hashable, Sendable {
    /// Extras without a title, link or data.
    public static let none = NotificationExtras()

    /// The title, shown above the text.
    public var title: String?
    /// The link that the notification opens, as it was sent.
    public var link: String?
    /// Additional keys and values for the app.
    public var data: [String: String]

    /// Creates extras.
    public init(title: String? = nil, link: String? = nil, data: [String: String] = [:]) {
        self.title = title
        self.link = link
        self.data = data
    }

    /// The link as a URL; nil if it has no scheme.
    ///
    /// The sender chose the URL, so check its scheme before you open it.
    public var url: URL? {
        guard let link, let url = URL(string: link), url.scheme != nil else { return nil }
        return url
    }
}

extension NotificationExtras: Decodable {
    private enum CodingKeys: String, CodingKey {
        case title, link, data
    }

    /// Reads the backend's JSON, in which any key can be missing.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        title = try object.decodeIfPresent(String.self, forKey: .title)
        link = try object.decodeIfPresent(String.self, forKey: .link)
        data = try object.decodeIfPresent([String: String].self, forKey: .data) ?? [:]
    }
}
