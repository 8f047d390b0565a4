import CampaignCore
import TestSupport

/// A document source that a test can change, fail and hold back.
struct ScriptedDocuments: DocumentSource {
    let answer: Watched<Result<[UInt8], DocumentFault>>
    let fetches = Watched(0)
    /// A fetch waits for it; nil means for nothing.
    let hold: Watched<Milestone?> = Watched(nil)

    /// - Parameter text: the document; nil means that there is none.
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
