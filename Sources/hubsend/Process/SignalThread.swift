import Dispatch

/// The thread on which signals are heard.
///
/// Swift's own are as few as cores, and on one core a single piece of work that reads, sorts or waits would keep a
/// signal from being heard.
final class SignalThread: TaskExecutor {
    /// The one for all signals.
    static let shared = SignalThread()

    private let queue = DispatchQueue(label: "hubsend.signals")

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
