import ArgumentParser
import CampaignFormat

/// What shells complete besides commands and options.
extension CompletionKind {
    /// Campaign files, and folders that may contain some.
    static let campaigns = CompletionKind.custom(campaignWords)

    /// Runs of the store, and the names of their campaigns.
    static let runs = CompletionKind.custom(runWords)

    static let runIDs = CompletionKind.custom(runIDWords)

    static let rules = CompletionKind.list(Rule.all.map(\.id))

    static let yamlFiles = CompletionKind.file(extensions: ["yaml", "yml"])

    @Sendable private static func campaignWords(
        _ words: [String], _ index: Int, _ beginning: String
    ) -> [String] {
        CampaignWords(beginning).words()
    }

    @Sendable private static func runWords(
        _ words: [String], _ index: Int, _ beginning: String
    ) async -> [String] {
        await RunWords(after: words, invocation: .current()).words()
    }

    @Sendable private static func runIDWords(
        _ words: [String], _ index: Int, _ beginning: String
    ) async -> [String] {
        await RunWords(after: words, invocation: .current()).ids()
    }
}
