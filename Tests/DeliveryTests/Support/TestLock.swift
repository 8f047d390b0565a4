import CampaignCore
import Synchronization

final class TestLock: CampaignLock {
    private let taken = Mutex<Set<String>>([])

    final class Held: HeldCampaignLock {
        let free: @Sendable () -> Void

        init(free: @escaping @Sendable () -> Void) {
            self.free = free
        }

        func release() { free() }
    }

    func acquire(campaign: String) -> (any HeldCampaignLock)? {
        guard taken.withLock({ $0.insert(campaign).inserted }) else { return nil }
        return Held { [self] in
            taken.withLock { _ = $0.remove(campaign) }
        }
    }
}
