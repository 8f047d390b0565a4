/// Which sending of a campaign a run is; unique per hub and campaign.
package struct Occurrence: Hashable, Sendable, CustomStringConvertible {
    package static let maximumLength = 64

    /// The only sending, if nothing else was asked for.
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

    package var isAgain: Bool { hasRunID(behind: Self.againPrefix) }

    private static let restPrefix = "rest-"

    /// Sends only to people an earlier sending did not reach.
    package static func rest(_ run: RunID) -> Occurrence {
        Occurrence(checked: restPrefix + run.text)
    }

    package var isRest: Bool { hasRunID(behind: Self.restPrefix) }

    package static let fallbackPrefix = "fallback-"

    /// The push to people who have not fetched what an earlier run sent.
    ///
    /// - Parameter number: from 1; a run with waves may have several.
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

    /// A rehearsal is no sending of the campaign, so each has its own occurrence.
    package static func rehearsal(_ run: RunID) -> Occurrence {
        Occurrence(checked: "rehearsal-\(run)")
    }

    package var description: String { text }

    private func hasRunID(behind prefix: String) -> Bool {
        text.hasPrefix(prefix) && RunID(String(text.dropFirst(prefix.count))) != nil
    }
}

/// The hub of a run: its host without port and its name, lower-case.
///
/// A run begun on the local hub is therefore never continued on production.
package struct HubIdentity: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Stands for the embedded hub's host, since its port changes each time.
    package static let embeddedHost = "local"

    package let host: String
    package let name: String

    /// - Parameter host: without port; ``embeddedHost`` for the embedded local hub.
    package init(host: String, name: String) {
        self.host = host.lowercased()
        self.name = name.lowercased()
    }

    /// Reads what ``description`` wrote; nil without a slash.
    package init?(_ text: String) {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        self.init(host: String(text[..<slash]), name: String(text[text.index(after: slash)...]))
    }

    /// `host/name`.
    package var description: String { "\(host)/\(name)" }

    /// Whether it is a local hub, through which nothing reaches phones.
    package var isOnThisMachine: Bool { host == Self.embeddedHost || host == "127.0.0.1" }

    /// For people, who might take a local hub for a real one.
    package var words: String {
        description + (isOnThisMachine ? ", a local hub: it reaches no phones" : "")
    }
}
