/// Gives the recipients of a run, once it is known who they are.
///
/// An ``AudienceSorter`` gives all whom a campaign reaches; a rehearsal has a few people of its own.
package protocol AudiencePages: Sendable {
    /// A page of the recipients, in name order.
    ///
    /// - Parameters:
    ///   - number: the last recipient's number of the page before, 0 at first; numbers count from 1.
    ///   - limit: how many at the most.
    /// - Returns: whole pages but for the last; empty at the end.
    /// - Throws: when what was sorted cannot be read.
    func page(after number: Int, limit: Int) async throws -> [AudienceMember]
}
