/// Identifies a sending of a campaign; there is one run per hub, campaign and occurrence.
package struct Occurrence: Hashable, Sendable, CustomStringConvertible {
    package static let maximumLength = 64

    /// The default, for a campaign that is sent only once.
    package static let once = Occurrence(checked: "once")

    package let text: String

    /// Reads a key: 1 to 64 characters of `A-Z a-z 0-9 . _ : + -`.
    package init?(key: String) {
        guard key.utf8.allSatisfy({ $0.isAlphanumeric(or: "._:+-") }),
            (1...Self.maximumLength).contains(key.utf8.count)
        else { return nil }
        self.text = key
    }

    /// Skips the check, for example for text read from the store.
    package init(checked text: String) {
        self.text = text
    }

    private static let againPrefix = "again-"

    package static func again(_ run: RunID) -> Occurrence {
        Occurrence(checked: againPrefix + run.text)
    }

    package var isAgain: Bool { hasRunID(after: Self.againPrefix) }

    private static let followUpPrefix = "rest-"

    /// Sends only to people an earlier sending did not reach.
    package static func followUp(_ run: RunID) -> Occurrence {
        Occurrence(checked: followUpPrefix + run.text)
    }

    package var isFollowUp: Bool { hasRunID(after: Self.followUpPrefix) }

    package static let fallbackPrefix = "fallback-"

    /// A push to people who have not fetched what an earlier run sent.
    ///
    /// - Parameter number: counted from 1; a run with waves may have several fallbacks.
    package static func fallback(of run: RunID, number: Int) -> Occurrence {
        Occurrence(checked: "\(fallbackPrefix)\(run)-\(number)")
    }

    /// The earlier run; nil for other sendings.
    package var fallbackOf: RunID? {
        guard text.hasPrefix(Self.fallbackPrefix) else { return nil }
        let rest = text.dropFirst(Self.fallbackPrefix.count)
        guard let dash = rest.lastIndex(of: "-"), Int(rest[rest.index(after: dash)...]) != nil
        else { return nil }
        return RunID(String(rest[..<dash]))
    }

    /// A rehearsal is not counted as a sending, so each rehearsal has its own occurrence.
    package static func rehearsal(_ run: RunID) -> Occurrence {
        Occurrence(checked: "rehearsal-\(run)")
    }

    package var description: String { text }

    private func hasRunID(after prefix: String) -> Bool {
        text.hasPrefix(prefix) && RunID(String(text.dropFirst(prefix.count))) != nil
    }
}

/// The hub of a run: its host, without a port, and its name, both in lower case.
///
/// It is recorded so that a run that started on the local hub never continues in production.
package struct HubIdentity: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Replaces the host of the embedded hub, whose port changes each time.
    package static let embeddedHost = "local"

    package let host: String
    package let name: String

    /// - Parameter host: without a port; ``embeddedHost`` for the embedded local hub.
    package init(host: String, name: String) {
        self.host = host.lowercased()
        self.name = name.lowercased()
    }

    /// Reads text in the form of ``description``; returns nil if there is no slash.
    package init?(_ text: String) {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        self.init(host: String(text[..<slash]), name: String(text[text.index(after: slash)...]))
    }

    /// `host/name`.
    package var description: String { "\(host)/\(name)" }

    /// Whether it is a local hub, which reaches no phones.
    package var isOnThisMachine: Bool { host == Self.embeddedHost || host == "127.0.0.1" }

    /// A description for messages, because people might mistake a local hub for a real one.
    package var words: String {
        if host == Self.embeddedHost {
            return "\(description), a hub that runs only during the command and reaches no phones"
        }
        return description + (isOnThisMachine ? ", a local hub that reaches no phones" : "")
    }
}
