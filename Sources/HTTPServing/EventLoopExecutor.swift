import NIOCore
import NIOPosix
package import ServiceLifecycle

/// Runs a connection's tasks on its event loop, so that a request changes threads only if it has to
/// wait.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Also runs the server's own tasks, which accept connections, on an event loop.
package struct EventLoopService: Service {
    private let service: any Service

    package init(_ service: some Service) {
        self.service = service
    }

    package func run() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        try await withTaskExecutorPreference(EventLoopExecutor(eventLoop)) {
            try await service.run()
        }
    }
}
