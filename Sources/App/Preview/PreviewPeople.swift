import CampaignCore
import CampaignFormat
import Delivery

/// Chooses the people to show, and what they read.
struct PreviewPeople {
    /// The replacement for a hidden name, which is valid in a tag so that it can be used in
    /// requests.
    private static let mask = "___"
    /// How many names an unknown name is compared with, and how many are suggested.
    private static let (window, mostNear) = (5_000, 3)

    let campaign: Campaign
    let planned: PlannedAudience
    let options: PreviewOptions
    let isMasked: Bool
    /// Whether the output goes to a build log, which names only people that the user asked for.
    let isPublic: Bool

    /// Returns the messages to show, and the people whose requests are shown.
    func shown() async throws -> (messages: [PreviewMessage], first: [AudienceMember]) {
        let chosen = try await chosen()
        let messages = chosen.isEmpty ? try distinct(first: try await first()) : try read(chosen)
        if let person = chosen.first { return (messages, [person]) }
        let first = try await first()
        return (messages, isMasked ? first.map(masked) : first)
    }

    private func chosen() async throws -> [AudienceMember] {
        var members: [AudienceMember] = []
        for name in options.people {
            guard let member = try await planned.member(named: name) else {
                throw try await absence(of: name)
            }
            members.append(member)
        }
        if let count = options.samples { members += try await planned.spread(count) }
        var seen: Set<Username> = []
        return members.filter { seen.insert($0.username).inserted }
    }

    /// Why a person is not among the people of the preview.
    private func absence(of name: Username) async throws -> Refused {
        let near = isPublic ? [] : try await near(name).map(\.text)
        let question = near.isEmpty ? "" : " Did you mean \(near.joined(separator: ", "))?"
        if let followUp = planned.unreached {
            let outcomes = Outcome.allCases.filter(followUp.outcomes.contains).map(\.rawValue)
            return Refused(
                """
                \(name) has no delivery in run \(followUp.run) that ended as \(outcomes.joined(separator: ", ")), or is no longer in \
                the audience.\(question)
                """)
        }
        return Refused(
            options.rehearsal == nil
                ? "\(name) is not in the audience of campaign \(campaign.name).\(question)"
                : "\(name) is not in this rehearsal, which goes only to the people named after --to.\(question)"
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

    /// One message per language in use, and one message for a person who has no value for a
    /// variable.
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

    /// A person whose name and values are hidden, for requests.
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
    /// The languages that people read, with the default texts first.
    var readers: [LanguageCount] {
        let used = languages.filter { $0.recipients > 0 }
        return used.filter { $0.language == nil } + used.filter { $0.language != nil }
    }
}
