import HTTPServing

enum WNSRules {
    private static let longestTag = 16

    static func problem(in payload: [UInt8], headers: [String: String]) -> String? {
        guard let name = headers["x-wns-type"] else { return "X-WNS-Type is missing." }
        guard let type = WNSNotificationType(rawValue: name.lowercased()) else {
            return "X-WNS-Type \(ClientText.quoted(name)) is unknown."
        }
        guard !payload.isEmpty else { return "The payload is empty." }
        if let tag = headers["x-wns-tag"], tag.count > longestTag {
            return "X-WNS-Tag has \(tag.count) characters; WNS allows \(longestTag)."
        }
        return type == .raw || WNSNotificationType(rootElementOf: payload) == type
            ? nil : "The root element of the payload does not match X-WNS-Type \(type.rawValue)."
    }
}

/// The values of `X-WNS-Type`.
enum WNSNotificationType: String, CaseIterable {
    case toast = "wns/toast"
    case tile = "wns/tile"
    case badge = "wns/badge"
    case raw = "wns/raw"

    /// The type that corresponds to the root element: `toast`, `tile` or `badge`.
    ///
    /// The text is not parsed as XML, because clients declare utf-16 but send UTF-8.
    init?(rootElementOf payload: [UInt8]) {
        var rest = String(decoding: payload.prefix(1_024), as: UTF8.self)[...]
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            guard rest.first == "?" || rest.first == "!" else { break }
        }
        let name = rest.prefix { $0.isLetter }
        switch name {
        case "toast": self = .toast
        case "tile": self = .tile
        case "badge": self = .badge
        default: return nil
        }
    }
}
