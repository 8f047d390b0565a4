/// A file of a starter folder.
struct StarterFile {
    /// Where it stands.
    enum Place {
        /// In the folder itself.
        case folder
        /// At the top of the repository, where other programs look for it.
        case repository
    }

    /// Its path from there.
    let name: String
    let text: String
    var place = Place.folder
    /// What to do by hand where the file is there already, as the end of a sentence.
    var advice: String?
}

/// The kinds of files whose JSON Schema an editor may read beside them.
package enum StarterSchema: String, CaseIterable, Sendable {
    case campaign
    case config
    case devices

    /// How the file with the schema is called.
    package var fileName: String { rawValue + ".schema.json" }

    /// The line with which editors find it.
    var comment: String { "# yaml-language-server: $schema=\(fileName)\n" }
}
