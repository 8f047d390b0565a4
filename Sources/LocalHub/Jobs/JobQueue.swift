/// The jobs that wait to be done, of all hubs, in their order, and those that have ended.
final class JobQueue: Sendable {
    /// A job of a hub.
    struct Entry: Sendable {
        let hub: HubStore
        let id: String
    }

    /// What is to be done, for one reader; the hubs bound how much waits.
    let waiting: AsyncStream<Entry>
    /// The ids of jobs that have ended, the newest of them, for one reader.
    let ended: AsyncStream<String>

    private let wait: AsyncStream<Entry>.Continuation
    private let end: AsyncStream<String>.Continuation

    /// Makes a queue without jobs.
    init() {
        (waiting, wait) = AsyncStream.makeStream()
        (ended, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(HubJobs.most))
    }

    /// Puts a job at the end.
    func add(_ id: String, of hub: HubStore) {
        wait.yield(Entry(hub: hub, id: id))
    }

    /// Tells that a job has ended.
    func tellEnd(of id: String) {
        end.yield(id)
    }
}
