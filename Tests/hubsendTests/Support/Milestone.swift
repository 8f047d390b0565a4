/// Something that happens once; it may be waited for before and after.
final class Milestone: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func reach() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}
