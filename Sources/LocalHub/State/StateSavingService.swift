import ServiceLifecycle

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
