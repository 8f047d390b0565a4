/// Gives the people of one campaign, in file order and repeats included.
///
/// CampaignFormat has it; Delivery pulls.
package protocol AudienceSource: Sendable {
    /// Begins to read.
    ///
    /// - Parameter part: who is wanted.
    /// - Returns: a reader at its beginning.
    /// - Throws: a sentence when a file cannot be opened any more.
    func reader(of part: AudiencePart) throws -> any AudienceReader
}
