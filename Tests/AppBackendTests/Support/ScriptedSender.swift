import CampaignCore
import Synchronization

/// A sender that answers each push as scripted and records the pages.
final class ScriptedSender: PushSender {
    private struct State: Sendable {
        var pages: [PushPage] = []
        var answers: [Platform: PushDisposition?] = [:]
    }

    private let state = Mutex(State())

    var pages: [PushPage] { state.withLock(\.pages) }

    /// Sets the result of pushes to a platform; with nil, there is no result, which violates the
    /// rules of the port.
    func answer(_ platform: Platform, _ disposition: PushDisposition?) {
        state.withLock { $0.answers[platform] = .some(disposition) }
    }

    func describe(_ page: PushPage) -> PushRequest? { nil }

    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async {
        let answer = state.withLock { state in
            state.pages.append(page)
            return state.answers[page.platform] ?? .accepted
        }
        guard let answer else { return }
        await results(page.pushes.map { PushResult(number: $0.number, disposition: answer) })
    }
}

extension PushPage {
    var body: String { String(decoding: pushes.first?.body ?? [], as: UTF8.self) }
}
