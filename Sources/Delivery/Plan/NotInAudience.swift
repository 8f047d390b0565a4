package import CampaignCore

/// A rehearsal names people whom the campaign does not reach.
package struct NotInAudience: Error, Hashable, Sendable, CustomStringConvertible {
    private static let mostListed = 20

    /// In the order in which they were named.
    package let usernames: [Username]

    package init(usernames: [Username]) {
        self.usernames = usernames
    }

    package var description: String {
        let listed = usernames.prefix(Self.mostListed).map(\.text).joined(separator: ", ")
        let more =
            usernames.count > Self.mostListed
            ? " and \(usernames.count - Self.mostListed) more" : ""
        return "not in the campaign's audience: \(listed)\(more); "
            + "a rehearsal goes to members of the audience only, so name others or add them to it"
    }
}
