/// What may stand in a request's header.
enum HeaderField {
    /// The longest name or value that is sent, in bytes.
    static let limit = 1_024

    /// Whether a name is that of an option which the hub passes on to a push service (reference:
    /// sections 3.5 to 3.7).
    ///
    /// Everything else, such as `Authorization` or `ServiceBusNotification-Tags`, is the client's
    /// own to set.
    private static func isPlatformOption(_ name: String) -> Bool {
        let lower = name.lowercased()
        return (lower.hasPrefix("apns-") || lower.hasPrefix("x-")) && name.utf8.count <= limit
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Whether a header can be written as HTTP (RFC 9110, section 5), and does not change where the
    /// request ends.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value; any bytes but control characters.
    /// - Returns: whether it can be sent.
    static func isSendable(name: String, value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(AnswerField.isToken)
            && value.utf8.allSatisfy(AnswerField.isText)
            && !["content-length", "transfer-encoding"].contains(name.lowercased())
    }

    /// Checks push services' options.
    ///
    /// - Parameter headers: names and values.
    /// - Throws: ``NotificationError`` for a name that is not that of an option, or a value that a
    ///   header cannot carry.
    static func checkOptions(_ headers: [String: String]) throws(NotificationError) {
        for (name, value) in headers {
            guard isPlatformOption(name) else { throw .headerNotAllowed }
            guard isValue(value) else { throw .invalidHeaderValue(name) }
        }
    }

    /// Whether a value is bytes of printable ASCII without spaces around.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - limit: the most bytes it may have; it has one at least.
    /// - Returns: whether it can be sent.
    static func isValue(_ value: String, limit: Int = Self.limit) -> Bool {
        (1...limit).contains(value.utf8.count)
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && value.utf8.first != 0x20 && value.utf8.last != 0x20
    }
}
