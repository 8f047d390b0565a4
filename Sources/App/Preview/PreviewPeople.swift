import CampaignCore
import CampaignFormat
import Delivery

/// Chooses the people that a preview shows, and what they read.
struct PreviewPeople {
    /// Replaces a hidden name; a tag may hold it, so requests can be made with it.
    private static let mask = "___"
    /// How many names are compared with an unknown name, and how many of them are suggested.
    private static let (window, mostNear) = (5_000, 3)

    private let campaign: Campaign
    private let planned: PlannedAudience
    private let order: PreviewOrder
    private let isMasked: Bool
    private let isPublic: Bool
    private var search: AudienceSearch {
        AudienceSearch(planned.people, count: planned.plan.counts.final)
    }

    /// - Parameter isPublic: whether it is read in a build log, which names only people asked for.
    init(
        _ campaign: Campaign, _ planned: PlannedAudience, order: PreviewOrder, isMasked: Bool,
        isPublic: Bool
    ) {
        self.campaign = campaign
        self.planned = planned
        self.order = order
        self.isMasked = isMasked
        self.isPublic = isPublic
    }

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
            guard let member = try await search.member(named: name) else {
                throw try await absence(of: name)
            }
            members.append(member)
        }
        if let count = order.samples { members += try await search.spread(count) }
        var seen: Set<Username> = []
        return members.filter { seen.insert($0.username).inserted }
    }

    /// Why a person is not among the people of the preview.
    private func absence(of name: Username) async throws -> OperationFault {
        let near = isPublic ? [] : try await near(name)
        if let rest = planned.rest {
            return .notInRest(name, of: rest.run, with: rest.outcomes, near: near)
        }
        return order.rehearsal == nil
            ? .notInAudience(name, campaign: campaign.name, near: near)
            : .notInRehearsal(name, near: near)
    }

    private func first() async throws -> [AudienceMember] {
        let limit = campaign.payload.isPersonal ? 1 : planned.plan.recipientsPerPush
        return try await planned.people.page(after: 0, limit: limit)
    }

    private func read(_ members: [AudienceMember]) throws -> [PreviewMessage] {
        let reading = MessageReading(campaign)
        return try members.map { member in
            try reading.message(
                for: member, in: member.language?.best(among: campaign.payload.languages),
                people: nil)
        }
    }

    /// One message per language that is read, and one for a person who reads a variable's default.
    private func distinct(first: [AudienceMember]) throws -> [PreviewMessage] {
        let reading = MessageReading(campaign)
        var shown = planned.plan.readers.map { ($0.language, $0.first, $0.recipients) }
        if shown.isEmpty, let member = first.first {
            shown = [(nil, member, planned.plan.counts.final)]
        }
        let messages = try shown.map { language, member, people in
            try reading.message(for: isMasked ? nil : member, in: language, people: people)
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
        var names = try await search.neighbors(of: name, limit: Self.window).map(\.username.text)
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
