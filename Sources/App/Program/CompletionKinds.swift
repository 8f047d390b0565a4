import ArgumentParser
import CampaignFormat

/// What shells complete besides commands and options.
extension CompletionKind {
    /// Campaign files, and folders that may contain some.
    static let campaigns = CompletionKind.custom { _, _, beginning in
        CampaignWords(beginning).words()
    }

    /// Runs of the store, and the names of their campaigns.
    static let runs = CompletionKind.custom { words, _, _ in
        await RunWords(after: words, invocation: .current()).words()
    }

    static let runIDs = CompletionKind.custom { words, _, _ in
        await RunWords(after: words, invocation: .current()).ids()
    }

    static let rules = CompletionKind.list(Rule.all.map(\.id))

    static let yamlFiles = CompletionKind.file(extensions: ["yaml", "yml"])
}
