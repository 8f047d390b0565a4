import HTTPServing

/// A `$filter` that selects the registrations of a channel: `DeviceToken eq 'AB12'`, or several
/// comparisons joined by `and`.
///
/// Property names are case-insensitive; SDKs use `ChannelUri` for all platforms. A missing quote
/// (as in the JavaScript SDK's filter for Baidu) and a value that was encoded twice are accepted.
struct ChannelFilter: Equatable {
    private struct Term: Equatable {
        /// The name of the property, in lower case.
        let property: String
        let value: String

        /// The value as given, and the value decoded once more.
        var readings: Set<String> { [value, PercentEncoding.decode(value) ?? value] }
    }

    /// The comparisons, which must all be true.
    private let terms: [Term]
    /// The devices to which a matching registration can belong.
    let devices: [DeviceAddress]

    private static let mostTerms = 4
    /// The properties that only one platform has.
    private static let platforms = Dictionary(
        uniqueKeysWithValues: LocalHubPlatform.allCases.flatMap { platform in
            platform.handleElements.map { ($0.lowercased(), platform) }
        }.filter { $0.0 != "channeluri" })
    /// The properties that do not identify a device on their own.
    private static let partial: Set = ["p256dh", "auth", "baiduuserid", "baiduchannelid"]

    /// Reads a filter; throws a 400 if it does not compare a channel.
    init(_ text: String) throws(HubFailure) {
        var rest = text[...]
        var terms: [Term] = []
        while true {
            terms.append(try Self.term(&rest))
            guard terms.count <= Self.mostTerms else { throw Self.malformed }
            guard !rest.isEmpty else { break }
            guard Self.word(&rest).lowercased() == "and" else { throw Self.malformed }
        }
        self.terms = terms
        // Without a device to look up, a listing would have to check all registrations.
        guard let devices = Self.devices(of: terms) else { throw Self.incomplete }
        self.devices = devices
    }

    func matches(_ registration: Registration) -> Bool {
        terms.allSatisfy { term in
            if let platform = Self.platforms[term.property], platform != registration.platform {
                return false
            }
            return term.readings.contains { Self.holds(term.property, $0, registration) }
        }
    }

    private static func devices(of terms: [Term]) -> [DeviceAddress]? {
        if let term = terms.first(where: { !partial.contains($0.property) }) {
            return (platforms[term.property].map { [$0] } ?? LocalHubPlatform.allCases)
                .flatMap { platform in
                    term.readings.map { DeviceAddress(platform: platform, handle: $0) }
                }
        }
        guard let user = terms.first(where: { $0.property == "baiduuserid" }),
            let channel = terms.first(where: { $0.property == "baiduchannelid" })
        else { return nil }
        return user.readings.flatMap { user in
            channel.readings.map { channel in
                let parts = PushChannel.baidu(userID: user, channelID: channel)
                return DeviceAddress(platform: .baidu, handle: parts.handle)
            }
        }
    }

    private static func holds(
        _ property: String, _ value: String, _ registration: Registration
    ) -> Bool {
        switch (property, registration.channel) {
        case ("p256dh", .browser(_, let p256dh, _)): p256dh == value
        case ("auth", .browser(_, _, let auth)): auth == value
        case ("baiduuserid", .baidu(let userID, _)): userID == value
        case ("baiduchannelid", .baidu(_, let channelID)): channelID == value
        case ("p256dh", _), ("auth", _), ("baiduuserid", _), ("baiduchannelid", _): false
        default:
            registration.device
                == DeviceAddress(platform: registration.platform, handle: value)
        }
    }

    private static func term(_ rest: inout Substring) throws(HubFailure) -> Term {
        let property = word(&rest).lowercased()
        guard property == "channeluri" || platforms[property] != nil,
            word(&rest).lowercased() == "eq"
        else { throw malformed }
        let isOpened = rest.first == "'"
        if isOpened { rest = rest.dropFirst() }
        var isClosed = false
        var value = ""
        while let character = rest.popFirst() {
            if character == "'" {
                guard rest.first == "'" else {
                    isClosed = true
                    break
                }
                rest = rest.dropFirst()
            }
            value.append(character)
        }
        rest = rest.drop { $0 == " " }
        guard !value.isEmpty, isOpened || isClosed else { throw malformed }
        return Term(property: property, value: value)
    }

    private static func word(_ rest: inout Substring) -> Substring {
        rest = rest.drop { $0 == " " }
        let word = rest.prefix { $0 != " " && $0 != "'" }
        rest = rest[word.endIndex...].drop { $0 == " " }
        return word
    }

    private static let malformed = HubFailure.badRequest(
        "The $filter must compare a channel, for example ChannelUri eq '…'.")
    private static let incomplete = HubFailure.badRequest(
        "The $filter does not identify a device; compare Endpoint, or both BaiduUserId and "
            + "BaiduChannelId.")
}
