/// Which people of a campaign.
package enum AudiencePart: Hashable, Sendable {
    /// Those that the campaign names, with the values of its variables.
    case named
    /// Those whom it leaves out; without values.
    case excluded
}
