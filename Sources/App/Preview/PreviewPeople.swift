import CampaignCore
import CampaignFormat
import Delivery

/// Chooses the people that a preview shows, and what they read.
struct PreviewPeople {
    /// Replaces a hidden name; a tag may hold it, so requests can be made with it.
    private static let mask = "___"
    /// How many names are compared with an unknown name, and how many of them are suggested.
    private static let (window, mostNear) = (5_000, 3)

    let campaign: Campaign
    let planned: PlannedAudience
    let order: PreviewOrder
    let isMasked: Bool
    /// Whether it is read in a build log, which names only people asked for.
    let isPublic: Bool

    /// The messages to show, and the people of the requests to show.
    func shown() async throws -> (messages: [PreviewMessage], first: [AudienceMember]) {
        let chosen = try await chosen()
        let messages = chosen.isEmpty ? try distinct(first: try await first()) : try read(chosen)
        if let person = chosen.first { return (messages, [person]) }
        let first = try await first()
        return (messages, isMasked ? first.map(masked) : first)
    }

    private func chosen() async throws -> [AudienceMember] {
        var members: [AudienceMember] = []
        for name in order.people {
            guard let member = try await planned.member(named: name) else {
                throw try await absence(of: name)
            }
            members.append(member)
        }
        if let count = order.samples { members += try await planned.spread(count) }
        var seen: Set<Username> = []
        return members.filter { seen.insert($0.username).inserted }
    }

    /// Why a person is not among the people of the preview.
    private func absence(of name: Username) async throws -> Refused {
        let near = isPublic ? [] : try await near(name).map(\.text)
        let question = near.isEmpty ? "" : " Did you mean \(near.joined(separator: ", "))?"
        if let rest = planned.rest {
            let outcomes = Outcome.allCases.filter(rest.outcomes.contains).map(\.rawValue)
            return Refused(
                """
                \(name) has no delivery in run \(rest.run) that ended as \(outcomes.joined(separator: ", ")), or is not in \
                the audience any more.\(question)
                """)
        }
        return Refused(
            order.rehearsal == nil
                ? "\(name) is not in the audience of campaign \(campaign.name).\(question)"
                : "\(name) is not in this rehearsal, which is for those whom --to names.\(question)"
        )
    }

    private func first() async throws -> [AudienceMember] {
        let limit = campaign.payload.isPersonal ? 1 : planned.plan.recipientsPerPush
        return try await planned.people.page(after: 0, limit: limit)
    }

    private func read(_ members: [AudienceMember]) throws -> [PreviewMessage] {
        try members.map { member in
            PreviewMessage(
                try campaign.sample(for: member, in: nil), of: campaign, to: member, people: nil)
        }
    }

    /// One message per language that is read, and one for a person who reads a variable's default.
    private func distinct(first: [AudienceMember]) throws -> [PreviewMessage] {
        var shown = planned.plan.readers.map { ($0.language, $0.first, $0.recipients) }
        if shown.isEmpty, let member = first.first {
            shown = [(nil, member, planned.plan.counts.final)]
        }
        let messages = try shown.map { language, member, people in
            let member = isMasked ? nil : member
            return PreviewMessage(
                try campaign.sample(for: member, in: language), of: campaign, to: member,
                people: people)
        }
        guard let other = planned.plan.makeup.firstWithout, !isMasked,
            messages.allSatisfy(\.defaults.isEmpty)
        else { return messages }
        return messages + (try read([other]))
    }

    /// A person with name and values hidden, for requests.
    private func masked(_ member: AudienceMember) -> AudienceMember {
        AudienceMember(
            username: Username(checked: Self.mask),
            values: campaign.payload.variables.map { "{{\($0)}}" }, language: member.language,
            origin: member.origin)
    }

    private func near(_ name: Username) async throws -> [Username] {
        var names = try await planned.neighbors(of: name, limit: Self.window).map(\.username.text)
        var near: [Username] = []
        while near.count < Self.mostNear,
            let next = NearestName.nearest(to: name.text, among: names)
        {
            near.append(Username(checked: next))
            names.removeAll { $0 == next }
        }
        return near
    }
}

extension CampaignPlan {
    /// The languages that people get, the texts for everybody else first.
    var readers: [LanguageCount] {
        let used = languages.filter { $0.recipients > 0 }
        return used.filter { $0.language == nil } + used.filter { $0.language != nil }
    }
}
