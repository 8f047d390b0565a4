/// The kinds of WNS notifications, by the values of `X-WNS-Type` (reference, section 3.6).
enum WNSNotificationType: String, CaseIterable {
    case toast = "wns/toast"
    case tile = "wns/tile"
    case badge = "wns/badge"
    case raw = "wns/raw"

    /// The type that the root element of a payload gives away; nil when it is none of `toast`, `tile`
    /// and `badge`.
    ///
    /// The text is not parsed as XML: clients declare utf-16 and send UTF-8.
    ///
    /// - Parameter payload: the body of the send.
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
