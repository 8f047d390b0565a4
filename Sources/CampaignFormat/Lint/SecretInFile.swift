import CampaignCore
import YAMLSyntax

/// Finds keys, tokens and passwords in a campaign file, which a repository shows to everybody.
struct SecretCheck {
    /// In bytes; people do not write longer texts.
    private static let reach = 64 << 10

    private let root: YAMLNode

    init(_ root: YAMLNode) {
        self.root = root
    }

    func run(_ remarks: inout Remarks) {
        var places: [SourceRange] = []
        // Lists of people are long, and names such as random ids are not secrets.
        root.eachScalar(leavingOut: { $0.last == "usernames" }) { node, _ in
            guard let text = node.scalarText,
                SecretMask.holdsSecret(String(text.unicodeScalars.prefix(Self.reach)))
            else { return }
            places.append(node.range)
        }
        for place in places {
            remarks.add(
                .secretInFile, at: place,
                "This text holds what looks like a key, a token or a password.",
                help:
                    "Take it out, and change it where it is valid: everybody with the repository, or an old copy of it, has it."
            )
        }
    }
}
