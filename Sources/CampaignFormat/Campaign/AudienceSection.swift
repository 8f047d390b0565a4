import CampaignCore

/// The key `audience`, read, with what was seen at the beginnings of its files.
struct AudienceSection {
    /// Somewhere that people come from, and the columns it has values in.
    struct Origin {
        /// As a message names it.
        let name: String
        /// Empty for people who are only named.
        let columns: [String]
    }

    var named = AudienceFiles.Part()
    var excluded = AudienceFiles.Part()
    var rule = AudienceRule()
    /// The files that could be opened.
    var readable: [AudienceFile] = []
    /// Where the people of the campaign come from.
    var origins: [Origin] = []
    /// Whether a file could not be read, so that nothing can be said about columns.
    var isIncomplete = false
    /// Whether anybody is named.
    var hasPeople = false
}
