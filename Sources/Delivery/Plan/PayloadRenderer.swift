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

    /// - Parameter hasContent: whether to render what the device fetches; a push never holds it.
    mutating func notification(
        _ id: NotificationID, for member: AudienceMember, hasContent: Bool = true
    ) throws(MissingVariable) -> NewNotification {
        let language = language(of: member)
        return try notification(id, in: language, for: member, hasContent: hasContent)
    }

    func notification(
        _ id: NotificationID, in language: LanguageTag?
    ) throws(MissingVariable) -> NewNotification {
        try notification(id, in: language, for: nil, hasContent: true)
    }

    private func notification(
        _ id: NotificationID, in language: LanguageTag?, for member: AudienceMember?,
        hasContent: Bool
    ) throws(MissingVariable) -> NewNotification {
        let scribe = Scribe(language: language) { value(of: $0, for: member) }
        var data: [String: String] = [:]
        for (key, value) in payload.data { data[key] = try scribe.text(value) }
        var texts: [Platform: PushTexts] = [:]
        for (platform, special) in payload.platformTexts {
            texts[platform] = PushTexts(
                title: try scribe.render(special.title),
                message: try scribe.render(special.message),
                placeholder: try scribe.render(special.placeholder))
        }
        return NewNotification(
            id: id, language: language, title: try scribe.render(payload.title),
            type: try scribe.render(payload.type), message: try scribe.render(payload.message),
            placeholder: try scribe.render(payload.placeholder),
            link: try scribe.render(payload.link, encoding: .urlPart), data: data,
            platformTexts: texts, content: hasContent ? try content(scribe) : .none)
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

    private func value(of name: String, for member: AudienceMember?) -> String? {
        guard let member, let column = columns[name], column < member.values.count else {
            return nil
        }
        return member.values[column]
    }
}

private struct Scribe {
    let language: LanguageTag?
    let value: (String) -> String?

    func text(
        _ template: MessageTemplate, encoding: ValueEncoding = .none
    ) throws(MissingVariable) -> String {
        try template.render(encoding: encoding, value: value)
    }

    func render(
        _ template: MessageTemplate?, encoding: ValueEncoding = .none
    ) throws(MissingVariable) -> String? {
        guard let template else { return nil }
        return try self.text(template, encoding: encoding)
    }

    func render(_ text: LocalizedTemplate?) throws(MissingVariable) -> String? {
        try render(text?.template(for: language))
    }
}
