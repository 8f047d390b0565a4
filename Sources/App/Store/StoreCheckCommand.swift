import ArgumentParser

struct StoreCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reads the whole store, and says whether it is as it was written.",
        discussion: """
            Looks at pages and indexes, at rows that belong together, at the version, at the payload key, and at each \
            run: whether its people, payloads and outcomes are those that were written. Nothing is changed, and others \
            can use the store meanwhile. Ends with 0, or with 2 and a sentence that says what to do. With --store it \
            checks a backup.
            """)

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        try await StoreInspection(settings, isQuiet: options.quiet).run()
    }
}
