import CampaignCore

enum HeaderField {
    /// The maximum length of a value in bytes.
    static let limit = 1_024

    /// Whether the hub forwards a header to the push service; other headers are set only by the
    /// client.
    private static func isPlatformOption(_ name: String) -> Bool {
        let lower = name.lowercased()
        return (lower.hasPrefix("apns-") || lower.hasPrefix("x-")) && name.utf8.count <= limit
            && name.utf8.allSatisfy { $0.isAlphanumeric(or: "-_") }
    }

    /// Whether a header is valid in HTTP (RFC 9110, section 5), so that it cannot smuggle in
    /// another request.
    static func isSendable(name: String, value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(AnswerField.isToken)
            && value.utf8.allSatisfy(AnswerField.isText)
            && !["content-length", "transfer-encoding"].contains(name.lowercased())
    }

    static func checkOptions(_ headers: [String: String]) throws(NotificationError) {
        for (name, value) in headers {
            guard isPlatformOption(name) else { throw .headerNotAllowed }
            guard isValue(value) else { throw .invalidHeaderValue(name) }
        }
    }

    /// Whether a value is 1 to `limit` bytes of printable ASCII without surrounding spaces.
    static func isValue(_ value: String, limit: Int = Self.limit) -> Bool {
        (1...limit).contains(value.utf8.count)
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && value.utf8.first != 0x20 && value.utf8.last != 0x20
    }
}
