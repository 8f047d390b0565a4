public import Foundation

/// What a notification has beside its text: a title, what opening it opens, and further keys for the app.
public struct NotificationExtras: Hashable, Sendable {
    /// Neither title nor link nor data.
    public static let none = NotificationExtras()

    /// What is shown above the text; nil when there is none.
    public var title: String?
    /// What opening the notification opens, as it was sent; nil when it says nothing of that.
    public var link: String?
    /// Further keys for the app, and their texts.
    public var data: [String: String]

    /// Makes extras.
    ///
    /// - Parameters:
    ///   - title: what is shown above the text.
    ///   - link: what opening the notification opens.
    ///   - data: further keys for the app.
    public init(title: String? = nil, link: String? = nil, data: [String: String] = [:]) {
        self.title = title
        self.link = link
        self.data = data
    }

    /// The link as an address; nil without a link, or when the link is not an address with a scheme.
    ///
    /// Whoever sent the notification chose it: look at its scheme before you open it.
    public var url: URL? {
        guard let link, let url = URL(string: link), url.scheme != nil else { return nil }
        return url
    }
}

extension NotificationExtras: Decodable {
    private enum CodingKeys: String, CodingKey {
        case title, link, data
    }

    /// Reads what the backend writes beside a notification's other keys; what is not there is left out.
    ///
    /// - Parameter decoder: where it stands.
    /// - Throws: `DecodingError` when one of them is not a text.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        title = try object.decodeIfPresent(String.self, forKey: .title)
        link = try object.decodeIfPresent(String.self, forKey: .link)
        data = try object.decodeIfPresent([String: String].self, forKey: .data) ?? [:]
    }
}
