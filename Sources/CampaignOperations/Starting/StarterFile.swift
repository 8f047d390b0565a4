import CampaignFormat

/// A file of a starter folder.
struct StarterFile {
    /// Where it stands.
    enum Place {
        /// In the folder itself.
        case folder
        /// At the top of the repository, where other programs look for it.
        case repository
    }

    /// Its path from that place.
    let name: String
    let text: String
    var place = Place.folder
    /// What to do by hand when the file exists already, by its text, as the end of a sentence; nil: nothing.
    var advice: (_ there: String) -> String? = { _ in nil }
}

/// The kinds of files whose JSON Schema an editor may read beside them.
enum StarterSchema: String, CaseIterable {
    case campaign
    case config
    case devices

    /// The name of the file with the schema.
    var fileName: String { rawValue + ".schema.json" }

    var shape: FileShape {
        switch self {
        case .campaign: .campaign
        case .config: .config
        case .devices: .devices
        }
    }

    /// The line with which editors find it.
    var comment: String { "# yaml-language-server: $schema=\(fileName)\n" }
}
