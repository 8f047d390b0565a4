import CampaignCore
import Logging
import NotificationHubs
import ProcessControl

struct HubRegistrations {
    private let registrar: HubDeviceRegistrar

    private init(_ client: NotificationHubClient) {
        registrar = HubDeviceRegistrar(client: client)
    }

    /// Deletes the registrations under the person's tag and those in the store; returns their
    /// number.
    static func delete(
        of person: Username, known: [String], at connection: HubConnection, logger: Logger
    ) async throws -> Int {
        try await connection.withClient(concurrency: 1, retries: .standard, logger: logger) {
            client -> Int in
            do throws(RegistrarFailure) {
                return try await HubRegistrations(client).delete(of: person, known: known)
            } catch {
                try Task.checkCancellation()
                throw Refused(
                    """
                    Nothing was deleted from the store, because the registrations of \(person) at the hub could not be \
                    deleted. \(error.sentence) Fix that and run the command again, or leave the hub out with --local.
                    """, status: error.isPassing ? .tryAgain : .configuration)
            }
        }
    }

    private func delete(
        of person: Username, known: [String]
    ) async throws(RegistrarFailure) -> Int {
        var deleted = Set(known)
        for id in known { try await registrar.delete(id) }
        // A listing has a limited length, so more registrations may follow.
        while true {
            let ids = try await registrar.ids(of: person).filter { deleted.insert($0).inserted }
            guard !ids.isEmpty else { return deleted.count }
            for id in ids { try await registrar.delete(id) }
        }
    }
}

extension RegistrarFailure {
    fileprivate var sentence: String {
        switch self {
        case .gone: "The hub no longer knows one of the registrations."
        case .busy: "The hub throttled the request."
        case .refused(let text), .unavailable(let text), .misconfigured(let text): text
        }
    }

    fileprivate var isPassing: Bool {
        switch self {
        case .busy, .unavailable: true
        case .gone, .refused, .misconfigured: false
        }
    }
}
