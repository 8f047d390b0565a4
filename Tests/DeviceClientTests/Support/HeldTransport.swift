import DeviceClient
import Foundation
import Synchronization
import TestSupport

/// Answers the first request only after it is released, and all others immediately.
final class HeldTransport: DeviceTransport {
    /// Reached when the first request has arrived.
    let hasBegun = Milestone()
    let isLetGo = Milestone()
    private let text: String
    private let isFirst = Mutex(true)

    /// - Parameter text: the body of all responses.
    init(_ text: String) {
        self.text = text
    }

    /// Creates a transport that answers every request immediately.
    static func open(_ text: String) -> HeldTransport {
        let transport = HeldTransport(text)
        transport.isLetGo.reach()
        return transport
    }

    func send(_ request: DeviceRequest) async throws -> DeviceResponse {
        let waits = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if waits {
            hasBegun.reach()
            await isLetGo.wait()
        }
        return DeviceResponse(status: 200, headers: [:], body: Data(text.utf8))
    }
}

/// Waits until it is released, even if the waiting task is cancelled.
final class StubbornWait: Sendable {
    /// Reached when a task waits.
    let hasBegun = Milestone()
    private let isLetGo = Milestone()

    var isOver: Bool { isLetGo.isReached }

    func wait() async {
        hasBegun.reach()
        // A separate task is not cancelled together with the waiting one.
        await Task { await isLetGo.wait() }.value
    }

    func letGo() { isLetGo.reach() }
}
