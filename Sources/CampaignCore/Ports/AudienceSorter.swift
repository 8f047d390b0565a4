/// Sorts an audience on disk: finds repeats, takes out the excluded, numbers who is left.
///
/// Storage implements it. It has a scratch area of its own, which is deleted with it. Preview and run use the same one, so
/// that a preview counts what a
/// run would send.
package protocol AudienceSorter: AudiencePages {
    /// Adds people whom the campaign names.
    func add(_ members: [AudienceMember]) async throws
    /// Adds people to leave out.
    func exclude(_ members: [AudienceMember]) async throws
    /// From the first call on, only people given here stay in the audience, even if nobody was given.
    func keep(_ people: [Username]) async throws
    /// Sorts; to be called once, after all is added.
    ///
    /// - Parameter only: a rehearsal's people; nil for all. Those who are not in the audience are ignored.
    /// - Returns: the counts; with `only`, `final` is theirs alone.
    /// - Throws: when the scratch area cannot be written or read; so do all calls here.
    func settle(only: [Username]?) async throws -> AudienceCounts
    /// The recipients who were named again with other values; known once the audience is settled.
    func valueConflicts() async -> ValueConflicts
    /// How many people each file names that leaves nobody out, since the audience has none of them; by the files' numbers in
    /// ``AudienceOrigin``. Known once the audience is settled.
    func unmatchedExclusions() async -> [Int: Int]
    /// Names that differ only in case, among the recipients and between a recipient and an excluded person.
    ///
    /// - Returns: pairs, by name.
    func caseConflicts(limit: Int) async throws -> [CaseConflict]
    /// How many recipients have each time zone, by name, and first how many have none; known once the audience is settled.
    func zones() async throws -> [ZoneCount]
    /// Puts the recipients in the order of waves: from then on pages come wave by wave, and by name within each.
    ///
    /// It can be called again, with other waves.
    ///
    /// - Parameter waves: the time zones of each wave, every one that ``zones()`` names once.
    func arrange(_ waves: [[String?]]) async throws
}

/// Gives the recipients of a run, once it is known who they are.
///
/// An ``AudienceSorter`` gives everybody whom a campaign reaches; a rehearsal gives only the few people it is for.
package protocol AudiencePages: Sendable {
    /// A page of the recipients, in name order, or as ``AudienceSorter/arrange(_:)`` put them.
    ///
    /// - Parameters:
    ///   - number: the last recipient's number of the page before, 0 at first; numbers count from 1.
    /// - Returns: a page, which is full unless it is the last one; empty at the end.
    /// - Throws: when what was sorted cannot be read.
    func page(after number: Int, limit: Int) async throws -> [AudienceMember]
}

/// People who are named again with other values than at first; the first values count.
package struct ValueConflicts: Hashable, Sendable {
    /// One of them.
    package struct Example: Hashable, Sendable {
        /// The person at the place of the values that count; the values themselves are left out.
        package let first: AudienceMember
        /// The person at the first place with other values.
        package let other: AudienceMember

        package init(first: AudienceMember, other: AudienceMember) {
            self.first = first
            self.other = other
        }
    }

    /// How many examples are kept, for audiences of every size.
    package static let mostExamples = 5

    /// The first of them, in name order.
    package private(set) var examples: [Example] = []
    /// How many people there are.
    package private(set) var count = 0

    package init() {}

    /// Adds the next example, in name order; it is computed only if it is kept.
    package mutating func add(_ example: @autoclosure () -> Example) {
        count += 1
        if examples.count < Self.mostExamples { examples.append(example()) }
    }
}
