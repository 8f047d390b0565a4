/// Sorts an audience on disk: finds duplicates, removes excluded people and numbers the others.
///
/// Preview and run use the same sorter, so a preview counts what a run would send. The sorter
/// deletes its temporary files when it is released.
package protocol AudienceSorter: AudiencePages {
    func add(_ members: [AudienceMember]) async throws
    func exclude(_ members: [AudienceMember]) async throws
    /// Keeps only these people in the audience, even if the list is empty.
    func keep(_ people: [Username]) async throws
    /// Sorts the audience; call this once, after everything has been added.
    ///
    /// - Parameter only: the people of a rehearsal; those outside the audience are ignored. `final`
    ///   then counts only these people.
    func settle(only: [Username]?) async throws -> AudienceCounts
    /// Recipients who are listed again with other values. Call after ``settle(only:)``.
    func valueConflicts() async -> ValueConflicts
    /// The number of people in each exclusion who are not in the audience, by the exclusion's
    /// number in ``AudienceOrigin``.
    func unmatchedExclusions() async -> [Int: Int]
    /// Names that differ only in case, sorted by name; excluded people are included.
    func caseConflicts(limit: Int) async throws -> [CaseConflict]
    /// Returns the number of recipients by time zone, people without a zone first. Call after
    /// ``settle(only:)``.
    func zones() async throws -> [ZoneCount]
    /// Orders the pages by wave, and by name within each; can be called again.
    ///
    /// - Parameter waves: the zones of each wave; every zone in ``zones()`` must appear once.
    func arrange(_ waves: [[String?]]) async throws
}

/// The recipients of a run, page by page: the whole audience or the people of a rehearsal.
package protocol AudiencePages: Sendable {
    /// Returns a page in name order, or in the order of ``AudienceSorter/arrange(_:)``; empty at
    /// the end.
    ///
    /// - Parameter number: the number of the last recipient of the previous page, 0 at first.
    func page(after number: Int, limit: Int) async throws -> [AudienceMember]
}

/// People who are listed again with other values; the first values are used.
package struct ValueConflicts: Hashable, Sendable {
    package struct Example: Hashable, Sendable {
        /// The place of the values that are used, without the values themselves.
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

    /// Adds a conflict; the example is computed only if it is kept.
    ///
    /// Call in name order.
    package mutating func add(_ example: @autoclosure () -> Example) {
        count += 1
        if examples.count < Self.mostExamples { examples.append(example()) }
    }
}
