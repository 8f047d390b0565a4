public import Foundation

/// The content that a device fetches from the backend, exactly as it was sent.
public struct NotificationContent: Hashable, Sendable {
    /// The bytes of the content.
    public let data: Data
    /// The media type according to the backend, such as `image/png`; check it before you show the
    /// data.
    public let mediaType: String

    /// Creates content.
    public init(data: Data, mediaType: String) {
        self.data = data
        self.mediaType = mediaType
    }

    /// The media type without parameters, in lower case: `text/plain` for `Text/Plain;
    /// charset=utf-8`.
    public var essence: String {
        let type = mediaType.prefix { $0 != ";" }
        return type.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The bytes as text; nil unless the media type is `text/…` and the bytes are valid UTF-8.
    public var text: String? {
        essence.hasPrefix("text/") ? String(data: data, encoding: .utf8) : nil
    }

    /// The first URL of a `text/uri-list` (RFC 2483, section 5); nil if it has no URL.
    ///
    /// The sender chose the URL, so check its scheme before you open it.
    public var url: URL? {
        guard essence == "text/uri-list", let text else { return nil }
        let lines = text.split(whereSeparator: \.isNewline).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard let line = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("#") }),
            let url = URL(string: line), url.scheme != nil
        else { return nil }
        return url
    }
}
