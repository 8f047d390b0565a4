import Foundation

/// The JSON body of `PUT /{hub}/installations/{id}`, as far as this hub acts on it (reference, section 7).
struct InstallationDocument: Decodable {
    private let installationId: String
    private let platform: String
    private let pushChannel: PushChannel
    private let tags: [String]?
    private let userId: String?
    private let templates: [String: Anything]?
    private let secondaryTiles: [String: Anything]?

    private static let mostTags = 60

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: the bytes of the request.
    ///   - id: the installation id of the path; that of the body has to be the same.
    /// - Returns: the installation.
    /// - Throws: a 400 when the body is no installation, a 501 when it has templates or tiles.
    static func installation(
        from body: [UInt8], id: String
    ) throws(HubFailure) -> Installation {
        let document: InstallationDocument
        do {
            document = try JSONDecoder().decode(InstallationDocument.self, from: Data(body))
        } catch {
            // The decoder's own text may repeat values of the body, a device handle among them.
            throw .badRequest(
                "The body is not an installation: it needs installationId, platform and pushChannel."
            )
        }
        return try document.checked(id: id)
    }

    private func checked(id: String) throws(HubFailure) -> Installation {
        guard installationId == id else {
            throw .badRequest("The installationId of the body is not the one of the address.")
        }
        guard let platform = LocalHubPlatform(name: platform) else {
            throw .badRequest("The platform \(ClientText.quoted(platform)) is unknown.")
        }
        guard !pushChannel.handle.isEmpty else {
            throw .badRequest("The pushChannel is empty.")
        }
        let tags = tags ?? []
        guard tags.count <= Self.mostTags else {
            throw .badRequest("There are more than \(Self.mostTags) tags.")
        }
        if let wrong = tags.first(where: { !TagGrammar.isTag($0) }) {
            throw .badRequest(
                "The tag \(ClientText.quoted(wrong)) is not 1 to 120 letters, digits and _ @ # . : -"
            )
        }
        if templates?.isEmpty == false || secondaryTiles?.isEmpty == false {
            throw .notYet("Templates and secondary tiles of an installation")
        }
        return Installation(
            id: id, platform: platform, channel: .handle(pushChannel.handle), tags: tags,
            userID: userId.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension InstallationDocument {
    /// A push channel: text, or for browsers an object of texts, kept as JSON text.
    private struct PushChannel: Decodable {
        let handle: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                handle = text
                return
            }
            let parts = try container.decode([String: String].self)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            handle = String(decoding: try encoder.encode(parts), as: UTF8.self)
        }
    }

    /// A JSON value that only has to be there.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
