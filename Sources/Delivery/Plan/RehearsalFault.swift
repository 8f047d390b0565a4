package import CampaignCore

/// Why a rehearsal cannot be held.
package enum RehearsalFault: Error, Hashable, Sendable, CustomStringConvertible {
    private static let mostListed = 20

    /// It names people whom the campaign does not reach and who are no testers.
    case strangers([Username])
    /// The values are to be those of somebody whom the campaign does not reach.
    case modelNotInAudience(Username)
    /// Testers whom the campaign does not reach have no values, and the payload needs some.
    case withoutValues([Username], variables: [String])

    package var description: String {
        switch self {
        case .strangers(let people):
            "not in the campaign's audience: \(Self.list(people)); a rehearsal goes to members of "
                + "the audience and to testers, so name others, or write them under "
                + "`rehearsal.testers` in hubsend.yaml"
        case .modelNotInAudience(let model):
            "not in the campaign's audience: \(model.text); --as takes a member of the audience, "
                + "whose values everybody of the rehearsal gets"
        case .withoutValues(let people, let variables):
            "no value for \(variables.map { "{{\($0)}}" }.joined(separator: ", ")): "
                + "\(Self.list(people)); testers who are not in the audience have no values, so "
                + "name a member of it with --as whose values they get"
        }
    }

    private static func list(_ people: [Username]) -> String {
        let listed = people.prefix(mostListed).map(\.text).joined(separator: ", ")
        return people.count > mostListed
            ? "\(listed) and \(Figures.count(people.count - mostListed)) more" : listed
    }
}
