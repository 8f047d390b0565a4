import CampaignCore
import FoundationEssentials

/// What a device says about itself: the body of `PUT /api/register/{id}`.
struct RegistrationDocument {
    /// The most tags of a registration (hub reference, section 5).
    static let mostTags = 60
    /// WNS channels are the longest handles.
    static let longestHandle = 2_048

    private struct Body: Decodable {
        let platform: String
        let handle: String
        let tags: [String]?

        enum CodingKeys: String, CodingKey {
            case platform = "Platform"
            case handle = "Handle"
            case tags = "Tags"
        }
    }

    let platform: Platform
    let handle: String
    /// As the client wrote them, at most ``mostTags``.
    let tags: [String]

    /// Reads a body.
    ///
    /// - Throws: ``BackendFailure/malformed(reason:)``.
    init(_ json: Data) throws(BackendFailure) {
        let body: Body
        do {
            body = try JSONDecoder().decode(Body.self, from: json)
        } catch {
            throw .malformed(
                reason:
                    #"The body is none; write {"Platform":…,"Handle":…,"Tags":[…]}."#
            )
        }
        platform = try Self.platform(body.platform)
        handle = try Self.handle(body.handle)
        tags = body.tags ?? []
        guard tags.count <= Self.mostTags else {
            throw .malformed(reason: "A device may have \(Self.mostTags) tags at most.")
        }
    }

    /// A platform by the names that the tutorials' apps use for it, in any case.
    ///
    /// - Throws: ``BackendFailure/malformed(reason:)``.
    static func platform(_ text: String) throws(BackendFailure) -> Platform {
        let name = text.lowercased()
        guard let platform = name == "gcm" ? .fcm : Platform(rawValue: name) else {
            throw .malformed(
                reason:
                    "The platform \(ClientText.quoted(text)) is not known; use apns, fcm or wns."
            )
        }
        return platform
    }

    /// A handle, when it can be one.
    ///
    /// - Throws: ``BackendFailure/malformed(reason:)``, without the handle.
    static func handle(_ text: String) throws(BackendFailure) -> String {
        guard 1...longestHandle ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            throw .malformed(
                reason:
                    "The handle is none: 1 to \(longestHandle) printable characters without spaces."
            )
        }
        return text
    }
}
