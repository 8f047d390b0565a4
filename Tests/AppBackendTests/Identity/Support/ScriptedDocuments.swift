import CampaignCore
import TestSupport

/// Documents of a test, which can change, fail and be held back.
struct ScriptedDocuments: DocumentSource {
    /// What a fetch gets.
    let answer: Watched<Result<[UInt8], DocumentFault>>
    /// How many fetches there were.
    let fetches = Watched(0)
    /// What a fetch waits for; nil: nothing.
    let hold: Watched<Milestone?> = Watched(nil)

    /// - Parameter text: the document; nil: there is none.
    init(_ text: String? = nil) {
        answer = Watched(text.map { .success(Array($0.utf8)) } ?? .failure(.unusableAddress))
    }

    func document(
        at address: String, limit: Int, within time: Duration
    ) async throws(DocumentFault) -> [UInt8] {
        fetches.update { $0 += 1 }
        await hold.value?.wait()
        return try answer.value.get()
    }
}
