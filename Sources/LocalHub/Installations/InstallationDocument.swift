import HTTPServing

/// An installation as clients send it: a JSON object in which unknown members are ignored and null
/// means absent.
struct InstallationDocument: Hashable {
    let members: [String: JSONValue]

    private static let mostTemplates = 32
    private static let mostVariables = 100
    private static let longestTemplateName = 200

    init(members: [String: JSONValue]) {
        self.members = members.filter { $0.value != .null }
    }

    init(body: [UInt8]) throws(HubFailure) {
        guard let members = JSONValue.read(body)?.members else {
            throw .badRequest("The body is not a JSON object.")
        }
        self.init(members: members)
    }

    /// Returns the installation, whose id must match the id in the address; throws a 400 for the
    /// first invalid member.
    func installation(id: String) throws(HubFailure) -> Installation {
        guard try text("installationId") == id else {
            throw .badRequest("The installationId in the body differs from the id in the address.")
        }
        guard TagGrammar.isSpecialTag(TagTerm.installation(id).text) else {
            throw .badRequest(
                "The installation id is invalid; use 1 to 256 letters, digits and _ @ # . : - =")
        }
        guard let name = try text("platform") else {
            throw .badRequest("The installation has no platform.")
        }
        guard let platform = LocalHubPlatform(name: name) else {
            throw .badRequest("The platform \(ClientText.quoted(name)) is unknown.")
        }
        guard let pushChannel = members["pushChannel"] else {
            throw .badRequest("The installation has no pushChannel.")
        }
        var installation = Installation(
            id: id, platform: platform, platformName: name, pushChannel: Self.known(pushChannel),
            channel: try PushChannel(pushChannel, on: platform))
        installation.tags = try Self.tags(members["tags"])
        installation.userID = try userID()
        if let text = try text("expirationTime") {
            guard let (expiration, ticks) = LenientDate.parseExactly(text) else {
                throw .badRequest("The expirationTime is not a time such as 2026-01-31T12:00:00Z.")
            }
            // The service uses this year to mean never.
            let isNever = text.hasPrefix("9999-12-31")
            installation.expiration = isNever ? nil : expiration
            // A `Date` would change the last of the seven digits that clients send.
            installation.expirationTicks = isNever || ticks == 0 ? nil : ticks
        }
        installation.pushVariables = try Self.texts(members["pushVariables"], "pushVariables")
        installation.templates = try Self.templates(members["templates"], on: platform)
        installation.secondaryTiles = try secondaryTiles(on: platform)
        return installation
    }

    /// Reads only the known members of a channel.
    private static func known(_ channel: JSONValue) -> JSONValue {
        guard let members = channel.members else { return channel }
        return .object(members.filter { ["endpoint", "p256dh", "auth"].contains($0.key) })
    }

