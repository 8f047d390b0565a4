import struct Foundation.Date

/// A target of sends, registered by a client or as part of an installation.
struct Registration: Sendable, Hashable, Codable {
    var id: String
    /// The version, counted from 1.
    var version = 1
    var updated = Date(timeIntervalSince1970: 0)
    /// When the registration expires; nil means never.
    var expiration: Date?
    var platform: LocalHubPlatform
    var channel: PushChannel
    /// The tags in the order given, including `$InstallationId:{…}`, `$UserId:{…}` and the name of
    /// an installation's template.
    var tags: [String]
    /// The properties that the template can use in addition to those of a send.
    var pushVariables: [String: String] = [:]
    /// The template; nil for a native registration.
    var template: RegistrationTemplate?
    /// The installation; nil if a client created the registration itself.
    var installationID: String?

    var device: DeviceAddress { DeviceAddress(platform: platform, handle: channel.handle) }

    func isLive(at now: Date) -> Bool {
        expiration.map { $0 > now } ?? true
    }
}

enum PushChannel: Sendable, Hashable, Codable {
    /// The token, channel URI or registration id.
    case handle(String)
    /// A secondary tile of a Windows app, with its own channel URI.
    case tile(channelURI: String, name: String)
    case browser(endpoint: String, p256dh: String, auth: String)
    case baidu(userID: String, channelID: String)

    /// The device's handle at the push service; the two parts of a Baidu handle are joined by `-`,
    /// as in installations.
    var handle: String {
        switch self {
        case .handle(let handle): handle
        case .tile(let channelURI, _): channelURI
        case .browser(let endpoint, _, _): endpoint
        case .baidu(let userID, let channelID): "\(userID)-\(channelID)"
        }
    }

    /// The parts in the order of ``LocalHubPlatform/handleElements``.
    var parts: [String] {
        switch self {
        case .handle(let handle): [handle]
        case .tile(let channelURI, _): [channelURI]
        case .browser(let endpoint, let p256dh, let auth): [endpoint, p256dh, auth]
        case .baidu(let userID, let channelID): [userID, channelID]
        }
    }
}

struct RegistrationTemplate: Sendable, Hashable, Codable {
    struct Header: Sendable, Hashable, Codable {
        var name: String
        /// The value, which may contain template expressions.
        var value: String
    }

    /// The expiry, which may contain template expressions.
    var body: String
    /// The name, 1 to 200 characters.
    var name: String?
    var headers: [Header] = []
    var expiry: String?
    var priority: String?
    var messageType: String?
}

/// Registration ids like those of the service: two long numbers and a digit.
enum RegistrationID {
    /// A new id, such as `7260336227650468927-4200236381151834034-1`.
    static func make(_ random: () -> UInt64) -> String {
        // Both numbers have 19 digits, as in recordings of the service.
        let span: UInt64 = 8_000_000_000_000_000_000
        let least: UInt64 = 1_000_000_000_000_000_000
        return "\(least + random() % span)-\(least + random() % span)-1"
    }

    /// Whether some text has the form of an id, which is two numbers and a digit; clients can
    /// create their own ids.
    static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].utf8.count == 1
            && parts.allSatisfy { part in
                (1...20).contains(part.utf8.count) && part.utf8.allSatisfy(\.isDigit)
            }
    }
}

extension HubFailure {
    static let invalidRegistrationID = badRequest(
        "The registration id does not have the form 123-456-1.")
}
