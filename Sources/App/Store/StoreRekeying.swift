import CampaignCore
import Storage

struct StoreRekeying: Sendable {
    private let settings: EffectiveSettings
    private let isQuiet: Bool
    private let bar: ProgressBar

    init(_ settings: EffectiveSettings, isQuiet: Bool) {
        self.settings = settings
        self.isQuiet = isQuiet
        bar = ProgressBar(isShown: !isQuiet && settings.invocation.isErrorTerminal)
    }

    /// Encrypts with the first key what an earlier key encrypted.
    ///
    /// It says whether the earlier key is still needed.
    func run() async throws {
        let options = try await settings.storeOptions(clearing: bar)
        // A missing store is not made.
        try await settings.store.openForReading(options).close()
        let store = try await settings.store.open(options)
        let rekeyed: RekeyedPayloads
        do {
            rekeyed = try await store.rekey { [bar] in bar.update(rekeyedPayloads: $0) }
        } catch {
            bar.clear()
            // The process closes the store; an error from closing would hide the first one.
            try? store.close()
            throw error is CancellationError
                ? OperationFault.rekeyInterrupted(store.place) : error
        }
        bar.clear()
        try store.close()
        guard rekeyed.isComplete else {
            throw OperationFault.rekeyIncomplete(store.place, rekeyed)
        }
        if !isQuiet { try Console.say(Self.sentence(rekeyed)) }
    }

    static func sentence(_ rekeyed: RekeyedPayloads) -> String {
        let first =
            rekeyed.payloads == 0
            ? "No payload is encrypted with another key than the first."
            : "\(Figures.count(rekeyed.payloads, "payload was", "payloads were")) encrypted anew."
        return first
            + " Earlier keys are needed no more for this store, but for backups of before."
    }
}
