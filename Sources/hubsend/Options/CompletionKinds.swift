import ArgumentParser
import CampaignFormat
import CampaignOperations
import Settings

/// What shells complete beside commands and options.
extension CompletionKind {
    /// Campaign files, and the folders that they may be in.
    static let campaigns = CompletionKind.custom(campaignWords)

    /// Runs of the store, and the names of their campaigns.
    static let runs = CompletionKind.custom(runWords)

    /// Runs of the store, by their ids alone.
    static let runIDs = CompletionKind.custom(runIDWords)

    /// The rules of `hubsend validate`.
    static let rules = CompletionKind.list(RuleDescription.all.map(\.id))

    /// YAML files of any kind.
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
