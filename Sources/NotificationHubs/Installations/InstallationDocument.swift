import Foundation

struct InstallationDocument: Codable {
    struct Subscription: Codable {
        let endpoint: String
        let p256dh: String
        let auth: String
    }

    enum PushChannel: Codable {
        case text(String)
        case subscription(Subscription)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .subscription(try container.decode(Subscription.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .subscription(let subscription): try container.encode(subscription)
            }
        }
    }

    let installationId: String
    let platform: String
    let pushChannel: PushChannel
    var pushChannelExpired: Bool?
    var expirationTime: String?
    var tags: [String]?
    var pushVariables: [String: String]?
    var templates: [String: InstallationTemplate]?
    var secondaryTiles: [String: SecondaryTile]?
    var userId: String?

    init(_ installation: Installation) throws(RegistrationError) {
        guard RegistrationRules.isID(installation.id) else { throw .invalidID }
        guard let (format, handles, tile) = installation.channel.parts else {
            throw .unknownChannel
        }
        guard tile == nil else { throw .misplacedTile }
        guard handles.allSatisfy(RegistrationRules.isHandle) else { throw .invalidHandle }
        try RegistrationRules.check(tags: installation.tags)
        try Self.check(installation.templates)
        for (name, tile) in installation.secondaryTiles {
            guard RegistrationRules.isID(name) else { throw .invalidID }
            guard RegistrationRules.isHandle(tile.pushChannel) else { throw .invalidHandle }
            try RegistrationRules.check(tags: tile.tags ?? [])
            try Self.check(tile.templates ?? [:])
        }
        installationId = installation.id
        platform = format.facts.installation
        if case .browser(let endpoint, let p256dh, let auth) = installation.channel {
            pushChannel = .subscription(
                Subscription(endpoint: endpoint, p256dh: p256dh, auth: auth))
        } else {
            pushChannel = .text(installation.channel.handle)
        }
        expirationTime = installation.expirationTime.map(ServiceDate.text)
        tags = installation.tags.isEmpty ? nil : installation.tags
        pushVariables = installation.pushVariables.isEmpty ? nil : installation.pushVariables
        templates = installation.templates.isEmpty ? nil : installation.templates
        secondaryTiles = installation.secondaryTiles.isEmpty ? nil : installation.secondaryTiles
        userId = installation.userID
    }

    private static func check(
        _ templates: [String: InstallationTemplate]
    ) throws(RegistrationError) {
        for (name, template) in templates {
            guard name.count <= RegistrationTemplate.nameLimit else { throw .templateNameTooLong }
            try RegistrationRules.check(tags: template.tags ?? [])
        }
    }

    var installation: Installation {
        var installation = Installation(
            id: installationId, channel: DeviceChannel(platform: platform, pushChannel),
            tags: tags ?? [], userID: userId)
        installation.pushVariables = pushVariables ?? [:]
        installation.templates = templates ?? [:]
        installation.secondaryTiles = secondaryTiles ?? [:]
        installation.expirationTime = expirationTime.flatMap(ServiceDate.parse)
        installation.isPushChannelExpired = pushChannelExpired ?? false
        return installation
    }
}

extension DeviceChannel {
    /// The handle of a browser can be an object, or a string that contains the object.
    init(platform: String, _ channel: InstallationDocument.PushChannel) {
        let text: String
        switch channel {
        case .subscription(let subscription):
            self = .browser(
                endpoint: subscription.endpoint, p256dh: subscription.p256dh,
                auth: subscription.auth)
            return
        case .text(let handle): text = handle
        }
        guard let format = NotificationFormat(installation: platform) else {
            self = .unknown(name: ForeignText.cleaned(platform) ?? "")
            return
        }
        switch format {
        case .baidu:
            let parts = text.split(separator: "-", maxSplits: 1).map(String.init)
            self = .baidu(userID: parts.first ?? "", channelID: parts.count > 1 ? parts[1] : "")
        case .browser:
            let subscription = try? JSONDecoder().decode(
                InstallationDocument.Subscription.self, from: Data(text.utf8))
            self =
                subscription.map {
                    .browser(endpoint: $0.endpoint, p256dh: $0.p256dh, auth: $0.auth)
                } ?? .unknown(name: "browser")
        default: self = DeviceChannel(format, [text])
        }
    }
}
