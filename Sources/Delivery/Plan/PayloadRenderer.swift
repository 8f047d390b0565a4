import CampaignCore

struct PayloadRenderer: Sendable {
    private let payload: Payload
    private let columns: [String: Int]
    /// The variables in the texts of a language, and those without a default; nil stands for the
    /// default texts.
    private var variables: [LanguageTag?: (all: [String], required: Set<String>)] = [:]
    private var languages: LanguageChoice

    /// - Parameter columns: the columns of people's values, in order; nil means the payload's
    ///   columns.
    init(_ payload: Payload, columns: [String]? = nil) {
        self.payload = payload
        let columns = columns ?? payload.variables
        self.columns = Dictionary(uniqueKeysWithValues: zip(columns, columns.indices))
        self.languages = LanguageChoice(payload.languages)
        for language in [nil] + payload.languages.map(Optional.some) {
            let templates = payload.templates(for: language)
            let bare = templates.flatMap(\.segments).compactMap { segment -> String? in
                if case .variable(let name, nil) = segment { name } else { nil }
            }
            variables[language] = (
                payload.variables.filter(Set(templates.flatMap(\.variables)).contains), Set(bare)
            )
        }
    }

    /// Returns the language of a person's texts; nil for the default texts.
    mutating func language(of member: AudienceMember) -> LanguageTag? {
        languages.language(for: member.language)
    }

    /// The distinct variables that have neither a value nor a default.
    mutating func missing(for member: AudienceMember) -> [String] {
        let required = variables[language(of: member)]?.required ?? []
        return unset(for: member).filter(required.contains)
    }

    /// The distinct variables without a value in the texts of the person's language.
    mutating func unset(for member: AudienceMember) -> [String] {
        let value = values(of: member)
        return (variables[language(of: member)]?.all ?? []).filter { value($0)?.isEmpty ?? true }
    }

    /// - Parameter hasContent: whether to render the content that the device fetches; pushes never
    ///   contain it.
    mutating func notification(
        _ id: NotificationID, for member: AudienceMember, hasContent: Bool = true
    ) throws(MissingVariable) -> NewNotification {
        try notification(
            id, in: language(of: member), hasContent: hasContent, value: values(of: member))
    }

    /// - Parameter value: returns a variable's value; if nil, variables are left as written.
    func notification(
        _ id: NotificationID, in language: LanguageTag?, hasContent: Bool = true,
        value: ((String) -> String?)? = { _ in nil }
    ) throws(MissingVariable) -> NewNotification {
        let scribe = Scribe(language: language, value: value)
        var data: [String: String] = [:]
        for (key, value) in payload.data { data[key] = try scribe.text(value) }
        var special: [Platform: Texts<String>] = [:]
        for (platform, texts) in payload.platformTexts {
            special[platform] = try scribe.render(texts)
        }
        return NewNotification(
            id: id, language: language, type: try scribe.render(payload.type),
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

    private func values(of member: AudienceMember) -> (String) -> String? {
        { [columns] name in
            columns[name].flatMap { $0 < member.values.count ? member.values[$0] : nil }
        }
    }
}

private struct Scribe {
    let language: LanguageTag?
    /// If nil, variables are left as written.
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
