/// Sorts an audience on disk: finds repeats, takes out the excluded, numbers who is left.
///
/// Storage has it. A scratch area of its own that is gone with it; preview and run use the same one, so that a preview counts what a
/// run would send.
package protocol AudienceSorter: AudiencePages {
    /// Adds people whom the campaign names.
    func add(_ members: [AudienceMember]) async throws
    /// Adds people to leave out.
    func exclude(_ members: [AudienceMember]) async throws
    /// From the first call on, only people who were given here count, also when nobody was.
    func keep(_ people: [Username]) async throws
    /// Sorts; to be called once, after all is added.
    ///
    /// - Parameter only: a rehearsal's people; nil for all. Those who are not in the audience are ignored.
    /// - Returns: the counts; with `only`, `final` is theirs alone.
    /// - Throws: when the scratch area cannot be written or read; so do all calls here.
    func settle(only: [Username]?) async throws -> AudienceCounts
    /// Who among those who are left was named again with other values; known once it is settled.
    func valueConflicts() async -> ValueConflicts
    /// Names that differ only in case among those who are left, and between them and those who were to be left out.
    ///
    /// - Parameter limit: how many at the most.
    /// - Returns: pairs, by name.
    /// - Throws: as ``settle(only:)``.
    func caseConflicts(limit: Int) async throws -> [CaseConflict]
}
