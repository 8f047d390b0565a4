import DeviceClient
import Foundation
import Synchronization
import TestSupport

/// Answers all requests alike and at once, but for the first one, which waits until it is let go.
final class HeldTransport: DeviceTransport {
    /// Reached when the first request has come.
    let hasBegun = Milestone()
    /// Lets the first request be answered.
    let isLetGo = Milestone()
    private let text: String
    private let isFirst = Mutex(true)

    /// - Parameter text: the body of all answers.
    init(_ text: String) {
        self.text = text
    }

    /// One that answers the first request at once, too.
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

/// Waits until it is let go, whatever becomes of the task that waits.
final class StubbornWait: Sendable {
    /// Reached when somebody waits.
    let hasBegun = Milestone()
    private let isLetGo = Milestone()

    /// Whether nobody waits any more.
    var isOver: Bool { isLetGo.isReached }

    func wait() async {
        hasBegun.reach()
        // A task of its own is not cancelled with the one that waits for it.
        await Task { await isLetGo.wait() }.value
    }

    func letGo() { isLetGo.reach() }
}
