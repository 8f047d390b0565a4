import Dispatch
import Logging
import ServiceLifecycle

/// Writes the state file after changes, at most once a second.
actor StateSaver {
    static let interval = Duration.seconds(1)

    private let file: StateFile
    private let namespace: HubNamespace
    private let logger: Logger
    /// Waiting for the disk here would block a thread of Swift's thread pool.
    private let queue = DispatchQueue(label: "hubsend.state")
    private var written: [HubRevision]?
    private var hasFailed = false

    init(of namespace: HubNamespace, in file: StateFile, logger: Logger) {
        self.namespace = namespace
        self.file = file
        self.logger = logger
    }

    /// Writes any changes; after an error, the next call retries.
    func save() async throws(LocalHubError) {
        // The revision is read before the copy, so a change in between is written twice rather than
        // never.
        let revision = namespace.revision
        guard revision != written else { return }
        try await write()
        written = revision
        hasFailed = false
    }

    /// Logs only the first of several failures in a row.
    fileprivate func saveOrLog() async {
        do {
            try await save()
        } catch {
            if !hasFailed {
                logger.error("The state could not be saved.", metadata: ["error": "\(error)"])
            }
            hasFailed = true
        }
    }

    /// Writes the last changes, and releases the file even if that fails.
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

struct StateSavingService: Service {
    let saver: StateSaver
    let sleep: @Sendable (Duration) async throws -> Void

    /// Writes until the task is cancelled or the hub shuts down; the server performs the last
    /// write.
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
