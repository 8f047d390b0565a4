import CampaignCore
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The payload of a rich notification as it is served: somebody's upload, which no browser may take
/// for a page of ours.
struct ServedContent {
    private static let unknownType = "application/octet-stream"
    private static let longestType = 200
    /// Images without a script in them; SVG is not one.
    private static let rasterImages: Set<String> = [
        "image/apng", "image/avif", "image/bmp", "image/gif", "image/heic", "image/heif",
        "image/jpeg", "image/jxl", "image/png", "image/tiff", "image/webp",
    ]

    private let mediaType: String
    private let digest: String?
    private let bytes: [UInt8]

    init(_ notification: StoredNotification, _ bytes: [UInt8]) {
        mediaType = Self.checked(notification.mediaType)
        digest = notification.digest
        self.bytes = bytes
    }

    /// The answer, or 304 when the client has the bytes.
    ///
    /// - Parameter ifNoneMatch: the field of this name; nil without one.
    /// - Returns: 200 or 304.
    func reply(ifNoneMatch: String?) -> BackendReply {
        let tag = digest.map(EntityTag.init(digest:))
        if let tag, let ifNoneMatch, tag.isAmong(ifNoneMatch) {
            var response = Response(
                status: .notModified,
                headers: [.eTag: tag.text, .cacheControl: "private", .vary: "Authorization"])
            response.withoutLength()
            return BackendReply(response, outcome: "not_modified")
        }
        var fields: HTTPFields = [
            .contentType: mediaType, .cacheControl: "private", .vary: "Authorization",
            .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "sandbox",
        ]
        if let tag { fields[.eTag] = tag.text }
        if !isHarmless { fields[.contentDisposition] = "attachment" }
        return BackendReply(
            Response(
                status: .ok, headers: fields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))))
    }

    /// Whether a browser may show it where it is.
    private var isHarmless: Bool {
        let essence = mediaType.prefix { $0 != ";" && $0 != " " }.lowercased()
        return essence == "text/plain" || essence.hasPrefix("audio/")
            || essence.hasPrefix("video/") || Self.rasterImages.contains(essence)
    }

    /// The stored type, when it can stand in a header field.
    private static func checked(_ mediaType: String?) -> String {
        guard let mediaType, mediaType.utf8.count <= longestType, mediaType.contains("/"),
            mediaType.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return unknownType }
        return mediaType
    }
}
