package import CampaignCore
import Files
package import FoundationEssentials
import HTTPServing

/// One line of the audit: who did what, to what, from where, and how it ended.
///
/// A line never contains a payload, password, token or handle.
package struct AuditEntry: Hashable, Sendable {
    package enum Action: String, Hashable, Sendable {
        /// A request for a registration id, or the registration of a device under an id.
        case register
        case unregister
        case fetch
        /// A list or a description; neither contains a payload.
        case list
        case read
        case send
        case show
        /// A request that was refused before its action was known, for example because it was too
        /// long.
        case request
        /// Refused requests that were only counted: those sent from one address within one minute
        /// without a sign-in.
        case refusals
    }

    private static let longestReason = 400

    package var time: Date
    /// The user who signed in, if any.
    package var user: Username?
    /// The name in refused credentials, if it is a valid username.
    package var claimed: Username?
    package var action: Action
    /// The id or username that the request was about, but never free text from a client.
    package var what: String?
    package var address: String?
    package var outcome: String
    /// How many requests this entry represents; nil means one.
    package var count: Int?
    /// The reason, which may quote text from a client, escaped and shortened, but never a token or
    /// password.
    package var reason: String?

    var isAnonymous: Bool { user == nil && action != .show }

    func append(to lines: inout [UInt8]) {
        var object = JSONWriter(after: &lines)
        object.add("time", precise: time)
        object.add("user", user?.text)
        if let claimed { object.add("claimed", claimed.text) }
        object.add("action", action.rawValue)
        object.add("what", what)
        object.add("from", address)
        object.add("outcome", outcome)
        if let count { object.add("count", count) }
        if let reason { object.add("reason", String(reason.prefix(Self.longestReason))) }
        lines = object.text
        lines.append(UInt8(ascii: "\n"))
    }
}

extension AuditEntry {
    static let beginning = Array(#"{"time":""#.utf8)

    /// Removes a forgotten person's name from a line, and also the address if the person had signed
    /// in.
    ///
    /// Refused credentials do not prove who sent them, so their address is kept.
    static func forgetting(_ person: Username, in line: [UInt8]) -> [UInt8] {
        // Quotes within values are escaped, so a value cannot contain a key.
        func member(_ key: String, _ name: String) -> [UInt8] {
            Array("\"\(key)\":\"\(name)\"".utf8)
        }
        var line = line
        for key in ["user", "claimed", "what"] {
            let named = member(key, person.text)
            guard let place = line.firstOccurrence(of: named) else { continue }
            line.replaceSubrange(place..<place + named.count, with: member(key, ""))
            guard key == "user", let from = line.firstOccurrence(of: Array(#""from":""#.utf8)),
                let start = line[from...].firstIndex(of: UInt8(ascii: ":")).map({ $0 + 1 }),
                let end = line[(start + 1)...].firstIndex(of: UInt8(ascii: "\""))
            else { continue }
            line.replaceSubrange(start...end, with: Array("null".utf8))
        }
        remove(Array(person.text.utf8), fromReasonOf: &line)
        return line
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "_@#.:-".utf8.contains(byte)
    }

    /// Removes a name from the quoted parts of a reason, which come from a client.
    private static func remove(_ name: [UInt8], fromReasonOf line: inout [UInt8]) {
        let key = Array(#""reason":""#.utf8)
        guard let first = line.firstOccurrence(of: key).map({ $0 + key.count }) else { return }
        var start = first
        while let place = line.firstOccurrence(of: name, from: start) {
            start = place + name.count
            let marks = line[first..<place].count { $0 == UInt8(ascii: "\"") }
            guard start < line.count, !marks.isMultiple(of: 2), !Self.isOfName(line[place - 1]),
                !Self.isOfName(line[start])
            else { continue }
            line.removeSubrange(place..<start)
            start = place
        }
    }
}
