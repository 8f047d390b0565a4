/// A time zone's offsets, past and future.
///
/// Instants are seconds since 1970-01-01T00:00:00Z, offsets seconds ahead of UTC.
package struct TimeZoneRules: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package let instant: Int
        package let offset: Int

        package init(instant: Int, offset: Int) {
            self.instant = instant
            self.offset = offset
        }
    }

    package static let utc = TimeZoneRules(name: "UTC", offset: 0)

    /// A limit above every possible offset (RFC 9636, section 3.2).
    private static let farthest = 26 * 3_600

    /// A name such as `Europe/Berlin`.
    package let name: String
    /// The offset that applies before the first change.
    private let first: Int
    private let changes: [Change]
    /// The rule that applies after the last listed change; nil if that change is permanent.
    private let rule: ZoneRule?

    package init(name: String, offset: Int, changes: [Change] = [], rule: ZoneRule? = nil) {
        self.name = name
        first = offset
        var last = offset
        // Drops changes that affect only the abbreviation, but keeps the last change, after which
        // the rule applies.
        self.changes = changes.enumerated().filter { index, change in
            defer { last = change.offset }
            return change.offset != last || index == changes.count - 1
        }.map(\.element)
        self.rule = rule
    }

    package func offset(at instant: Int) -> Int {
        if let rule, changes.last.map({ $0.instant <= instant }) ?? true {
            return rule.offset(at: instant)
        }
        let index = past(instant)
        return index == 0 ? first : changes[index - 1].offset
    }

    package func local(at instant: Int) -> LocalTime {
        LocalTime(seconds: instant + offset(at: instant))
    }

    /// The instants at which clocks show a time: usually one; none if it is skipped; two if clocks
    /// are set back over it.
    package func instants(of local: LocalTime) -> [Int] {
        let (offset, changes) = surroundings(of: local)
        return Set(changes.map(\.offset) + [offset]).map { local.seconds - $0 }
            .filter { self.local(at: $0) == local }.sorted()
    }

    /// The first instant at which clocks show a time, or the first whole minute after a gap.
    package func instant(of local: LocalTime) -> Int {
        if let instant = instants(of: local).first { return instant }
        var (offset, changes) = surroundings(of: local)
        for change in changes {
            let start = change.instant + offset
            offset = change.offset
            // If clocks are set back, no local time is skipped.
            let end = change.instant + offset
            guard start <= local.seconds, local.seconds < end else { continue }
            return LocalTime(seconds: end).wholeMinute.seconds - offset
        }
        return local.seconds - offset
    }

    private func surroundings(of local: LocalTime) -> (offset: Int, changes: [Change]) {
        let start = local.seconds - Self.farthest
        let end = local.seconds + Self.farthest
        var found = Array(changes[past(start)..<past(end)])
        if let rule {
            let listed = changes.last?.instant ?? .min
            // A change may be a few days outside the year of its rule.
            let years =
                (LocalTime(seconds: start).day.year - 1)...(LocalTime(seconds: end).day.year + 1)
            found += years.flatMap(rule.changes).filter { change in
                change.instant > max(start, listed) && change.instant <= end
            }
        }
        return (offset(at: start), found)
    }

    private func past(_ instant: Int) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Time zones from the system's database.
package protocol TimeZoneDatabase: Sendable {
    /// The rules of a zone; the name must match exactly.
    func rules(of name: String) throws(TimeZoneError) -> TimeZoneRules
    /// The names, sorted; empty if there is no database.
    var names: [String] { get }
}

package enum TimeZoneError: Error, Hashable, Sendable {
    case unknown
    case noDatabase(folder: String)
    case unreadable(path: String)
}
