import CampaignCore
import HTTPTypes
import HummingbirdCore

extension Route {
    private static let longestSubject = 128

    /// What the audit calls it.
    func action(for request: Request, _ query: QueryParameters) -> AuditEntry.Action {
        switch self {
        case .health, .readiness: .request
        case .issueRegistration, .register: .register
        case .unregister: .unregister
        case .list: .list
        case .send: .send
        case .fetch: request.method == .head || query["as"] != nil ? .list : .fetch
        case .markRead: .read
        }
    }

    /// The id that it names, when it may be one; what else a client writes is not for the audit.
    var subject: String? {
        switch self {
        case .health, .readiness, .issueRegistration, .list, .send:
            nil
        case .fetch(let id), .markRead(let id):
            NotificationID(id)?.text
        case .register(let id), .unregister(let id):
            id.utf8.count <= Self.longestSubject && id.utf8.allSatisfy(Self.isPlain) ? id : nil
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default:
            false
        }
    }
}
