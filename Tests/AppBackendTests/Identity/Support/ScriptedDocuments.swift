import CampaignCore
import TestSupport

/// A document source that a test can change, delay or make fail.
struct ScriptedDocuments: DocumentSource {
    let answer: Watched<Result<[UInt8], DocumentError>>
    let fetches = Watched(0)
    /// The milestone that a fetch waits for; nil if it does not wait.
    let hold: Watched<Milestone?> = Watched(nil)

    /// - Parameter text: the document; nil means that it is missing.
    init(_ text: String? = nil) {
        answer = Watched(text.map { .success(Array($0.utf8)) } ?? .failure(.unusableAddress))
    }

    func document(
        at address: String, limit: Int, within time: Duration
    ) async throws(DocumentError) -> [UInt8] {
        fetches.update { $0 += 1 }
        await hold.value?.wait()
        return try answer.value.get()
    }
}
