import struct Foundation.Date

extension Installation {
    /// The installation as the service writes it: a JSON object, with its members in the order
    /// recorded from the service.
    var json: String {
        var members = [
            ("installationId", JSONText.quoted(id)), ("pushChannel", pushChannel.json),
            ("pushChannelExpired", "false"), ("platform", JSONText.quoted(platformName)),
            ("expirationTime", JSONText.quoted(expirationText)),
        ]
        if !tags.isEmpty {
            members.append(("tags", JSONText.array(tags)))
        }
        if !pushVariables.isEmpty {
            members.append(("pushVariables", JSONText.object(pushVariables)))
        }
        if !templates.isEmpty {
            members.append(("templates", Self.text(of: templates)))
        }
        if !secondaryTiles.isEmpty {
            members.append(("secondaryTiles", tilesText))
        }
        if let userID {
            members.append(("userId", JSONText.quoted(userID)))
        }
        return JSONText.object(members)
    }

    private var expirationText: String {
        guard let expiration else { return "9999-12-31T23:59:59.9999999Z" }
        return expirationTicks.map { ServiceTime.sevenDigits(expiration, ticks: $0) }
            ?? ServiceTime.milliseconds(expiration)
    }

    private var tilesText: String {
        JSONText.object(
            secondaryTiles.sorted { $0.key < $1.key }.map { name, tile in
                var members = [
                    ("pushChannel", JSONText.quoted(tile.pushChannel)),
                    ("pushChannelExpired", "false"),
                ]
                if !tile.tags.isEmpty { members.append(("tags", JSONText.array(tile.tags))) }
                if !tile.templates.isEmpty {
                    members.append(("templates", Self.text(of: tile.templates)))
                }
                return (name, JSONText.object(members))
            })
    }

    private static func text(of templates: [String: InstallationTemplate]) -> String {
        JSONText.object(
            templates.sorted { $0.key < $1.key }.map { name, template in
                var members = [("body", JSONText.quoted(template.body))]
                if !template.headers.isEmpty {
                    members.append(("headers", JSONText.object(template.headers)))
                }
                if let expiry = template.expiry {
                    members.append(("expiry", JSONText.quoted(withOffset(expiry))))
                }
                // In recordings of the service, a template's name is one of its tags.
                members.append(("tags", JSONText.array(template.tags + [name])))
                return (name, JSONText.object(members))
            })
    }

    /// In recordings of the service, a template's expiry has a numeric offset, unless it is an
    /// expression, which is returned unchanged.
    private static func withOffset(_ expiry: String) -> String {
        LenientDate.parse(expiry).map { String(ServiceTime.seconds($0).dropLast()) + "+00:00" }
            ?? expiry
    }
}

extension InstallationDocument {
    init(_ installation: Installation) {
        let document = JSONValue.read(installation.json.utf8)
        self.init(members: document?.members ?? [:])
    }
}
