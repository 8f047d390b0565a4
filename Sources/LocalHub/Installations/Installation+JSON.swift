import struct Foundation.Date

/// An installation as the service writes it, members in the recorded order (reference, section 7).
struct InstallationText {
    private let installation: Installation

    /// Describes an installation.
    init(_ installation: Installation) {
        self.installation = installation
    }

    /// The JSON object.
    var json: String {
        var members = [
            ("installationId", JSONText.quoted(installation.id)),
            ("pushChannel", installation.pushChannel.json), ("pushChannelExpired", "false"),
            ("platform", JSONText.quoted(installation.platformName)),
            ("expirationTime", JSONText.quoted(expiration)),
        ]
        if !installation.tags.isEmpty {
            members.append(("tags", JSONText.array(installation.tags)))
        }
        if !installation.pushVariables.isEmpty {
            members.append(("pushVariables", Self.object(installation.pushVariables)))
        }
        if !installation.templates.isEmpty {
            members.append(("templates", Self.templates(installation.templates)))
        }
        if !installation.secondaryTiles.isEmpty {
            members.append(("secondaryTiles", secondaryTiles))
        }
        if let userID = installation.userID {
            members.append(("userId", JSONText.quoted(userID)))
        }
        return JSONText.object(members)
    }

    private var expiration: String {
        guard let expiration = installation.expiration else {
            return "9999-12-31T23:59:59.9999999Z"
        }
        return installation.expirationTicks.map { ServiceTime.sevenDigits(expiration, ticks: $0) }
            ?? ServiceTime.milliseconds(expiration)
    }

    private var secondaryTiles: String {
        JSONText.object(
            installation.secondaryTiles.sorted { $0.key < $1.key }.map { name, tile in
                var members = [
                    ("pushChannel", JSONText.quoted(tile.pushChannel)),
                    ("pushChannelExpired", "false"),
                ]
                if !tile.tags.isEmpty { members.append(("tags", JSONText.array(tile.tags))) }
                if !tile.templates.isEmpty {
                    members.append(("templates", Self.templates(tile.templates)))
                }
                return (name, JSONText.object(members))
            })
    }

    private static func templates(_ templates: [String: InstallationTemplate]) -> String {
        JSONText.object(
            templates.sorted { $0.key < $1.key }.map { name, template in
                var members = [("body", JSONText.quoted(template.body))]
                if !template.headers.isEmpty {
                    members.append(("headers", object(template.headers)))
                }
                if let expiry = template.expiry {
                    members.append(("expiry", JSONText.quoted(withOffset(expiry))))
                }
                // Recorded: a template's name is one of its tags.
                members.append(("tags", JSONText.array(template.tags + [name])))
                return (name, JSONText.object(members))
            })
    }

    /// Recorded: a template's expiry comes back with a numeric offset; an expression comes back as it is.
    private static func withOffset(_ expiry: String) -> String {
        LenientDate.parse(expiry).map { String(ServiceTime.seconds($0).dropLast()) + "+00:00" }
            ?? expiry
    }

    private static func object(_ texts: [String: String]) -> String {
        JSONText.object(
            texts.sorted { $0.key < $1.key }.map { ($0.key, JSONText.quoted($0.value)) })
    }
}

extension InstallationDocument {
    /// The document of an installation, as a patch changes it.
    ///
    /// - Parameter installation: the installation.
    init(_ installation: Installation) {
        let document = JSONValue.read(InstallationText(installation).json.utf8)
        self.init(members: document?.members ?? [:])
    }
}
