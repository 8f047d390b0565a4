import CampaignCore
import Synchronization

final class CountingSender: PushSender {
    private let received = Mutex<[(target: String, body: String)]>([])

    /// Targets such as `alice/apns`, each with the push's text.
    var all: [(target: String, body: String)] { received.withLock { $0 } }

    func describe(_ page: PushPage) -> PushRequest? { nil }

    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async {
        received.withLock { received in
            for push in page.pushes {
                for username in push.usernames {
                    received.append(
                        (
                            "\(username)/\(page.platform.rawValue)",
                            String(decoding: push.body, as: UTF8.self)
                        ))
                }
            }
        }
        await results(page.pushes.map { PushResult(number: $0.number, disposition: .accepted) })
    }
}
