/// Which sending of a campaign a run is.
///
/// At most one run exists per hub, campaign and occurrence; what is finished is not sent again.
package struct Occurrence: Hashable, Sendable, CustomStringConvertible {
    /// The most characters a key may have.
    package static let maximumLength = 64

    /// The campaign's one and only sending, when nothing else was asked for.
    package static let once = Occurrence(checked: "once")

    package let text: String

    /// Reads a key given by a person; nil unless it has 1 to 64 characters of `A-Z a-z 0-9 . _ : + -`.
    package init?(key: String) {
        let allowed = key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                true
            default:
                false
            }
        }
        guard allowed, (1...Self.maximumLength).contains(key.utf8.count) else { return nil }
        self.text = key
    }

    /// Takes a text that was checked before, such as one read back from the store.
    package init(checked text: String) {
        self.text = text
    }

    private static let againPrefix = "again-"

    /// One more sending of a campaign that was sent before.
    package static func again(_ run: RunID) -> Occurrence {
        Occurrence(checked: againPrefix + run.text)
    }

    /// Whether it is one more sending, as ``again(_:)`` makes it.
    package var isAgain: Bool {
        hasRunID(behind: Self.againPrefix)
    }

    private static let restPrefix = "rest-"

    /// One more sending, only to people whom an earlier one did not reach.
    package static func rest(_ run: RunID) -> Occurrence {
        Occurrence(checked: restPrefix + run.text)
    }

    /// Whether it is the rest of an earlier sending, as ``rest(_:)`` makes it.
    package var isRest: Bool {
        hasRunID(behind: Self.restPrefix)
    }

    /// What every ``fallback(of:number:)`` begins with.
    package static let fallbackPrefix = "fallback-"

    /// The visible push to those who have not fetched what an earlier run sent them.
    ///
    /// - Parameters:
    ///   - run: the earlier run.
    ///   - number: which of its fallbacks it is, from 1: a run with waves may have several.
    package static func fallback(of run: RunID, number: Int) -> Occurrence {
        Occurrence(checked: "\(fallbackPrefix)\(run)-\(number)")
    }

    /// The earlier run whose fallback it is, as ``fallback(of:number:)`` makes it; nil for other sendings.
    package var fallbackOf: RunID? {
        guard text.hasPrefix(Self.fallbackPrefix) else { return nil }
        let rest = text.dropFirst(Self.fallbackPrefix.count)
        guard let dash = rest.lastIndex(of: "-"), Int(rest[rest.index(after: dash)...]) != nil
        else { return nil }
        return RunID(String(rest[..<dash]))
    }

    /// A rehearsal: it does not count as a sending of the campaign, so each gets an occurrence of its own.
    package static func rehearsal(_ run: RunID) -> Occurrence {
        Occurrence(checked: "rehearsal-\(run)")
    }

    package var description: String { text }

    private func hasRunID(behind prefix: String) -> Bool {
        text.hasPrefix(prefix) && RunID(String(text.dropFirst(prefix.count))) != nil
    }
}

/// Which hub a run belongs to: its host without port and its name, lower-case.
///
/// Runs are unique by it, so that one begun on the local hub is never continued on production.
package struct HubIdentity: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let name: String

    /// - Parameters:
    ///   - host: the host name or address, without port. The embedded local hub is `local`.
    ///   - name: the hub's name in its namespace.
    package init(host: String, name: String) {
        self.host = host.lowercased()
        self.name = name.lowercased()
    }

    /// Reads back what ``description`` wrote; nil when it has no slash.
    package init?(_ text: String) {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        self.init(host: String(text[..<slash]), name: String(text[text.index(after: slash)...]))
    }

    /// `host/name`.
    package var description: String { "\(host)/\(name)" }
}
