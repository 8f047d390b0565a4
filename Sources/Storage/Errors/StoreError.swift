package import CampaignCore

/// Why the store could not do what was asked; the text is a sentence with a remedy and shows no stored value.
package enum StoreError: Error, Hashable, Sendable {
    // MARK: Opening

    /// Nothing is there, and the call only reads.
    case notFound(StorePlace)
    /// Made by a newer hubsend; left untouched.
    case newerVersion(StorePlace)
    /// Made by an older hubsend, and the call only reads.
    case olderVersion(StorePlace)
    /// A file, but not one of hubsend's.
    case notAStore(StorePlace)
    case networkFileSystem(StorePlace, kind: String)
    case ownedByAnother(StorePlace)
    case writableByOthers(StorePlace)
    /// The system refused; `reason` is its text.
    case inaccessible(StorePlace, reason: String)
    /// The connection does not sync every commit, or keeps its temporary files elsewhere.
    case settingRefused(StorePlace, setting: String)

    // MARK: Reading and writing

    case corrupt(StorePlace)
    case readOnly(StorePlace)
    case diskFull(StorePlace)
    case locked(StorePlace)
    /// `code` is SQLite's extended result code or `errno`.
    case inputOutput(StorePlace, code: Int)
    /// Anything else; `message` is SQLite's, which names tables and columns but no value.
    case unexpected(StorePlace, code: Int, message: String)

    // MARK: Runs

    case runExists(campaign: String, occurrence: Occurrence)
    case noSuchRun(RunID)
    case notStaging(RunID)
    /// Recipients came otherwise than in name order, each once.
    case unordered(RunID)
    case foreignPlatform(RunID, Platform)
}
