import CampaignCore
import Synchronization

final class Batches: Sendable {
    private let batches = Mutex<[[PushResult]]>([])

    var all: [[PushResult]] { batches.withLock { $0 } }
    var results: [PushResult] { all.flatMap(\.self).sorted { $0.number < $1.number } }

    func take(_ batch: [PushResult]) {
        batches.withLock { $0.append(batch) }
    }
}
