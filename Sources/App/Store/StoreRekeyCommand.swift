import ArgumentParser
import CampaignCore
import ProcessControl
import Storage

struct StoreRekeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Re-encrypts all payloads with the first payload key.",
        discussion: """
            To change the payload key, put the new key before the old one in HUBSEND_PAYLOAD_KEY \
            (or _FILE or _COMMAND, or the key file next to the store). New payloads are encrypted \
            with the first key, and all payloads remain readable. This command re-encrypts older \
            payloads while the store is in use, and says when the old key is no longer needed. If \
            it is interrupted, run the same command again. See hubsend-security(7).
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

    /// Re-encrypts payloads that were encrypted with an earlier key with the first key.
    ///
    /// A message says whether the earlier key is still needed.
    func run() async throws {
        let options = try await settings.storeOptions(clearing: bar)
        // A missing store is not created.
        try await settings.store.openForReading(options).close()
        let store = try await settings.store.open(options)
        let rekeyed: RekeyedPayloads
        do {
            rekeyed = try await store.rekey { [bar] in bar.update(rekeyedPayloads: $0) }
        } catch {
            bar.clear()
            // The store is closed with the process, because an error from closing would hide the
            // first error.
            try? store.close()
            guard error is CancellationError else { throw error }
            throw Refused(
                """
                Interrupted: some payloads in the \(store.place) are not encrypted with the first key yet. Run the same \
                command again to continue, and keep all keys until it is done.
                """, status: .interrupted)
        }
        bar.clear()
        try store.close()
        guard rekeyed.isComplete else { throw Self.refusal(rekeyed, in: store.place) }
        if !isQuiet { try Console.say(Self.sentence(rekeyed)) }
    }

    static func refusal(_ rekeyed: RekeyedPayloads, in place: StoreComponent) -> Refused {
        if rekeyed.unreadable > 0 {
            Refused(
                """
                \(Figures.count(rekeyed.unreadable, "payload", "payloads")) in the \(place) cannot be decrypted with any \
                of the keys and were not changed; keep all keys. Run `hubsend store check` to see whether the store is \
                damaged, and restore a backup if it is.
                """)
        } else if rekeyed.isOvertaken {
            Refused(
                """
                Another process has begun to encrypt the payloads in the \(place) with a different key. Keep all \
                keys, put the same key first on all hosts, and run the command again.
                """, status: .tryAgain)
        } else {
            Refused(
                """
                All payloads in the \(place) were encrypted with the first key, except for a run \
                that is being staged now. Keep all keys, and run the command again when `hubsend \
                runs` no longer lists a run that is being staged.
                """, status: .tryAgain)
        }
    }

    static func sentence(_ rekeyed: RekeyedPayloads) -> String {
        let first =
            rekeyed.payloads == 0
            ? "All payloads were already encrypted with the first key."
            : "\(Figures.count(rekeyed.payloads, "payload was", "payloads were")) re-encrypted."
        return first
            + " Earlier keys are now needed only for earlier backups of this store."
    }
}
