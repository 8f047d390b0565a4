import CampaignCore
import Synchronization

final class MemoryHub: DeviceRegistrar {
    struct Registration: Hashable, Sendable {
        var platform: Platform
        var handle: String
        var tags: [String]
    }

    enum Call: Hashable, Sendable {
        case create
        case register(String)
        case delete(String)
        case list
    }

    private struct State: Sendable {
        var registrations: [String: Registration] = [:]
        var issued = 0
        var calls: [Call] = []
        var failures: [Call: RegistrarFailure] = [:]
        var interruptions: [Call: @Sendable () async -> Void] = [:]
    }

    private let state = Mutex(State())

    var registrations: [String: Registration] { state.withLock(\.registrations) }
    var calls: [Call] { state.withLock(\.calls) }

    /// Makes a call fail from now on; nil makes it work again.
    func fail(_ call: Call, with failure: RegistrarFailure?) {
        state.withLock { $0.failures[call] = failure }
    }

    /// Runs some work just before the next call of this kind takes effect.
    func interrupt(_ call: Call, with work: @escaping @Sendable () async -> Void) {
        state.withLock { $0.interruptions[call] = work }
    }

    /// A registration that somebody else made.
    func put(_ id: String, _ registration: Registration) {
        state.withLock { $0.registrations[id] = registration }
    }

    func createID() async throws(RegistrarFailure) -> String {
        try await begin(.create)
        return state.withLock { state in
            state.issued += 1
            return "100-\(state.issued)-1"
        }
    }

    func register(
        _ id: String, platform: Platform, handle: String, tags: [String]
    ) async throws(RegistrarFailure) {
        try await begin(.register(id))
        put(id, Registration(platform: platform, handle: handle, tags: tags))
    }

    func delete(_ id: String) async throws(RegistrarFailure) {
        try await begin(.delete(id))
        state.withLock { $0.registrations[id] = nil }
    }

    func ids(ofHandle handle: String) async throws(RegistrarFailure) -> [String] {
        try await begin(.list)
        return state.withLock { state in
            state.registrations.filter { $0.value.handle == handle }.map(\.key).sorted()
        }
    }

    private func begin(_ call: Call) async throws(RegistrarFailure) {
        let (failure, work) = state.withLock { state in
            state.calls.append(call)
            return (state.failures[call], state.interruptions.removeValue(forKey: call))
        }
        await work?()
        if let failure { throw failure }
    }
}
