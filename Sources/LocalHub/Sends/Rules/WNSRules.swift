/// What Windows' push service refuses (reference, sections 3.6 and 9).
enum WNSRules {
    private static let longestTag = 16

    /// The first fault of a push, as a sentence; nil when there is none.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - headers: its headers, names in lower case.
    /// - Returns: the fault.
    static func fault(in payload: [UInt8], headers: [String: String]) -> String? {
        guard let name = headers["x-wns-type"] else { return "X-WNS-Type is missing." }
        guard let type = WNSNotificationType(rawValue: name.lowercased()) else {
            return "X-WNS-Type \(ClientText.quoted(name)) is unknown."
        }
        guard !payload.isEmpty else { return "The payload is empty." }
        if let tag = headers["x-wns-tag"], tag.count > longestTag {
            return "X-WNS-Tag has \(tag.count) characters; WNS takes \(longestTag)."
        }
        return type == .raw || WNSNotificationType(rootElementOf: payload) == type
            ? nil : "The root element of the payload does not fit X-WNS-Type \(type.rawValue)."
    }
}
