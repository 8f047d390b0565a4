import CampaignCore
import Synchronization

/// Sends a page with one push and waits for what became of it.
struct SinglePush {
    private final class LastResult: Sendable {
        let value = Mutex<PushResult?>(nil)
    }

    let sender: any PushSender

    /// - Returns: the push's result; `unknown` when the sender, against its port, gave none.
    func result(of page: PushPage) async -> PushResult {
        let last = LastResult()
        await sender.send(page) { results in
            last.value.withLock { $0 = results.last ?? $0 }
        }
        return last.value.withLock { $0 } ?? PushResult(number: 0, disposition: .unknown)
    }
}
