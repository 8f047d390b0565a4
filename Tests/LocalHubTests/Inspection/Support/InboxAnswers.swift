import Foundation
import HTTPTypes
import TestServing

/// The responses below `/.hubsend` as programs read them, declared independently of the hub.
enum InboxAnswers {
    struct Message: Decodable {
        struct Appearance: Decodable {
            struct PayloadID: Decodable {
                let name: String
                let value: String
            }
            let kind: String
            let title: String?
            let text: String?
            let lines: [String]?
            let ids: [PayloadID]
        }
        struct Request: Decodable {
            let method: String
            let path: String
            let headers: [String: String]
            let time: String
            let tags: String?
            let scheduled: Bool
            let body: String?
            let body_base64: String?
        }
        let sequence: Int
        let notification: String
        let time: String
        let outcome: String
        let reason: String?
        let headers: [String: String]
        let body: String?
        let registration: String
        let installation: String?
        let platform: String
        let handle: String
        let tags: [String]
        let users: [String]
        let appearance: Appearance
        let request: Request?
    }
    struct Messages: Decodable {
        let messages: [Message]
        let newest: Int
        let older: Bool

        var sequences: [Int] { messages.map(\.sequence) }
    }
    struct Devices: Decodable {
        struct Device: Decodable {
            let registration: String
            let installation: String?
            let platform: String
            let handle: String
            let tags: [String]
            let users: [String]
            let count: Int
            let newest: Int?
        }
        let devices: [Device]
        let total: Int
        let next: Int?
    }
    struct Sends: Decodable {
        struct Send: Decodable {
            struct Outcome: Decodable {
                let platform: String
                let outcome: String
                let count: Int
                let reason: String?
            }
            let notification: String
            let time: String
            let method: String?
            let path: String?
            let tags: String?
            let platform: String?
            let arrived: Int
            let refused: Int
            let outcomes: [Outcome]
        }
        let sends: [Send]
    }
    struct SendDetails: Decodable {
        struct Device: Decodable {
            let sequence: Int
            let outcome: String
            let reason: String?
            let platform: String
            let handle: String
            let registration: String
            let users: [String]
        }
        let notification: String
        let arrived: Int
        let request: Message.Request?
        let devices: [Device]
        let total: Int
        let next: Int?
    }
    struct Payload: Decodable {
        let id: String
        let media_type: String?
        let bytes: Int
        let cut: Bool
        let body: String?
        let body_base64: String?
    }
    struct Overview: Decodable {
        struct Counts: Decodable {
            let sends: Int
            let arrived: Int
            let refused: Int
            let without_target: Int
            let cleared: Int
        }
        struct Faults: Decodable {
            let on: Bool
            let count: Int
            let revision: Int
        }
        let hub: String?
        let hubs: [String]
        let newest: Int
        let kept: Int
        let published_keys: Bool
        let devices: Int
        let revision: Int
        let counts: Counts
        let faults: Faults
        let backend: [String: String]?
    }
    struct Cleared: Decodable {
        let cleared: Int
    }
    struct Failure: Decodable {
        let error: String
    }

    static func read<Answer: Decodable>(_ text: String, as _: Answer.Type) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
    }
}

extension HubUnderTest {
    func inspect<Answer: Decodable>(
        _ path: String, as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let response = try await request(.get, "/.hubsend" + path, token: nil)
        guard response.status == .ok else { throw UnexpectedAnswer(text: response.text) }
        return try InboxAnswers.read(response.text, as: type)
    }

    /// Clears messages; the query starts with a question mark.
    func clear(_ query: String = "") async throws -> Int {
        let response = try await change(.delete, "/.hubsend/messages" + query)
        guard response.status == .ok else { throw UnexpectedAnswer(text: response.text) }
        return try InboxAnswers.read(response.text, as: InboxAnswers.Cleared.self).cleared
    }

    struct UnexpectedAnswer: Error {
        let text: String
    }
}
