import ArgumentParser
import CampaignCore
import ProcessControl
import Storage

struct StoreRekeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Encrypts all payloads with the first of several payload keys.",
        discussion: """
            While keys are exchanged, HUBSEND_PAYLOAD_KEY (or _FILE or _COMMAND, or the key file beside the store) holds \
            the new key and behind it the old one. New payloads are encrypted with the first, and all are readable. This \
            encrypts the others anew, beside whatever else uses the store, and says when the old key is needed no more. \
            What was interrupted goes on with the same command. See man/hubsend-security.7.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let rekeying = StoreRekeying(settings, isQuiet: options.quiet)
        _ = try await SignalWatch.run { try await rekeying.run() }
    }
}

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
            guard error is CancellationError else { throw error }
            throw Refused(
                """
                Not all payloads in the \(store.place) are encrypted with the first key yet; those that are stay so. The \
                same command goes on; keep all keys until then.
                """, status: .interrupted)
        }
        bar.clear()
        try store.close()
        guard rekeyed.isComplete else { throw Self.refusal(rekeyed, in: store.place) }
        if !isQuiet { try Console.say(Self.sentence(rekeyed)) }
    }

    static func refusal(_ rekeyed: RekeyedPayloads, in place: StorePlace) -> Refused {
        if rekeyed.unreadable > 0 {
            Refused(
                """
                \(Figures.count(rekeyed.unreadable, "payload", "payloads")) in the \(place) cannot be decrypted with any \
                of the keys, and stay as they are; keep all keys. Look with `hubsend store check` whether the store is \
                damaged, and put a backup back.
                """)
        } else if rekeyed.isOvertaken {
            Refused(
                """
                Somebody began to encrypt the payloads in the \(place) with another key meanwhile. Keep all keys, put the \
                same one first on all hosts, and repeat the command.
                """, status: .tryAgain)
        } else {
            Refused(
                """
                All payloads in the \(place) were encrypted with the first key, but for a run that is being staged now. \
                Keep all keys, and repeat the command once `hubsend runs` shows none.
                """, status: .tryAgain)
        }
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
