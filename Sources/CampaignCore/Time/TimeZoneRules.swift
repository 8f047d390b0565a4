/// What clocks of a time zone show, and when they were and will be changed.
///
/// Instants are seconds since 1970-01-01T00:00:00Z, offsets seconds ahead of UTC.
package struct TimeZoneRules: Hashable, Sendable {
    /// From an instant on, clocks are so far ahead of UTC.
    package struct Change: Hashable, Sendable {
        package let instant: Int
        package let offset: Int

        package init(instant: Int, offset: Int) {
            self.instant = instant
            self.offset = offset
        }
    }

    package static let utc = TimeZoneRules(name: "UTC", offset: 0)

    /// No offset is as large: RFC 9636, section 3.2.
    private static let farthest = 26 * 3_600

    /// Such as `Europe/Berlin`.
    package let name: String
    /// Before the first change.
    private let first: Int
    /// Those that are listed, in order.
    private let changes: [Change]
    /// From the last listed change on; nil: that one lasts.
    private let rule: ZoneRule?

    /// - Parameters:
    ///   - name: the zone's name.
    ///   - offset: before the first change.
    ///   - changes: in order.
    ///   - rule: how it goes on after the last of them; nil: as that left it.
    package init(name: String, offset: Int, changes: [Change] = [], rule: ZoneRule? = nil) {
        self.name = name
        first = offset
        var last = offset
        // What only changed the zone's abbreviation is no change here, but for the last, from which the rule holds.
        self.changes = changes.enumerated().filter { index, change in
            defer { last = change.offset }
            return change.offset != last || index == changes.count - 1
        }.map(\.element)
        self.rule = rule
    }

    /// How far its clocks are ahead of UTC.
    package func offset(at instant: Int) -> Int {
        if let rule, changes.last.map({ $0.instant <= instant }) ?? true {
            return rule.offset(at: instant)
        }
        let index = past(instant)
        return index == 0 ? first : changes[index - 1].offset
    }

    /// What its clocks show.
    package func local(at instant: Int) -> LocalTime {
        LocalTime(seconds: instant + offset(at: instant))
    }

    /// When its clocks show a time: once as a rule, not at all where they skip it, twice where they are put back over it.
    package func instants(of local: LocalTime) -> [Int] {
        let (offset, changes) = surroundings(of: local)
        return Set(changes.map(\.offset) + [offset]).map { local.seconds - $0 }
            .filter { self.local(at: $0) == local }.sorted()
    }

    /// When something happens that is meant for a time of its clocks: the first time that they show it; where they skip it,
    /// the first whole minute after that.
    package func instant(of local: LocalTime) -> Int {
        if let instant = instants(of: local).first { return instant }
        var (offset, changes) = surroundings(of: local)
        for change in changes {
            let start = change.instant + offset
            offset = change.offset
            // Where clocks are put back, nothing is skipped.
            let end = change.instant + offset
            guard start <= local.seconds, local.seconds < end else { continue }
            return LocalTime(seconds: end).wholeMinute.seconds - offset
        }
        return local.seconds - offset
    }

    /// The changes around a local time, with the offset before the first of them.
    private func surroundings(of local: LocalTime) -> (offset: Int, changes: [Change]) {
        let start = local.seconds - Self.farthest
        let end = local.seconds + Self.farthest
        var found = Array(changes[past(start)..<past(end)])
        if let rule {
            let listed = changes.last?.instant ?? .min
            // A change may be some days away from the year that its rule is for.
            let years =
                (LocalTime(seconds: start).day.year - 1)...(LocalTime(seconds: end).day.year + 1)
            found += years.flatMap(rule.changes).filter { change in
                change.instant > max(start, listed) && change.instant <= end
            }
        }
        return (offset(at: start), found)
    }

    /// How many of the listed changes have come by an instant.
    private func past(_ instant: Int) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The time zones that are known here.
///
/// CampaignFormat implements it with the system's database.
package protocol TimeZoneDatabase: Sendable {
    /// What is known of a zone.
    ///
    /// - Parameter name: such as `Europe/Berlin`, exactly as the database has it.
    /// - Throws: ``TimeZoneFault``.
    func rules(of name: String) throws(TimeZoneFault) -> TimeZoneRules
    /// All names, in order; empty where there is no database.
    var names: [String] { get }
}

/// Why nothing is known of a time zone.
package enum TimeZoneFault: Error, Hashable, Sendable {
    /// The database does not have it.
    case unknown
    /// There is no database.
    case noDatabase(folder: String)
    /// Its file cannot be read, or is not a file of the time zone database.
    case unreadable(path: String)
}
