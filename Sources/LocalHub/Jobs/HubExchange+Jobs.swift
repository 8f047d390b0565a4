import HTTPTypes
import Hummingbird

extension HubExchange {
    /// Accepts a job, which runs later: `POST /{hub}/jobs`.
    func createJob() throws(HubFailure) -> Response {
        let document = try JobDocument(request)
        let now = environment.now()
        let id = HubJob.makeID(at: now, random: environment.random)
        let job = HubJob(
            id: id, kind: document.kind, output: document.output, input: document.input,
            inputProperties: document.inputProperties,
            folder: "\(request.authority.host)//\(hub.name)/\(id)/", created: now, updated: now)
        try hub.update { state throws(HubFailure) in try state.jobs.add(job) }
        environment.jobs.add(id, of: hub)
        let entry = entry(job)
        return response(
            .created,
            headers: ["Content-Type": AtomEntry.contentType, "Location": entry.address],
            body: entry.xml)
    }

    /// Reads a job: `GET /{hub}/jobs/{id}`.
    ///
    /// In recordings of the service, the addresses in the response contain the id twice.
    func job(id: String) throws(HubFailure) -> Response {
        guard let job = hub.update({ $0.jobs[id] }) else { throw .unknownPath }
        let entry = entry(job)
        return response(
            .ok,
            headers: ["Content-Type": AtomEntry.contentType, "Content-Location": entry.address],
            body: entry.xml)
    }

    /// Lists the jobs, newest first: `GET /{hub}/jobs`.
    func jobs() -> Response {
        let feed = AtomFeed(
            title: "jobs", address: request.address, updated: environment.now(),
            entries: hub.update { $0.jobs.all }.map(entry))
        return response(.ok, headers: ["Content-Type": AtomFeed.contentType], body: feed.xml)
    }

    private func entry(_ job: HubJob) -> AtomEntry {
        AtomEntry(
            address: request.address(below: job.id), title: job.id, updated: job.updated,
            published: job.created, content: job.xml)
    }
}

/// The body of `POST /{hub}/jobs`: an Atom entry with a `NotificationHubJob` whose elements can be
/// in any order.
private struct JobDocument {
    private static let mostProperties = 16

    let kind: HubJob.Kind
    let output: BlobAddress
    /// The file to import; nil for an export.
    let input: BlobAddress?
    /// The input properties, which are returned unchanged.
    let inputProperties: [HubJob.Property]

    /// Reads a body; throws a 400 if it is not a job, or a 501 if its blobs are not on this
    /// machine.
    init(_ request: HubRequest) throws(HubFailure) {
        let entry = try MarkupReader.read(request.body)
        guard entry.name == "entry", let job = entry["content"]?.children.first,
            job.name == "NotificationHubJob"
        else {
            throw .invalidJob("it is not an Atom entry with a NotificationHubJob in its content")
        }
        guard let kind = job["Type"].flatMap({ HubJob.Kind(rawValue: $0.text) }) else {
            let kinds = HubJob.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidJob("its Type is not one of \(kinds)")
        }
        self.kind = kind
        guard let output = try Self.address("OutputContainerUri", of: job, for: request) else {
            throw .invalidJob("it has no OutputContainerUri")
        }
        self.output = output
        input = kind == .export ? nil : try Self.address("ImportFileUri", of: job, for: request)
        guard kind == .export || input != nil else {
            throw .invalidJob("an import requires an ImportFileUri")
        }
        let pairs = job["InputProperties"]?.children ?? []
        guard pairs.count <= Self.mostProperties else {
            throw .invalidJob("it has more than \(Self.mostProperties) InputProperties")
        }
        inputProperties = pairs.map {
            HubJob.Property(name: $0["Key"]?.text ?? "", value: $0["Value"]?.text ?? "")
        }
    }

    private static func address(
        _ name: String, of job: MarkupElement, for request: HubRequest
    ) throws(HubFailure) -> BlobAddress? {
        guard let text = job[name]?.text else { return nil }
        let address = try BlobAddress(text, name: name)
        // The hub does not store blobs, so the job would only fail later, with a less helpful
        // status.
        guard address.port != BlobAddress.port(of: request.authority) else {
            throw .invalidJob("\(name) has the port of this hub; use the port of a blob store")
        }
        return address
    }
}
