import CampaignCore

/// Fills a payload's templates in for one recipient.
struct PayloadRenderer: Sendable {
    private let payload: Payload
    private let columns: [String: Int]
    private let required: [String]

    init(_ payload: Payload) {
        self.payload = payload
        self.columns = Dictionary(
            uniqueKeysWithValues: zip(payload.variables, payload.variables.indices))
        let templates =
            (payload.message?.templates ?? [])
            + [payload.type, payload.content?.template].compactMap(\.self)
        let bare = Set(
            templates.flatMap(\.segments).compactMap { segment in
                if case .variable(let name, nil) = segment { name } else { nil }
            })
        self.required = payload.variables.filter(bare.contains)
    }

    /// The variables that have no default and for which a recipient has no value, each once.
    func missing(for member: AudienceMember) -> [String] {
        required.filter { value(of: $0, for: member)?.isEmpty ?? true }
    }

    /// Renders the message.
    ///
    /// - Parameter member: the recipient; nil where the payload is the same for all.
    /// - Returns: the text, or nil where the campaign has none.
    /// - Throws: ``CampaignCore/MissingVariable``; so do the other renderings.
    func message(for member: AudienceMember?) throws(MissingVariable) -> String? {
        try render(payload.message?.template(for: member?.language), for: member)
    }

    /// Renders the type, as ``message(for:)``.
    func type(for member: AudienceMember?) throws(MissingVariable) -> String? {
        try render(payload.type, for: member)
    }

    /// Renders all of a notification.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - member: the recipient; nil where the payload is the same for all.
    /// - Returns: the notification, to be stored.
    /// - Throws: ``CampaignCore/MissingVariable``.
    func notification(
        _ id: NotificationID, for member: AudienceMember?
    ) throws(MissingVariable) -> NewNotification {
        NewNotification(
            id: id, type: try type(for: member), message: try message(for: member),
            content: try content(for: member))
    }

    private func content(for member: AudienceMember?) throws(MissingVariable) -> NotificationContent
    {
        switch payload.content {
        case nil:
            return .none
        case .file(let file):
            return .file(file)
        case .text(let template):
            let text = try template.render { value(of: $0, for: member) }
            return .text(text, mediaType: "text/plain; charset=utf-8")
        case .url(let template):
            let address = try template.render(encoding: .urlPart) { value(of: $0, for: member) }
            return .text(address, mediaType: "text/uri-list")
        }
    }

    private func render(
        _ template: MessageTemplate?, for member: AudienceMember?
    ) throws(MissingVariable) -> String? {
        guard let template else { return nil }
        return try template.render { value(of: $0, for: member) }
    }

    private func value(of name: String, for member: AudienceMember?) -> String? {
        guard let member, let column = columns[name], column < member.values.count else {
            return nil
        }
        return member.values[column]
    }
}

extension PushContent {
    /// What a push of a kind may say of a notification: secure only the id; rich also the type, and the message unless it
    /// is private; alert the message (contract, section 4).
    init(
        kind: CampaignKind, isMessagePrivate: Bool, notification: NotificationID, type: String?,
        message: String?
    ) {
        switch kind {
        case .secure:
            self.init(notification: notification)
        case .rich:
            self.init(
                notification: notification, type: type, message: isMessagePrivate ? nil : message)
        case .alert:
            self.init(notification: notification, message: message)
        }
    }
}
