/// One reading through a part of an audience; holds one buffer, however many people there are.
package protocol AudienceReader {
    /// The next people.
    ///
    /// - Parameter limit: how many at the most, at least 1.
    /// - Returns: empty at the end, and from then on.
    /// - Throws: a sentence when a file cannot be read or has changed and is no longer good.
    mutating func next(_ limit: Int) throws -> [AudienceMember]
}
