import CampaignCore

struct MessageReading {
    private let campaign: Campaign
    private var payload: Payload { campaign.payload }

    init(_ campaign: Campaign) {
        self.campaign = campaign
    }

    /// What a person reads.
    ///
    /// - Parameters:
    ///   - member: nil: nobody in particular; variables stay as written.
    ///   - language: nil: `default`.
    ///   - people: how many read this message or a similar one; nil: this person was asked for.
    func message(
        for member: AudienceMember?, in language: LanguageTag?, people: Int?
    ) throws(MissingVariable) -> PreviewMessage {
        var data: [(key: String, value: String)] = []
        for (key, template) in payload.data {
            data.append((key, try fill(template, for: member)))
        }
        let type: String? =
            if let template = payload.type { try fill(template, for: member) } else { nil }
        let link: String? =
            if let template = payload.link {
                try fill(template, for: member, encoding: .urlPart)
            } else {
                nil
            }
        // Nobody is named if many people read the same.
        let isNamed = payload.isPersonal || people == nil
        return PreviewMessage(
            language: language, people: people, person: isNamed ? member?.username : nil,
            defaults: isNamed ? missing(of: member, in: language) : [],
            appearances: try appearances(for: member, in: language), type: type, link: link,
            data: data, content: try content(for: member, in: language))
    }

    /// The variables in the person's texts for which they have no value.
    private func missing(of member: AudienceMember?, in language: LanguageTag?) -> [String] {
        guard let member else { return [] }
        let read = Set(payload.templates(for: language).flatMap(\.variables))
        return payload.variables.enumerated().filter { index, name in
            guard read.contains(name) else { return false }
            let value = index < member.values.count ? member.values[index] : nil
            return value?.isEmpty ?? true
        }.map(\.element)
    }

    /// The message on each platform; platforms with the same message are merged.
    private func appearances(
        for member: AudienceMember?, in language: LanguageTag?
    ) throws(MissingVariable) -> [PreviewAppearance] {
        var all: [PreviewAppearance] = []
        for platform in campaign.platforms {
            let texts = payload.texts(on: platform)
            let placeholder = campaign.kind.isSilent ? texts.placeholder : nil
            // Devices fetch the same on all platforms; only the push itself can differ.
            let isFetched = campaign.kind.isSilent && payload.isMessagePrivate
            let message = isFetched ? payload.message : texts.message
            let title = try fill(
                isFetched ? payload.title : texts.title, for: member, in: language)
            var appearance = PreviewAppearance(
                platforms: [], title: campaign.kind == .secure ? nil : title,
                message: campaign.kind == .secure
                    ? nil : try fill(message, for: member, in: language),
                placeholder: try fill(placeholder, for: member, in: language),
                isTitleEarly: campaign.kind == .rich && !payload.isMessagePrivate
                    && placeholder != nil)
            if let place = all.firstIndex(where: { $0.says(what: appearance) }) {
                all[place].platforms.append(platform)
            } else {
                appearance.platforms = [platform]
                all.append(appearance)
            }
        }
        return all
    }

    private func content(
        for member: AudienceMember?, in language: LanguageTag?
    ) throws(MissingVariable) -> PreviewContent? {
        switch payload.content(in: language) {
        case nil: nil
        case .file(let file): .file(file)
        case .text(let template): .text(try fill(template, for: member))
        case .url(let template): .url(try fill(template, for: member, encoding: .urlPart))
        }
    }

    private func fill(
        _ text: LocalizedTemplate?, for member: AudienceMember?, in language: LanguageTag?
    ) throws(MissingVariable) -> String? {
        guard let text else { return nil }
        return try fill(text.template(for: language), for: member)
    }

    private func fill(
        _ template: MessageTemplate, for member: AudienceMember?, encoding: ValueEncoding = .none
    ) throws(MissingVariable) -> String {
        guard let member else { return template.source }
        return try template.render(encoding: encoding) { name in
            guard let column = payload.variables.firstIndex(of: name),
                column < member.values.count
            else { return nil }
            return member.values[column]
        }
    }
}

extension PreviewAppearance {
    fileprivate func says(what other: PreviewAppearance) -> Bool {
        var same = other
        same.platforms = platforms
        return self == same
    }
}