    private func text(_ name: String) throws(HubFailure) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.text else { throw .badRequest("\(name) is not a string.") }
        return text
    }

    private func userID() throws(HubFailure) -> String? {
        // The documentation says userID, but all clients use userId.
        let documented = try text("userID")
        guard let userID = try text("userId") ?? documented, !userID.isEmpty else { return nil }
        guard TagGrammar.isSpecialTag(TagTerm.user(userID).text) else {
            throw .badRequest(
                "The userId is invalid; use 1 to 256 letters, digits and _ @ # . : - =")
        }
        return userID
    }

    private func secondaryTiles(
        on platform: LocalHubPlatform
    ) throws(HubFailure) -> [String: SecondaryTile] {
        var tiles: [String: SecondaryTile] = [:]
        for (name, value) in try Self.object(members["secondaryTiles"], "secondaryTiles") {
            guard platform == .wns else {
                throw .badRequest("Only installations for wns can have secondaryTiles.")
            }
            let tile = try Self.object(value, "A secondary tile")
            guard let channel = tile["pushChannel"]?.text, !channel.isEmpty else {
                throw .badRequest("A secondary tile has no pushChannel.")
            }
            tiles[name] = SecondaryTile(
                pushChannel: channel, tags: try Self.tags(tile["tags"]),
                templates: try Self.templates(tile["templates"], on: platform))
        }
        return tiles
    }

    private static func templates(
        _ value: JSONValue?, on platform: LocalHubPlatform
    ) throws(HubFailure) -> [String: InstallationTemplate] {
        var templates: [String: InstallationTemplate] = [:]
        for (name, value) in try object(value, "templates") {
            guard (1...longestTemplateName).contains(name.count) else {
                throw .badRequest(
                    "A template's name must have 1 to \(longestTemplateName) characters.")
            }
            let members = try object(value, "A template")
            guard let body = members["body"]?.text, !body.isEmpty else {
                throw .badRequest("The template \(ClientText.quoted(name)) has no body.")
            }
            _ = try TemplateBody(body)
            let headers = try texts(members["headers"], "A template's headers")
            if platform == .wns, !headers.keys.contains(where: { $0.lowercased() == "x-wns-type" })
            {
                throw .badRequest("A template for wns requires the header X-WNS-Type.")
            }
            templates[name] = InstallationTemplate(
                body: body, headers: headers, expiry: members["expiry"]?.text,
                tags: try tags(members["tags"], besides: name))
        }
        guard templates.count <= mostTemplates else {
            throw .badRequest("There are more than \(mostTemplates) templates.")
        }
        return templates
    }

    /// Reads a list of tags, without the name of the template.
    ///
    /// The name need not be a valid tag, so that the response to a `GET` can be sent back with
    /// `PUT`.
    private static func tags(
        _ value: JSONValue?, besides name: String? = nil
    ) throws(HubFailure) -> [String] {
        guard let value, value != .null else { return [] }
        guard case .array(var values) = value else {
            throw .badRequest("tags is not an array of strings.")
        }
        if let name { values.removeAll { $0 == .string(name) } }
        let texts = values.compactMap(\.text)
        guard texts.count == values.count else {
            throw .badRequest("tags is not an array of strings.")
        }
        return try TagRules.checked(texts, allowsSpecial: false)
    }

    private static func texts(
        _ value: JSONValue?, _ what: String
    ) throws(HubFailure) -> [String: String] {
        let members = try object(value, what)
        let texts = members.compactMapValues(\.text)
        guard texts.count == members.count, texts.count <= mostVariables else {
            throw .badRequest(
                "\(what) must be an object with up to \(mostVariables) strings.")
        }
        return texts
    }

    private static func object(
        _ value: JSONValue?, _ what: String
    ) throws(HubFailure) -> [String: JSONValue] {
        guard let value, value != .null else { return [:] }
        guard let members = value.members else { throw .badRequest("\(what) is not an object.") }
        return members.filter { $0.value != .null }
    }
}

extension PushChannel {
    /// Reads a `pushChannel`; throws a 400 if it is invalid for the push service.
    ///
    /// A browser's channel is an object, or a string that contains the object; a Baidu channel is
    /// `userId-channelId`.
    init(_ value: JSONValue, on platform: LocalHubPlatform) throws(HubFailure) {
        switch platform {
        case .browser:
            let members = value.members ?? value.text.flatMap { JSONValue.read($0.utf8)?.members }
            guard let endpoint = members?["endpoint"]?.text, !endpoint.isEmpty,
                let p256dh = members?["p256dh"]?.text, let auth = members?["auth"]?.text
            else {
                throw .badRequest(
                    "The pushChannel of a browser must contain endpoint, p256dh "
                        + "and auth.")
            }
            self = .browser(endpoint: endpoint, p256dh: p256dh, auth: auth)
        case .baidu:
            guard let text = value.text, let dash = text.firstIndex(of: "-") else {
                throw .badRequest(
                    "The pushChannel of Baidu does not have the form userId-channelId.")
            }
            self = .baidu(
                userID: String(text[..<dash]), channelID: String(text[text.index(after: dash)...]))
        default:
            guard let text = value.text, !text.isEmpty else {
                throw .badRequest("The pushChannel is empty or not a string.")
            }
            // The service also stores the tokens of registrations in this form.
            self = .handle(platform == .apns ? text.uppercased() : text)
        }
    }
}
