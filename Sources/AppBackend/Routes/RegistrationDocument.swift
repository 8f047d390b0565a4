import CampaignCore
import FoundationEssentials
import HTTPServing

/// The body of `PUT /api/register/{id}`, in which a device describes itself.
struct RegistrationDocument {
    /// The maximum number of tags of a registration at the hub.
    fileprivate static let mostTags = 60
    /// WNS channels and browser subscriptions are the longest handles.
    private static let longestHandle = 2_048

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
    /// The tags as the client wrote them, no more than ``mostTags``.
    let tags: [String]

    init(_ json: Data) throws(BackendFailure) {
        let body: Body
        do {
            body = try JSONDecoder().decode(Body.self, from: json)
        } catch {
            throw .malformed(
                reason:
                    #"The body is not a registration; write {"Platform":…,"Handle":…,"Tags":[…]}."#
            )
        }
        platform = try Self.platform(body.platform)
        handle = try Self.handle(body.handle)
        guard platform.facts.handle != .subscription || BrowserSubscription(handle: handle) != nil
        else {
            throw .malformed(
                reason:
                    "The handle of a browser must be its subscription, as JSON.stringify(subscription) writes it."
            )
        }
        tags = body.tags ?? []
        guard tags.count <= Self.mostTags else {
            throw .malformed(reason: "A device may have at most \(Self.mostTags) tags.")
        }
    }

    /// Reads a platform by the names that the tutorials' apps use, case-insensitively.
    static func platform(_ text: String) throws(BackendFailure) -> Platform {
        guard let platform = Platform(spelling: text.lowercased()) else {
            throw .malformed(
                reason:
                    "The platform \(ClientText.quoted(text)) is unknown; use \(Platform.alternatives)."
            )
        }
        return platform
    }

    /// Checks a handle; the error never contains the handle.
    static func handle(_ text: String) throws(BackendFailure) -> String {
        guard 1...longestHandle ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            throw .malformed(
                reason:
                    "The handle is malformed; it must have 1 to \(longestHandle) printable characters without spaces."
            )
        }
        return text
    }
}

/// The tags of a device: its user's tag and those requested tags that are allowed.
struct RequestedTags: Equatable {
    /// There are no duplicates, and the user's tag comes first.
    let tags: [String]

    /// Checks the requested tags.
    ///
    /// Old apps also request their own `username:` tag, which they get anyway.
    init(
        _ wanted: [String], of user: Username, allowed: [TagPattern]
    ) throws(BackendFailure) {
        var tags = [user.tag]
        var known: Set<String> = [user.tag]
        for tag in wanted where !known.contains(tag) {
            guard allowed.contains(where: { $0.matches(tag) }) else { throw .tagNotAllowed(tag) }
            known.insert(tag)
            tags.append(tag)
        }
        guard tags.count <= RegistrationDocument.mostTags else {
            let most = RegistrationDocument.mostTags
            throw .malformed(
                reason: "A device may have at most \(most) tags, including its user's.")
        }
        self.tags = tags
    }
}
