package import CampaignCore
import Files
package import FoundationEssentials
import HTTPServing

/// One line of the audit: who did what, to what, from where, and how it ended.
///
/// Never a payload, password, token or handle.
package struct AuditEntry: Hashable, Sendable {
    package enum Action: String, Hashable, Sendable {
        /// Asks for a registration id, or registers a device under one.
        case register
        case unregister
        case fetch
        /// A list or a description, without a payload.
        case list
        case read
        case send
        case show
        /// A request refused before its action was known, such as for its address or length.
        case request
        /// A minute's further refusals of clients at one address that did not sign in.
        case refusals
    }

    private static let longestReason = 400

    package var time: Date
    /// The proven user; nil when nobody signed in.
    package var user: Username?
    /// The name in refused credentials; nil when there was none or it cannot be a username.
    package var claimed: Username?
    package var action: Action
    /// The id or username that the request was about; never longer text of a client's choice.
    package var what: String?
    package var address: String?
    package var outcome: String
    /// The number of requests that it stands for; nil means one.
    package var count: Int?
    /// May quote a client, escaped and cut; never a token or a password.
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

    /// The line without a forgotten person's name; nor an address, if they signed in.
    ///
    /// A name in refused credentials does not prove who sent them, so that address stays.
    static func forgetting(_ person: Username, in line: [UInt8]) -> [UInt8] {
        // Quotes within values are escaped, so a value cannot contain a key.
        func member(_ key: String, _ name: String) -> [UInt8] {
            Array("\"\(key)\":\"\(name)\"".utf8)
        }
        var line = line
        for key in ["user", "claimed", "what"] {
            let named = member(key, person.text)
            guard let place = line.firstPlace(of: named) else { continue }
            line.replaceSubrange(place..<place + named.count, with: member(key, ""))
            guard key == "user", let from = line.firstPlace(of: Array(#""from":""#.utf8)),
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

    /// Removes a name between quotation marks, where a reason has what a client said.
    private static func remove(_ name: [UInt8], fromReasonOf line: inout [UInt8]) {
        let key = Array(#""reason":""#.utf8)
        guard let first = line.firstPlace(of: key).map({ $0 + key.count }) else { return }
        var start = first
        while let place = line.firstPlace(of: name, from: start) {
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
