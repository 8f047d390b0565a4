import NIOCore
import ServiceLifecycle

/// Runs the jobs of all hubs, one after another.
struct JobService: Service {
    let environment: HubEnvironment

    /// Runs jobs until the task is cancelled or the hub shuts down, which ends the current job.
    func run() async {
        await cancelWhenGracefulShutdown {
            for await entry in environment.jobs.waiting {
                guard let job = entry.hub.update({ $0.jobs[entry.id] }) else { continue }
                await JobRun(job: job, hub: entry.hub, environment: environment).run()
                environment.jobs.reportEnd(of: entry.id)
            }
        }
    }
}

final class JobQueue: Sendable {
    struct Entry: Sendable {
        let hub: HubStore
        let id: String
    }

    /// The waiting jobs; the stream supports only one reader.
    let waiting: AsyncStream<Entry>
    /// The ids of the newest jobs that have ended; the stream supports only one reader.
    let ended: AsyncStream<String>

    private let wait: AsyncStream<Entry>.Continuation
    private let end: AsyncStream<String>.Continuation

    init() {
        (waiting, wait) = AsyncStream.makeStream()
        (ended, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(HubJobs.most))
    }

    func add(_ id: String, of hub: HubStore) {
        wait.yield(Entry(hub: hub, id: id))
    }

    fileprivate func reportEnd(of id: String) {
        end.yield(id)
    }
}

private struct JobRun {
    private struct Failed: Error {
        let sentence: String
    }

    let job: HubJob
    let hub: HubStore
    let environment: HubEnvironment

    func run() async {
        change { $0.status = .running }
        do {
            let files = try await perform()
            change { job in
                job.outputProperties = files
                job.progress = 100
                job.status = .completed
            }
        } catch let failed as Failed {
            end(failed.sentence)
        } catch {
            end("The hub stopped before the job ended.")
        }
    }

    private func end(_ sentence: String) {
        change { job in
            job.failure = sentence
            job.status = .failed
        }
    }

    private func perform() async throws -> [HubJob.Property] {
        guard let input = job.input else {
            let rows = try await RegistrationExport(hub: hub, limit: environment.limits.blobBytes)
                .rows(at: environment.now()) { report($0) }
            guard let rows else {
                throw Failed(
                    sentence: "The export has more than \(environment.limits.blobBytes) bytes, "
                        + "the limit for a job.")
            }
            return [try await write(rows, to: "Output.txt", as: "OutputFilePath")]
        }
        let file: ByteBuffer
        do {
            file = try await environment.blobs.read(input)
        } catch let failure as BlobFailure {
            throw Failed(sentence: "The blob at ImportFileUri \(failure).")
        }
        var rows = RegistrationImport(kind: job.kind, hub: hub, environment: environment)
        guard try await rows.take(file, { report($0) }) else {
            throw Failed(
                sentence: "The list of failed rows has more than \(environment.limits.blobBytes) "
                    + "bytes, the limit for a job. The rows before the last failed row were "
                    + "processed.")
        }
        return [
            try await write(rows.done, to: "Output.txt", as: "OutputFilePath"),
            try await write(rows.failed, to: "Failed.txt", as: "FailedFilePath"),
        ]
    }

    private func write(
        _ bytes: ByteBuffer, to file: String, as name: String
    ) async throws -> HubJob.Property {
        do {
            try await environment.blobs.write(bytes, to: job.output.blob(named: job.folder + file))
        } catch let failure as BlobFailure {
            throw Failed(sentence: "The blob \(file) in OutputContainerUri \(failure).")
        }
        return HubJob.Property(name: name, value: job.folder + file)
    }

    /// Reports the progress through the rows, up to 99 percent; the last percent is reserved for
    /// writing the files.
    private func report(_ percent: Int) {
        change { $0.progress = min(percent, 99) }
    }

    private func change(_ change: (inout HubJob) -> Void) {
        let now = environment.now()
        hub.update { $0.jobs.update(job.id, at: now, change) }
    }
}
