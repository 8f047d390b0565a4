import HTTPTypes

import struct Foundation.Date

/// The jobs of a hub: those that wait or run, and the newest of those that have ended.
struct HubJobs: Sendable {
    /// The most jobs that are kept, and that wait at a time.
    static let most = 100

    private var jobs: [HubJob] = []

    /// All of them, newest first.
    var all: [HubJob] { jobs.reversed() }

    /// The job of an id; nil when there is none.
    subscript(id: String) -> HubJob? {
        jobs.first { $0.id == id }
    }

    /// Adds a job, and lets the oldest that has ended go when there are too many.
    ///
    /// - Throws: a 403 when as many wait as can be.
    mutating func add(_ job: HubJob) throws(HubFailure) {
        if jobs.count >= Self.most {
            guard let oldest = jobs.firstIndex(where: \.hasEnded) else { throw .tooManyJobs }
            jobs.remove(at: oldest)
        }
        jobs.append(job)
    }

    /// Changes a job.
    ///
    /// - Parameters:
    ///   - id: its id; nothing happens when there is none.
    ///   - now: the hub's time.
    ///   - change: the change.
    mutating func update(_ id: String, at now: Date, _ change: (inout HubJob) -> Void) {
        guard let place = jobs.firstIndex(where: { $0.id == id }) else { return }
        change(&jobs[place])
        jobs[place].updated = now
    }
}

extension HubFailure {
    /// As many jobs wait as can be.
    fileprivate static let tooManyJobs = HubFailure(
        status: .forbidden,
        detail: "The local hub has \(HubJobs.most) jobs waiting, and takes no more; wait for one.")
}
