import CampaignCore
import Storage

struct StoreInspection {
    private let settings: EffectiveSettings
    private let isQuiet: Bool

    init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
    }

    /// Checks the store, and says what it holds; nothing is changed.
    func run() async throws {
        let store = try await settings.store.openForReading(
            try await settings.storeOptions(), isBroughtUpToDate: false)
        let health = try await store.check()
        try store.close()
        guard health.faults.isEmpty else {
            throw OperationFault.damagedStore(store.place, health.faults)
        }
        if !isQuiet { try Console.say(Self.sentence(health, of: store.place)) }
    }

    static func sentence(_ health: StoreHealth, of place: StorePlace) -> String {
        let counts = [
            Figures.count(health.runs, "run", "runs"),
            Figures.count(health.recipients, "recipient", "recipients"),
            "what became of \(Figures.count(health.outcomes, "delivery", "deliveries"))",
            Figures.count(health.registrations, "registration", "registrations"),
        ]
        return """
            The \(place) is whole: \(counts.joined(separator: ", ")); \
            \(Figures.size(health.bytes)).
            """ + checksums(health.hasChecksums)
    }

    /// Describes the server's checksums; without them, disk damage goes unnoticed.
    private static func checksums(_ areKept: Bool?) -> String {
        switch areKept {
        case nil: ""
        case true?: " The server keeps checksums of its pages."
        case false?:
            " The server keeps no checksums of its pages (data_checksums), so that nobody sees damage that its disk does to them."
        }
    }
}
