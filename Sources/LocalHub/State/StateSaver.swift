import Dispatch
import Logging
import ServiceLifecycle

/// Writes the state file after changes, at most once a second.
actor StateSaver {
    /// How long there is between two writes at least.
    static let interval = Duration.seconds(1)

    private let file: StateFile
    private let namespace: HubNamespace
    private let logger: Logger
    /// Writing waits for the disk, which no thread of Swift's may do.
    private let queue = DispatchQueue(label: "hubsend.state")
    private var written: [HubRevision]?
    private var hasFailed = false

    /// Makes a saver that has written nothing.
    ///
    /// - Parameters:
    ///   - namespace: what to keep.
    ///   - file: where to keep it.
    ///   - logger: where the first of several failures in a row is logged.
    init(of namespace: HubNamespace, in file: StateFile, logger: Logger) {
        self.namespace = namespace
        self.file = file
        self.logger = logger
    }

    /// Writes what has changed since the last time, if something has.
    ///
    /// - Throws: `LocalHubError` when it cannot be written; the next call tries again.
    func save() async throws(LocalHubError) {
        // Before the copy: a change in between is written once more rather than never.
        let revision = namespace.revision
        guard revision != written else { return }
        try await write()
        written = revision
        hasFailed = false
    }

    /// Writes what has changed, and logs the first of several failures.
    fileprivate func saveOrLog() async {
        do {
            try await save()
        } catch {
            if !hasFailed {
                logger.error("The state is not kept for now.", metadata: ["error": "\(error)"])
            }
            hasFailed = true
        }
    }

    /// Writes what has changed for the last time, and releases the file for the next hub, even when that fails.
    ///
    /// - Throws: `LocalHubError` when it cannot be written.
    func finish() async throws(LocalHubError) {
        defer { file.release() }
        try await save()
    }

    private func write() async throws(LocalHubError) {
        let result: Result<Void, LocalHubError> = await withCheckedContinuation { continuation in
            queue.async { [file, namespace] in
                do throws(LocalHubError) {
                    continuation.resume(returning: .success(try file.write(namespace.saved)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        try result.get()
    }
}

/// Keeps the state file up to date while the hub runs.
struct StateSavingService: Service {
    /// What writes.
    let saver: StateSaver
    /// Waits; throws when its task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    /// Writes until the task is cancelled or a graceful shutdown comes; the last write is the server's.
    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await saver.saveOrLog()
                do {
                    try await sleep(StateSaver.interval)
                } catch {
                    return
                }
            }
        }
    }
}
