/// How a campaign's audience came about, in people.
package struct AudienceCounts: Hashable, Sendable, Codable {
    /// Names read, repeats included.
    package var named: Int
    /// Repeats of a name.
    package var duplicate: Int
    /// Different people taken out because they are excluded.
    package var excluded: Int
    /// Who is left: the recipients.
    package var final: Int

    package init(named: Int = 0, duplicate: Int = 0, excluded: Int = 0, final: Int = 0) {
        self.named = named
        self.duplicate = duplicate
        self.excluded = excluded
        self.final = final
    }
}
