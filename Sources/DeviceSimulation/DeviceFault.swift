/// Why simulated devices cannot do their work, apart from what the backend says.
package enum DeviceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The local hub has no hub of that name, or it is something else.
    case noSuchHub(String)
    /// The hub answers with a status that its event streams never have.
    case unwatchable(String, status: Int)
    /// What the hub tells of pushes is not written as a local hub writes it.
    case unreadable(String)
    /// The hub has no event stream left.
    case noMoreStreams(String)
    /// The hub does not listen, or went away and did not come back.
    case unreachable(String)
    /// The folder for what is fetched cannot be made.
    case unmakeableFolder(String, why: String)
    /// A file of that folder cannot be written.
    case unwritableFile(String, why: String)

    /// Whether the same may well succeed later.
    package var isPassing: Bool {
        switch self {
        case .noMoreStreams, .unreachable: true
        case .noSuchHub, .unwatchable, .unreadable, .unmakeableFolder, .unwritableFile: false
        }
    }

    /// A sentence, and what to do.
    package var description: String {
        switch self {
        case .noSuchHub(let hub):
            "There is no hub of that name at \(hub), or it is no local hub. Look at HUBSEND_HUB_NAME."
        case .unwatchable(let hub, let status):
            "The hub \(hub) cannot be watched: it answers with status \(status)."
        case .unreadable(let hub):
            "What \(hub) tells of pushes cannot be read; is it a local hub?"
        case .noMoreStreams(let hub):
            "The hub \(hub) has no more event streams; end another `hubsend device` and try again."
        case .unreachable(let hub):
            "The hub \(hub) cannot be reached. Start `hubsend hub` and try again."
        case .unmakeableFolder(let path, let why):
            "The folder \(path) of --save cannot be made: \(why). Name one that can be written."
        case .unwritableFile(let path, let why): "The file \(path) cannot be written: \(why)."
        }
    }
}
