import ArgumentParser
import CampaignFormat

/// The arguments that shells complete in addition to commands and options.
extension CompletionKind {
    /// Campaign files, and folders that may contain campaigns.
    static let campaigns = CompletionKind.custom { _, _, beginning in
        CampaignCompletions(beginning).words()
    }

    /// Runs of the store, and the names of their campaigns.
    static let runs = CompletionKind.custom { words, _, _ in
        await RunCompletions(after: words, invocation: .current()).words()
    }

    static let runIDs = CompletionKind.custom { words, _, _ in
        await RunCompletions(after: words, invocation: .current()).ids()
    }

    static let rules = CompletionKind.list(Rule.all.map(\.id))

    static let yamlFiles = CompletionKind.file(extensions: ["yaml", "yml"])
}
