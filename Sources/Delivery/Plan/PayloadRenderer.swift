import CampaignCore

struct PayloadRenderer: Sendable {
    private let payload: Payload
    private let columns: [String: Int]
    /// Variables without a default, by language; nil: the default texts.
    private let required: [LanguageTag?: [String]]
    private var languages: LanguageChoice

    /// - Parameter variables: the columns of people's values, in order; nil: those of the payload.
    init(_ payload: Payload, variables: [String]? = nil) {
        self.payload = payload
        let variables = variables ?? payload.variables
        self.columns = Dictionary(uniqueKeysWithValues: zip(variables, variables.indices))
        self.languages = LanguageChoice(payload.languages)
        let every = [nil] + payload.languages.map(Optional.some)
        self.required = Dictionary(
            uniqueKeysWithValues: every.map { language in
                let bare = payload.templates(for: language).flatMap(\.segments).compactMap {
                    segment -> String? in
                    if case .variable(let name, nil) = segment { name } else { nil }
                }
                return (language, payload.variables.filter(Set(bare).contains))
            })
    }

    /// nil: the default texts.
    mutating func language(of member: AudienceMember) -> LanguageTag? {
        languages.language(for: member.language)
    }

    /// Required variables without a value, unique.
    mutating func missing(for member: AudienceMember) -> [String] {
        let needed = required[language(of: member)] ?? []
        return needed.filter { value(of: $0, for: member)?.isEmpty ?? true }
    }

    /// Variables without a value in the texts of their language, unique.
    mutating func unset(for member: AudienceMember) -> [String] {
        let read = Set(payload.templates(for: language(of: member)).flatMap(\.variables))
        return payload.variables.filter {
            read.contains($0) && value(of: $0, for: member)?.isEmpty ?? true
        }
    }

    /// - Parameter hasContent: whether to render what the device fetches; a push never holds it.
    mutating func notification(
        _ id: NotificationID, for member: AudienceMember, hasContent: Bool = true
    ) throws(MissingVariable) -> NewNotification {
        let scribe = scribe(for: member, in: language(of: member))
        return try notification(id, by: scribe, hasContent: hasContent)
    }

    func notification(
        _ id: NotificationID, in language: LanguageTag?
    ) throws(MissingVariable) -> NewNotification {
        try notification(id, by: Scribe(language: language) { _ in nil }, hasContent: true)
    }

    /// With variables as they are written.
    func notification(
        _ id: NotificationID, asWrittenIn language: LanguageTag?
    ) throws(MissingVariable) -> NewNotification {
        try notification(id, by: Scribe(language: language, value: nil), hasContent: true)
    }

    private func notification(
        _ id: NotificationID, by scribe: Scribe, hasContent: Bool
    ) throws(MissingVariable) -> NewNotification {
        var data: [String: String] = [:]
        for (key, value) in payload.data { data[key] = try scribe.text(value) }
        var special: [Platform: Texts<String>] = [:]
        for (platform, texts) in payload.platformTexts {
            special[platform] = try scribe.render(texts)
        }
        return NewNotification(
            id: id, language: scribe.language, type: try scribe.render(payload.type),
            texts: try scribe.render(payload.texts),
            link: try scribe.render(payload.link, encoding: .urlPart), data: data,
            platformTexts: special, content: hasContent ? try content(scribe) : .none)
    }

    private func content(_ scribe: Scribe) throws(MissingVariable) -> StoredContent {
        switch payload.content(in: scribe.language) {
        case nil:
            .none
        case .file(let file):
            .file(file)
        case .text(let template):
            .text(try scribe.text(template), mediaType: "text/plain; charset=utf-8")
        case .url(let template):
            .text(try scribe.text(template, encoding: .urlPart), mediaType: "text/uri-list")
        }
    }

    private func scribe(for member: AudienceMember, in language: LanguageTag?) -> Scribe {
        Scribe(language: language) { value(of: $0, for: member) }
    }

    private func value(of name: String, for member: AudienceMember) -> String? {
        guard let column = columns[name], column < member.values.count else { return nil }
        return member.values[column]
    }
}

private struct Scribe {
    let language: LanguageTag?
    /// nil: variables stay as they are written.
    let value: ((String) -> String?)?

    func text(
        _ template: MessageTemplate, encoding: ValueEncoding = .none
    ) throws(MissingVariable) -> String {
        guard let value else { return template.source }
        return try template.render(encoding: encoding, value: value)
    }

    func render(
        _ template: MessageTemplate?, encoding: ValueEncoding = .none
    ) throws(MissingVariable) -> String? {
        guard let template else { return nil }
        return try self.text(template, encoding: encoding)
    }

    func render(_ texts: Texts<LocalizedTemplate>) throws(MissingVariable) -> Texts<String> {
        try texts.map { text throws(MissingVariable) in
            try self.text(text.template(for: language))
        }
    }
}
