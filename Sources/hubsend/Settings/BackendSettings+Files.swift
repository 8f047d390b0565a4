import CampaignCore
import Files

extension BackendSettings {
    /// Files that no campaign may send to anybody.
    var secretFiles: [String] {
        [users, tls?.key, audit].compactMap(\.self) + (jwt?.keys.map(\.file) ?? [])
    }
}

extension Settings {
    /// The file that audit lines go to, absolute.
    var audit: String {
        backend.audit.map { Path.cleaned(invocation.absolute($0)) }
            ?? Path.folder(of: store) + "/audit.jsonl"
    }
}
