/// Which files a campaign may name: those beneath one folder, less a few.
package struct FileScope: Hashable, Sendable {
    /// The folder, as a rule the config's; nil: the campaign file's own.
    package var root: String?
    /// Files and folders that no campaign may read though they lie beneath: the config, key files, store, reports.
    package var refused: [String]

    package init(root: String? = nil, refused: [String] = []) {
        self.root = root
        self.refused = refused
    }
}
