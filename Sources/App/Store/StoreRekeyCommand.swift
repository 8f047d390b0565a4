import ArgumentParser
import ProcessControl

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
