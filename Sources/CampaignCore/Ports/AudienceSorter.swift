/// Sorts an audience on disk: finds repeats, removes the excluded, numbers the rest.
///
/// Preview and run use the same sorter, so a preview counts what a run would send. Its scratch area
/// is deleted with it.
package protocol AudienceSorter: AudiencePages {
    func add(_ members: [AudienceMember]) async throws
    func exclude(_ members: [AudienceMember]) async throws
    /// Once called, only people given here stay in the audience, even if none were given.
    func keep(_ people: [Username]) async throws
    /// Sorts; call once, after everything is added.
    ///
    /// - Parameter only: a rehearsal's people; those outside the audience are ignored. `final` then
    ///   counts only them.
    func settle(only: [Username]?) async throws -> AudienceCounts
    /// Recipients named again with other values; call after settling.
    func valueConflicts() async -> ValueConflicts
    /// How many people each exclusion names in vain, by its number in ``AudienceOrigin``.
    func unmatchedExclusions() async -> [Int: Int]
    /// Names that differ only in case, also from an excluded person's, by name.
    func caseConflicts(limit: Int) async throws -> [CaseConflict]
    /// Recipients by time zone, first those without one; call after settling.
    func zones() async throws -> [ZoneCount]
    /// Orders the pages by wave, and by name within each; can be called again.
    ///
    /// - Parameter waves: the zones of each wave; every zone of ``zones()`` appears once.
    func arrange(_ waves: [[String?]]) async throws
}

/// Recipients of a run: the whole audience, or a rehearsal's few.
package protocol AudiencePages: Sendable {
    /// A page in name order, or as ``AudienceSorter/arrange(_:)`` ordered it; empty at the end.
    ///
    /// - Parameter number: the last recipient's number of the page before, 0 at first.
    func page(after number: Int, limit: Int) async throws -> [AudienceMember]
}

/// People who are named again with other values; the first values count.
package struct ValueConflicts: Hashable, Sendable {
    package struct Example: Hashable, Sendable {
        /// Where the values that count stand; the values are left out.
        package let first: AudienceMember
        package let other: AudienceMember

        package init(first: AudienceMember, other: AudienceMember) {
            self.first = first
            self.other = other
        }
    }

    package static let mostExamples = 5

    package private(set) var examples: [Example] = []
    package private(set) var count = 0

    package init() {}

    /// Computes the example only if it is kept; call in name order.
    package mutating func add(_ example: @autoclosure () -> Example) {
        count += 1
        if examples.count < Self.mostExamples { examples.append(example()) }
    }
}
