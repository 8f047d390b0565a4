import CampaignCore
import HTTPServing

struct ListPage: Equatable {
    private static let standardLimit = 50
    private static let largestLimit = 100

    let isUnread: Bool
    /// The last id of the previous page; nil for the first page.
    let last: NotificationID?
    let limit: Int

    init(_ query: QueryParameters) throws(BackendFailure) {
        switch query["unread"]?.lowercased() {
        case nil, "false": isUnread = false
        case "true": isUnread = true
        default:
            throw .malformed(reason: "The parameter \"unread\" must be true or false.")
        }
        if let after = query["after"] {
            // A malformed id is treated like another person's id: nothing comes after it.
            last = NotificationID(after) ?? .placeholder
        } else {
            last = nil
        }
        limit = try Self.limit(query["limit"])
    }

    private static func limit(_ text: String?) throws(BackendFailure) -> Int {
        guard let text else { return standardLimit }
        guard text.utf8.allSatisfy({ 48...57 ~= $0 }), let limit = Int(text),
            1...largestLimit ~= limit
        else {
            throw .malformed(
                reason: "The parameter \"limit\" must be a number from 1 to \(largestLimit).")
        }
        return limit
    }

    /// The `Link` field for the next page (RFC 8288).
    func link(after last: NotificationID) -> String {
        let unread = isUnread ? "unread=true&" : ""
        return "</api/notifications?\(unread)after=\(last)&limit=\(limit)>; rel=\"next\""
    }
}
