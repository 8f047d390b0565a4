import CampaignCore
import Glibc
import Synchronization

/// A locked byte of a ``LockFile``; given back when it is released or forgotten.
final class HeldLock: HeldCampaignLock {
    let descriptor: Int32
    private let isOpen = Mutex(true)

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        release()
    }

    func release() {
        isOpen.withLock { isOpen in
            if isOpen { close(descriptor) }
            isOpen = false
        }
    }
}
