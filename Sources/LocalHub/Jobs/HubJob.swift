import Foundation
import HTTPTypes

import struct Foundation.Date

/// An import or export of a hub's registrations: `NotificationHubJob` (recorded by the .NET SDK in 2020).
struct HubJob: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case export = "ExportRegistrations"
        case create = "ImportCreateRegistrations"
        case update = "ImportUpdateRegistrations"
        case delete = "ImportDeleteRegistrations"
        case upsert = "ImportUpsertRegistrations"
    }

    enum Status: String, Sendable {
        case started = "Started"
        case running = "Running"
        case completed = "Completed"
        case failed = "Failed"
    }

    struct Property: Sendable, Equatable {
        let name: String
        let value: String
    }

    let id: String
    let kind: Kind
    let output: BlobAddress
    /// The file to import; nil for an export.
    let input: BlobAddress?
    /// The input properties, which are returned unchanged.
    let inputProperties: [Property]
    /// The folder of the job's files in the container: `NAMESPACE//HUB/ID/` (recorded by the Java
    /// SDK in 2014).
    let folder: String
    let created: Date
    var updated: Date
    var status = Status.started
    /// The progress in percent.
    var progress = 0
    var failure: String?
    var outputProperties: [Property] = []

    fileprivate var hasEnded: Bool { status == .completed || status == .failed }

    /// Creates an id as the service does: from the remaining .NET ticks, so that the newest job
    /// sorts first, and a GUID.
    static func makeID(at now: Date, random: () -> UInt64) -> String {
        let end = 3_155_378_975_999_999_999
        let start = 621_355_968_000_000_000
        let ticks = start + Int((now.timeIntervalSince1970 * 10_000_000).rounded())
        return "\(end - ticks)\(GUID.make(random))"
    }

    /// In recordings of the service, a job that has just started has neither progress nor status.
    var xml: String {
        var xml = XMLText.element("JobId", id)
        if status != .started { xml += XMLText.element("Progress", String(progress)) }
        xml += XMLText.element("Type", kind.rawValue)
        if status != .started { xml += XMLText.element("Status", status.rawValue) }
        xml += XMLText.element("OutputContainerUri", output.text)
        xml += input.map { XMLText.element("ImportFileUri", $0.text) } ?? ""
        xml += Self.xml(inputProperties, in: "InputProperties")
        xml += failure.map { XMLText.element("Failure", $0) } ?? ""
        xml += Self.xml(outputProperties, in: "OutputProperties")
        xml += XMLText.element("CreatedAt", ServiceTime.sevenDigits(created))
        xml += XMLText.element("UpdatedAt", ServiceTime.sevenDigits(updated))
        return "<NotificationHubJob \(XMLText.serviceNamespaces)>\(xml)</NotificationHubJob>"
    }

    /// The Java SDK requires the prefix `d3p1`.
    private static func xml(_ properties: [Property], in name: String) -> String {
        guard !properties.isEmpty else { return "" }
        let pairs = properties.map { property in
            "<d3p1:KeyValueOfstringstring>" + XMLText.element("d3p1:Key", property.name)
                + XMLText.element("d3p1:Value", property.value)
                + "</d3p1:KeyValueOfstringstring>"
        }
        return "<\(name) xmlns:d3p1=\"\(ServiceNamespace.arrays)\">\(pairs.joined())</\(name)>"
    }
}

/// The jobs of a hub: all jobs that are waiting or running, and the newest of those that have
/// ended.
struct HubJobs: Sendable {
    static let most = 100

    private var jobs: [HubJob] = []

    var all: [HubJob] { jobs.reversed() }

    subscript(id: String) -> HubJob? {
        jobs.first { $0.id == id }
    }

    /// Adds a job, and drops the oldest job that has ended if there are too many; throws a 403 if
    /// all are waiting or running.
    mutating func add(_ job: HubJob) throws(HubFailure) {
        if jobs.count >= Self.most {
            guard let oldest = jobs.firstIndex(where: \.hasEnded) else { throw .tooManyJobs }
            jobs.remove(at: oldest)
        }
        jobs.append(job)
    }

    mutating func update(_ id: String, at now: Date, _ change: (inout HubJob) -> Void) {
        guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
        change(&jobs[index])
        jobs[index].updated = now
    }
}

extension HubFailure {
    fileprivate static let tooManyJobs = HubFailure(
        status: .forbidden,
        detail:
            "The local hub runs at most \(HubJobs.most) jobs at a time; wait until a job has ended."
    )
}
