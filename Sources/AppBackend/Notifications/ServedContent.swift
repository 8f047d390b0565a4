import CampaignCore
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A payload to serve; its content is untrusted, and a browser must not treat it as a page of this
/// server.
struct ServedContent {
    private static let unknownType = "application/octet-stream"
    private static let longestType = 200
    /// Image types that cannot contain scripts, unlike SVG.
    private static let rasterImages: Set<String> = [
        "image/apng", "image/avif", "image/bmp", "image/gif", "image/heic", "image/heif",
        "image/jpeg", "image/jxl", "image/png", "image/tiff", "image/webp",
    ]

    private static let fields: HTTPFields = [
        .cacheControl: "private", .vary: "Authorization", .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "sandbox",
    ]

    private let mediaType: String
    private let digest: String?
    private let byteCount: Int

    init(_ notification: StoredNotification, byteCount: Int) {
        mediaType = Self.checked(notification.mediaType)
        digest = notification.digest
        self.byteCount = byteCount
    }

    private var tag: EntityTag? { digest.map(EntityTag.init(digest:)) }

    func reply(_ bytes: [UInt8], ifNoneMatch: String?) -> BackendReply {
        if let unchanged = unchanged(ifNoneMatch: ifNoneMatch) { return unchanged }
        return BackendReply(
            Response(
                status: .ok, headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))))
    }

    func head() -> BackendReply {
        var fields = headers
        fields[.contentLength] = String(byteCount)
        return BackendReply(Response(status: .ok, headers: fields))
    }

    func unchanged(ifNoneMatch: String?) -> BackendReply? {
        guard let tag, let ifNoneMatch, tag.isAmong(ifNoneMatch) else { return nil }
        var response = Response(
            status: .notModified,
            headers: [.eTag: tag.text, .cacheControl: "private", .vary: "Authorization"])
        response.withoutLength()
        return BackendReply(response, outcome: "not_modified")
    }

    private var headers: HTTPFields {
        var fields = Self.fields
        fields[.contentType] = mediaType
        if let tag { fields[.eTag] = tag.text }
        if !isHarmless { fields[.contentDisposition] = "attachment" }
        return fields
    }

    /// Whether a browser may show the payload inline.
    private var isHarmless: Bool {
        let (semicolon, space) = (UInt8(ascii: ";"), UInt8(ascii: " "))
        let essence = Substring(mediaType.utf8.prefix { $0 != semicolon && $0 != space })
            .lowercased()
        return essence == "text/plain" || essence.hasPrefix("audio/")
            || essence.hasPrefix("video/") || Self.rasterImages.contains(essence)
    }

    private static func checked(_ mediaType: String?) -> String {
        guard let mediaType, mediaType.utf8.count <= longestType,
            mediaType.utf8.contains(UInt8(ascii: "/")),
            mediaType.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { return unknownType }
        return mediaType
    }
}

/// A strong entity tag, made from the digest of the bytes (RFC 9110, section 8.8.3).
private struct EntityTag: Equatable {
    /// Hexadecimal.
    let digest: String

    /// The tag in quotes, as in `ETag`.
    var text: String { "\"\(digest)\"" }

    /// Whether `If-None-Match`, which is `*` or a list of tags, matches (RFC 9110, section 13.1.2).
    ///
    /// Proxies that compress a response extend its tag: `"…-gzip"`, `"…;br"`, `"…--gzip"`.
    func isAmong(_ field: String) -> Bool {
        field.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            guard tag.hasPrefix("\"" + digest), tag.hasSuffix("\"") else { return false }
            let rest = tag.dropFirst(digest.count + 1)
            return rest.count == 1 || rest.first == "-" || rest.first == ";"
        }
    }
}
