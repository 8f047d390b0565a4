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
    /// On a file system of this type, where locks do not hold.
    case networkFileSystem(StorePlace, kind: String)
    /// The file belongs to another user.
    case ownedByAnother(StorePlace)
    /// Others may have changed it.
    case writableByOthers(StorePlace)
    /// The system refused; `reason` is its text.
    case inaccessible(StorePlace, reason: String)
    /// Its file is in use by another name.
    case usedByAnotherName(StorePlace)
    /// Its file has other names too, and what was written last may stand beside one of them.
    case hasFurtherNames(StorePlace)
    /// The connection does not sync every commit.
    case settingRefused(StorePlace, setting: String)

    // MARK: Encryption

    /// Others can read a file that holds a key.
    case readableByOthers(StorePlace)
    /// A key file that holds something else.
    case notAKey(StorePlace)
    /// The store holds encrypted payloads, and neither is a key given nor is there its key file.
    case noPayloadKey(StorePlace, file: String)
    /// The key is another one than what the store's payloads were encrypted with; `file` is where the store's own would be.
    case wrongPayloadKey(StorePlace, file: String)

    // MARK: Reading and writing

    /// Its pages or values are not what hubsend wrote.
    case corrupt(StorePlace)
    /// It was saved further than it is now: its log is lost, or an older copy stands in its place. `mark` is the file that says so.
    case logLost(StorePlace, mark: String)
    /// It is missing or empty, though what stands beside `besides` says that something was saved in it.
    case gone(StorePlace, besides: String)
    /// The file or its file system cannot be written, or it was opened for reading.
    case readOnly(StorePlace)
    /// Another file than the one that was opened, or none, stands at its path.
    case replaced(StorePlace)
    /// No room is left; what was committed stands.
    case diskFull(StorePlace)
    /// Another process held it longer than ``StoreOptions/busyTimeout``.
    case locked(StorePlace)
    /// `code` is SQLite's extended result code or `errno`.
    case inputOutput(StorePlace, code: Int)
    /// Anything else; `message` is SQLite's, which names tables and columns but no value.
    case unexpected(StorePlace, code: Int, message: String)

    // MARK: Runs

    /// A run of the same hub, campaign and occurrence is there.
    case runExists(campaign: String, occurrence: Occurrence)
    /// The id is none of this store's.
    case noSuchRun(RunID)
    /// The audience is fixed once staging has ended.
    case notStaging(RunID)
    /// Recipients came otherwise than in name order, each once.
    case unordered(RunID)
    /// The run was begun without this platform.
    case foreignPlatform(RunID, Platform)

    // MARK: Registrations

    /// The hub's id is another user's already.
    case registrationTaken
}
