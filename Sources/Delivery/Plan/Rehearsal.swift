package import CampaignCore

/// Whom a rehearsal goes to, and with whose values.
package struct Rehearsal: Hashable, Sendable {
    /// In the order in which they were named.
    package let people: [Username]
    /// Who may be named although the campaign does not reach them.
    package let testers: Set<Username>
    /// The member of the audience whose values everybody gets; nil: each has their own.
    package let model: Username?

    package init(people: [Username], testers: Set<Username> = [], model: Username? = nil) {
        self.people = people
        self.testers = testers
        self.model = model
    }

    /// Who is looked for in the audience.
    var sought: [Username] { people + (model.map { [$0] } ?? []) }

    /// Finds out who gets what.
    ///
    /// - Parameters:
    ///   - members: those of ``sought`` whom the campaign reaches.
    ///   - payload: what they are to get.
    /// - Returns: the people, each once.
    /// - Throws: ``RehearsalFault``.
    func cast(
        among members: [Username: AudienceMember], for payload: Payload
    ) throws(RehearsalFault) -> RehearsalCast {
        let named = Set(people)
        let strangers = named.filter { members[$0] == nil && !testers.contains($0) }
        guard strangers.isEmpty else {
            throw .strangers(ordered(strangers))
        }
        if let model, members[model] == nil { throw .modelNotInAudience(model) }
        let template = model.flatMap { members[$0] }
        let cast = named.sorted().map { username in
            let own = members[username]
            if template == nil, let own { return own }
            return AudienceMember(
                username: username, values: template?.values ?? [],
                origin: (own ?? template)?.origin ?? AudienceOrigin(file: 0, line: 1))
        }
        if template == nil {
            let renderer = PayloadRenderer(payload)
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

/// The people of a rehearsal with what is filled in for them, in name order.
struct RehearsalCast: AudiencePages {
    let members: [AudienceMember]

    func page(after number: Int, limit: Int) async -> [AudienceMember] {
        Array(members.dropFirst(number).prefix(limit))
    }
}
