import CampaignFormat

struct StarterFile {
    enum Place {
        case folder
        /// The top of the repository, where other programs look for the file.
        case repository
    }

    /// The path of the file, relative to the folder or to the top of the repository.
    let name: String
    let text: String
    var place = Place.folder
    /// For a file that already exists with the given text, returns what to do by hand, as the end
    /// of a sentence; nil if there is nothing to do.
    var advice: (_ there: String) -> String? = { _ in nil }
}

/// The kinds of files for which editors can use a JSON Schema in the same folder.
enum StarterSchema: String, CaseIterable {
    case campaign
    case config
    case devices

    var fileName: String { rawValue + ".schema.json" }

    var shape: FileShape {
        switch self {
        case .campaign: .campaign
        case .config: .config
        case .devices: .devices
        }
    }

    /// The line that tells editors which schema to use.
    var comment: String { "# yaml-language-server: $schema=\(fileName)\n" }
}
