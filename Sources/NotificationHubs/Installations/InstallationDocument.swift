import Foundation

/// An installation as JSON (reference: section 7).
struct InstallationDocument: Codable {
    /// A web push subscription.
    struct Subscription: Codable {
        let endpoint: String
        let p256dh: String
        let auth: String
    }

    /// A handle, or a subscription as an object.
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

    /// Writes an installation.
    ///
    /// - Parameter installation: the installation.
    /// - Throws: ``RegistrationError`` for what no hub would take.
    init(_ installation: Installation) throws(RegistrationError) {
        guard RegistrationRules.isID(installation.id) else { throw .invalidID }
        guard let name = installation.channel.platformName else { throw .unknownChannel }
        guard RegistrationRules.isHandle(installation.channel.handle) else { throw .invalidID }
        try RegistrationRules.check(tags: installation.tags)
        for (name, template) in installation.templates {
            guard name.count <= RegistrationTemplate.nameLimit else { throw .templateNameTooLong }
            try RegistrationRules.check(tags: template.tags ?? [])
        }
        installationId = installation.id
        platform = name
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

    /// The installation.
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
