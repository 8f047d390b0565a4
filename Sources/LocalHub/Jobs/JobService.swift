import ServiceLifecycle

/// Does the jobs of all hubs, one after another.
struct JobService: Service {
    /// The hubs, the clock and the queue.
    let environment: HubEnvironment

    /// Works until the task is cancelled or a graceful shutdown comes, which ends the job that runs.
    func run() async {
        await cancelWhenGracefulShutdown {
            for await entry in environment.jobs.waiting {
                guard let job = entry.hub.update({ $0.jobs[entry.id] }) else { continue }
                await JobRun(job: job, hub: entry.hub, environment: environment).run()
                environment.jobs.tellEnd(of: entry.id)
            }
        }
    }
}
