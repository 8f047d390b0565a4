import ArgumentParser
import CampaignCore
import Storage

struct StoreCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reads the whole store and checks that it is undamaged.",
        discussion: """
            Checks pages, indexes, related rows, the version and the payload key, and that the \
            people, payloads and outcomes of each run are as they were written. Nothing is \
            changed, and other processes can use the store at the same time. If the store is \
            damaged, exits with 2 and says what to do. To check a backup, name it with --store.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        try await StoreInspection(settings, isQuiet: options.quiet).run()
    }
}

struct StoreInspection {
    private let settings: EffectiveSettings
    private let isQuiet: Bool

    init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
    }

    /// Checks the store and says what it contains, without changing anything.
    func run() async throws {
        let store = try await settings.store.openForReading(
            try await settings.storeOptions(), migrates: false)
        let health = try await store.check()
        try store.close()
        guard health.damage.isEmpty else { throw Refused.damaged(store.place, health.damage) }
        if !isQuiet { try Console.say(Self.sentence(health, of: store.place)) }
    }

    static func sentence(_ health: StoreHealth, of place: StoreComponent) -> String {
        let counts = [
            Figures.count(health.runs, "run", "runs"),
            Figures.count(health.recipients, "recipient", "recipients"),
            Figures.count(health.outcomes, "outcome", "outcomes"),
            Figures.count(health.registrations, "registration", "registrations"),
        ]
        return """
            The \(place) is intact: \(counts.joined(separator: ", ")); \(Figures.size(health.bytes)).
            """ + checksums(health.hasChecksums)
    }

    /// Describes the server's checksums; without them, disk damage goes unnoticed.
    private static func checksums(_ areKept: Bool?) -> String {
        switch areKept {
        case nil: ""
        case true?: " The server keeps checksums of its pages."
        case false?:
            " The server keeps no checksums of its pages (data_checksums), so damage on its disk goes unnoticed."
        }
    }
}

extension Refused {
    static func damaged(_ place: StoreComponent, _ faults: [StoreDamage]) -> Refused {
        Refused(
            "\(StoreError.corrupt(place)) These problems were found:",
            details: lines(faults) { "\($0)" })
    }
}
