package import CampaignCore

package struct Rehearsal: Hashable, Sendable {
    /// The people, in the given order.
    package let people: [Username]
    /// People who may get a rehearsal although they are not in the audience.
    package internal(set) var testers: Set<Username>
    /// The person whose values everybody gets; nil if people get their own values.
    package let model: Username?

    package init(people: [Username], testers: Set<Username> = [], model: Username? = nil) {
        self.people = people
        self.testers = testers
        self.model = model
    }

    var sought: [Username] { people + (model.map { [$0] } ?? []) }

    /// - Parameter members: people in ``sought`` who are in the audience.
    func cast(
        among members: [Username: AudienceMember], for payload: Payload
    ) throws(RehearsalError) -> RehearsalCast {
        let named = Set(people)
        let strangers = named.filter { members[$0] == nil && !testers.contains($0) }
        guard strangers.isEmpty else { throw .strangers(ordered(strangers)) }
        if let model, members[model] == nil { throw .modelNotInAudience(model) }
        let template = model.flatMap { members[$0] }
        let cast = named.sorted().map { username in
            let own = members[username]
            if template == nil, let own { return own }
            return AudienceMember(
                username: username, values: template?.values ?? [], language: template?.language,
                origin: (own ?? template)?.origin ?? AudienceOrigin(file: 0, line: 1))
        }
        if template == nil {
            var renderer = PayloadRenderer(payload)
            let bare = cast.filter {
                members[$0.username] == nil && !renderer.missing(for: $0).isEmpty
            }
            if let first = bare.first {
                throw .withoutValues(
                    ordered(Set(bare.map(\.username))), variables: renderer.missing(for: first))
            }
        }
        return RehearsalCast(members: cast)
    }

    private func ordered(_ some: Set<Username>) -> [Username] {
        var left = some
        return people.filter { left.remove($0) != nil }
    }
}

/// The people of a rehearsal, in name order.
struct RehearsalCast: AudiencePages {
    let members: [AudienceMember]

    func page(after number: Int, limit: Int) async -> [AudienceMember] {
        Array(members.dropFirst(number).prefix(limit))
    }
}

package enum RehearsalError: Error, Hashable, Sendable, CustomStringConvertible {
    private static let mostListed = 20

    /// People who are neither in the audience nor testers.
    case strangers([Username])
    /// `--as` names a person who is not in the audience.
    case modelNotInAudience(Username)
    /// The payload needs values, but testers outside the audience have none.
    case withoutValues([Username], variables: [String])

    package var description: String {
        switch self {
        case .strangers(let people):
            "not in the campaign's audience: \(Self.list(people)); excluded and forgotten people are "
                + "not in it. A rehearsal goes only to members of the audience and to testers: "
                + "name other people, or add testers to `rehearsal.testers` in hubsend.yaml"
        case .modelNotInAudience(let model):
            "not in the campaign's audience: \(model.text); --as requires a member of the "
                + "audience, because everybody in the rehearsal gets that person's values"
        case .withoutValues(let people, let variables):
            "no value for \(variables.map { "{{\($0)}}" }.joined(separator: ", ")): "
                + "\(Self.list(people)); testers outside the audience have no values, so use --as to "
                + "give them the values of a member"
        }
    }

    private static func list(_ people: [Username]) -> String {
        let listed = people.prefix(mostListed).map(\.text).joined(separator: ", ")
        return people.count > mostListed
            ? "\(listed) and \(Figures.count(people.count - mostListed)) more" : listed
    }
}
