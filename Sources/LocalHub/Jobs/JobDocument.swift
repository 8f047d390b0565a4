/// The body of `POST /{hub}/jobs`: an Atom entry with a `NotificationHubJob` inside, whose elements may stand in any
/// order.
struct JobDocument {
    private static let mostProperties = 16

    /// What the job is to do.
    let kind: HubJob.Kind
    /// The container to write to.
    let output: BlobAddress
    /// The blob to read; nil for an export.
    let input: BlobAddress?
    /// What is only given back.
    let inputProperties: [HubJob.Property]

    /// Reads a body.
    ///
    /// - Parameter body: the bytes of the request.
    /// - Throws: a 400 when it describes no job, a 501 when its blobs are not on this machine.
    init(_ body: [UInt8]) throws(HubFailure) {
        let entry = try MarkupReader.read(body)
        guard entry.name == "entry", let job = entry["content"]?.children.first,
            job.name == "NotificationHubJob"
        else { throw .invalidJob("it is no Atom entry with a NotificationHubJob in its content") }
        guard let kind = job["Type"].flatMap({ HubJob.Kind(rawValue: $0.text) }) else {
            let kinds = HubJob.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidJob("its Type is none of \(kinds)")
        }
        guard let output = job["OutputContainerUri"] else {
            throw .invalidJob("it has no OutputContainerUri")
        }
        self.kind = kind
        self.output = try BlobAddress(output.text, name: "OutputContainerUri")
        if kind == .export {
            input = nil
        } else {
            guard let file = job["ImportFileUri"] else {
                throw .invalidJob("an import needs an ImportFileUri")
            }
            input = try BlobAddress(file.text, name: "ImportFileUri")
        }
        let pairs = job["InputProperties"]?.children ?? []
        guard pairs.count <= Self.mostProperties else {
            throw .invalidJob("it has more than \(Self.mostProperties) InputProperties")
        }
        inputProperties = pairs.map {
            HubJob.Property(name: $0["Key"]?.text ?? "", value: $0["Value"]?.text ?? "")
        }
    }
}
