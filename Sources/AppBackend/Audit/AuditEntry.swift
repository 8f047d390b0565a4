package import CampaignCore
import Files
package import FoundationEssentials

/// Who did what, to what, from where, and how it ended: one line of the audit.
///
/// Never a payload, password, token or handle.
package struct AuditEntry: Hashable, Sendable {
    package enum Action: String, Hashable, Sendable {
        /// A registration id was asked for, or a device registered under one.
        case register
        case unregister
        /// A payload was asked for.
        case fetch
        /// What a payload is was asked for, or a list, but no payload.
        case list
        case read
        case send
        /// A payload was shown to an operator.
        case show
        /// A request was refused for its address, its method or the length of its body, before it
        /// was known what it asked for. What is not HTTP at all has no line.
        case request
        /// Further requests from an address, of people who did not sign in, were refused within a
        /// minute.
        case refusals
    }

    private static let longestReason = 200

    package var time: Date
    /// Who, proven; nil: nobody signed in.
    package var user: Username?
    /// The name that a refused request gave; nil: none, or none that a user can have.
    package var claimed: Username?
    package var action: Action
    /// The id, or the name of the user, that it was about; never anything longer that a client may
    /// choose.
    package var what: String?
    /// The client's address.
    package var address: String?
    /// One word, such as `ok` or `not_found`.
    package var outcome: String
    /// How many it stands for; nil: one.
    package var count: Int?
    /// Why, in a few words of the backend's own.
    package var reason: String?

    package init(
        time: Date, user: Username?, claimed: Username? = nil, action: Action, what: String?,
        address: String?, outcome: String, count: Int? = nil, reason: String? = nil
    ) {
        self.time = time
        self.user = user
        self.claimed = claimed
        self.action = action
        self.what = what
        self.address = address
        self.outcome = outcome
        self.count = count
        self.reason = reason
    }

    /// Whether it is about a request of somebody who did not sign in.
    var isAnonymous: Bool { user == nil && action != .show }

    /// The line, with its line feed.
    var line: [UInt8] {
        var object = JSONObject()
        object.add("time", UTCTime.preciseText(time))
        object.add("user", user?.text)
        if let claimed { object.add("claimed", claimed.text) }
        object.add("action", action.rawValue)
        object.add("what", what)
        object.add("from", address)
        object.add("outcome", outcome)
        if let count { object.add("count", count) }
        if let reason { object.add("reason", String(reason.prefix(Self.longestReason))) }
        return object.text + [UInt8(ascii: "\n")]
    }
}

extension AuditEntry {
    /// How a line begins.
    static let beginning = Array(#"{"time":""#.utf8)

    /// A line that was written, without a person who was forgotten.
    ///
    /// What they did themselves keeps no address either. A name that somebody else gave, who did not sign in, is no proof that
    /// it was they.
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - line: any line.
    static func forgetting(_ person: Username, in line: [UInt8]) -> [UInt8] {
        // In texts, quotes are escaped, so that no key stands in any of them.
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
        return line
    }
}
