import Foundation
import HTTPTypes

import struct Foundation.Date

/// An import or export of a hub's registrations: `NotificationHubJob` (recorded by the .NET SDK in 2020).
struct HubJob: Sendable {
    /// What a job does.
    enum Kind: String, CaseIterable, Sendable {
        case export = "ExportRegistrations"
        case create = "ImportCreateRegistrations"
        case update = "ImportUpdateRegistrations"
        case delete = "ImportDeleteRegistrations"
        case upsert = "ImportUpsertRegistrations"
    }

    /// How far a job has come.
    enum Status: String, Sendable {
        case started = "Started"
        case running = "Running"
        case completed = "Completed"
        case failed = "Failed"
    }

    /// A pair of a list of properties.
    struct Property: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// The id, unique in the hub.
    let id: String
    let kind: Kind
    /// The container that it writes to.
    let output: BlobAddress
    /// The blob that it reads; nil for an export.
    let input: BlobAddress?
    /// Further properties from its creator, which are only given back.
    let inputProperties: [Property]
    /// Where its files are in the container: `NAMESPACE//HUB/ID/` (recorded by the Java SDK in 2014).
    let folder: String
    let created: Date
    var updated: Date
    /// How far it has come.
    var status = Status.started
    /// How much is done, in percent.
    var progress = 0
    /// Why it failed; nil when it has not.
    var failure: String?
    /// The files that it has written.
    var outputProperties: [Property] = []

    /// Whether it will not change any more.
    fileprivate var hasEnded: Bool { status == .completed || status == .failed }

    /// A new id in the recorded form: what is left of .NET's time in ticks, so that the newest sorts first, and a GUID.
    static func makeID(at now: Date, random: () -> UInt64) -> String {
        let end = 3_155_378_975_999_999_999
        let start = 621_355_968_000_000_000
        let ticks = start + Int((now.timeIntervalSince1970 * 10_000_000).rounded())
        return "\(end - ticks)\(GUID.make(random))"
    }

    /// The description element; recorded: a job that has only been started has neither progress nor status.
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

    /// A list of properties; the Java SDK finds them by the very prefix `d3p1`.
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
    /// Throws a 403 when all of them wait or run.
    mutating func add(_ job: HubJob) throws(HubFailure) {
        if jobs.count >= Self.most {
            guard let oldest = jobs.firstIndex(where: \.hasEnded) else { throw .tooManyJobs }
            jobs.remove(at: oldest)
        }
        jobs.append(job)
    }

    /// Changes the job of an id, if there is one.
    mutating func update(_ id: String, at now: Date, _ change: (inout HubJob) -> Void) {
        guard let place = jobs.firstIndex(where: { $0.id == id }) else { return }
        change(&jobs[place])
        jobs[place].updated = now
    }
}

extension HubFailure {
    /// All jobs that are kept wait or run.
    fileprivate static let tooManyJobs = HubFailure(
        status: .forbidden,
        detail:
            "The local hub takes no more than \(HubJobs.most) jobs at a time; wait until one has ended."
    )
}
