import CampaignCore

extension BackendSettings {
    /// Files that no campaign may send to anybody.
    var secretFiles: [String] {
        [users, tls?.key, audit].compactMap(\.self) + (jwt?.keys.map(\.file) ?? [])
    }
}

extension Settings {
    /// The file that audit lines go to, absolute.
    var audit: String {
        backend.audit.map { FilePath.cleaned(invocation.absolute($0)) }
            ?? FilePath.folder(of: store) + "/audit.jsonl"
    }
}
