import struct Foundation.Date

/// One target of sends: a native or template registration of a client's, or one that belongs to an installation.
struct Registration: Sendable, Hashable, Codable {
    /// The id, unique in the hub.
    var id: String
    /// The version, counted from 1.
    var version = 1
    /// When it last changed.
    var updated = Date(timeIntervalSince1970: 0)
    /// When it ends; nil: never.
    var expiration: Date?
    /// The push service.
    var platform: LocalHubPlatform
    /// Where the push service reaches the device.
    var channel: PushChannel
    /// The tags in the order given, without repeats.
    ///
    /// The special tags `$InstallationId:{…}` and `$UserId:{…}` are among them, and so is the name of an
    /// installation's template.
    var tags: [String]
    /// The properties that its template may use beside those of a send.
    var pushVariables: [String: String] = [:]
    /// The template; nil for a native registration.
    var template: RegistrationTemplate?
    /// The installation that it belongs to; nil when a client registered it.
    var installationID: String?

    var device: DeviceAddress {
        DeviceAddress(platform: platform, handle: channel.handle)
    }

    /// Whether the registration has not expired.
    func isLive(at now: Date) -> Bool {
        expiration.map { $0 > now } ?? true
    }
}

/// Where a push service reaches a device (reference, sections 6.4 and 7).
enum PushChannel: Sendable, Hashable, Codable {
    /// A token, channel URI or registration id.
    case handle(String)
    /// A secondary tile of a Windows app, with a channel URI of its own.
    case tile(channelURI: String, name: String)
    /// A web push subscription.
    case browser(endpoint: String, p256dh: String, auth: String)
    case baidu(userID: String, channelID: String)

    /// What the push service knows the device by; Baidu's two parts are joined by `-`, as installations do.
    var handle: String {
        switch self {
        case .handle(let handle): handle
        case .tile(let channelURI, _): channelURI
        case .browser(let endpoint, _, _): endpoint
        case .baidu(let userID, let channelID): "\(userID)-\(channelID)"
        }
    }
}

/// What a template registration makes of a template send (reference, section 6.4).
struct RegistrationTemplate: Sendable, Hashable, Codable {
    /// A header that goes to the push service with each push.
    struct Header: Sendable, Hashable, Codable {
        /// The header's name as given.
        var name: String
        /// The header's value, which may hold template expressions.
        var value: String
    }

    /// The body, with template expressions.
    var body: String
    /// The template's name, 1 to 200 characters; nil for a template registration without one.
    var name: String?
    /// The headers of APNs, WNS or MPNS, in the order given.
    var headers: [Header] = []
    /// The expiry of Apple's pushes, as given.
    var expiry: String?
    /// The priority of Apple's pushes, as given.
    var priority: String?
    /// The message type of Baidu's pushes, as given.
    var messageType: String?
}

/// Ids of registrations in the recorded form: two long numbers and a digit (reference, section 6.1).
enum RegistrationID {
    /// A new id, such as `7260336227650468927-4200236381151834034-1`.
    static func make(_ random: () -> UInt64) -> String {
        // Like the recorded ones, both numbers have 19 digits.
        let span: UInt64 = 8_000_000_000_000_000_000
        let least: UInt64 = 1_000_000_000_000_000_000
        return "\(least + random() % span)-\(least + random() % span)-1"
    }

    /// Whether a text has the form of an id: two numbers and a digit; clients may make their own.
    static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].utf8.count == 1
            && parts.allSatisfy { part in
                (1...20).contains(part.utf8.count) && part.utf8.allSatisfy(\.isDigit)
            }
    }
}

extension HubFailure {
    /// The id of a registration is malformed.
    static let invalidRegistrationID = badRequest(
        "The registration id is not of the form 123-456-1.")
}
