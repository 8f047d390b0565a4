package import CampaignCore

/// Why simulated devices cannot work, apart from what the backend says.
package enum DeviceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A password and a token, by their variables.
    case severalCredentials(String, String)
    /// Neither a password nor a token of a user, by their variables.
    case noCredential(of: Username, variables: [String])
    /// The hub runs within another command; `setting` names one to watch.
    case hubWithinRun(setting: String)
    /// The hub is not on this machine; `setting` names one to watch.
    case hubElsewhere(String, named: String, setting: String)
    /// The local hub has no hub of that name, or it is something else.
    case noSuchHub(String)
    /// The hub answers with a status that event streams never have.
    case unwatchable(String, status: Int)
    /// The stream is not a local hub's.
    case unreadable(String)
    case noMoreStreams(String)
    case unreachable(String)
    case unmakeableFolder(String, why: String)
    case unwritableFile(String, why: String)

    /// Whether a later attempt may succeed.
    package var isPassing: Bool {
        switch self {
        case .noMoreStreams, .unreachable: true
        case .severalCredentials, .noCredential, .hubWithinRun, .hubElsewhere, .noSuchHub,
            .unwatchable, .unreadable, .unmakeableFolder, .unwritableFile:
            false
        }
    }

    package var description: String {
        switch self {
        case .severalCredentials(let password, let token):
            "\(password) and \(token) are both set; a device signs in by one of them."
        case .noCredential(let user, let variables):
            """
            Nothing says how \(user) signs in. Set \(variables.joined(separator: " or ")), or one of them with _FILE or \
            _COMMAND behind it.
            """
        case .hubWithinRun(let setting):
            """
            The hub of hub.local lives within `hubsend run` and cannot be watched. Start `hubsend hub`, and set \
            \(setting) as it says.
            """
        case .hubElsewhere(let host, let named, let setting):
            """
            The hub \(host) in \(named) is no local hub, and only a local one tells what devices get. Start \
            `hubsend hub`, and set \(setting) as it says.
            """
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
