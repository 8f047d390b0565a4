public import Foundation

/// What the backend keeps for a device to fetch, as it came.
public struct NotificationContent: Hashable, Sendable {
    /// The bytes.
    public let data: Data
    /// What they are, such as `image/png`, as the backend says; check it before you show them.
    public let mediaType: String

    /// Makes a content.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - mediaType: what they are.
    public init(data: Data, mediaType: String) {
        self.data = data
        self.mediaType = mediaType
    }

    /// The media type alone, in lower case: `text/plain` for `Text/Plain; charset=utf-8`.
    public var essence: String {
        let type = mediaType.prefix { $0 != ";" }
        return type.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The bytes as a text; nil when the media type is not `text/…`, or the bytes are not valid UTF-8.
    public var text: String? {
        essence.hasPrefix("text/") ? String(data: data, encoding: .utf8) : nil
    }

    /// The address that a `text/uri-list` names first; nil when there is none (RFC 2483, section 5).
    ///
    /// Whoever sent the notification chose it: look at its scheme before you open it.
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
