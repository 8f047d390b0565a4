import CampaignFormat

/// Suggests the option that was probably meant by an unknown one.
enum UnknownOption {
    /// Returns a sentence about an option such as `--to`; nil if nothing is similar.
    static func remedy(
        for option: String, of command: String, among known: [String]
    ) -> String? {
        let word = option.lowercased().filter { !"-_".contains($0) }
        let meant = synonyms.first { synonym in
            synonym.words.contains(word) && (synonym.command ?? command) == command
                && known.contains { "\(synonym.option) ".hasPrefix("\($0) ") }
        }
        if meant == nil, let advice = sentences.first(where: { $0.words.contains(word) }) {
            return advice.sentence
        }
        let near = NearestName.nearest(
            to: option, among: known.filter { !sending.contains($0) })
        return (meant?.option ?? near).map { "Did you mean '\($0)'?" }
    }

    /// Options that cause a sending or cannot be undone, which are never suggested for a typo.
    private static let sending: Set = [
        "--yes", "--now", "--again", "--due", "--final", "--revoke", "--all", "--force",
    ]

    /// Names that other programs use for these options; the first option that the command has is
    /// suggested.
    private static let synonyms: [(option: String, command: String?, words: Set<String>)] = [
        ("--to", "test tests tester testers user users rehearsal rehearse recipient recipients"),
        ("--dry-run", "preview simulate simulation dryrun dry noop whatif n"),
        ("--again", "resend repeat rerun"),
        ("--again --only failed", "failed onlyfailed retry retryfailed"),
        ("--yes", "assumeyes noninteractive noconfirm confirm"),
        ("--only", "outcome outcomes status"),
        ("--json", "format"),
        ("--format jsonl", "json"),
        ("--format json", "json"),
        ("--save", "plan saveplan"),
        ("--plan", "planfile fromplan"),
        ("--output", "out outfile file"),
        ("--limit", "max count top"),
        ("--since", "from after"),
        ("--until", "before"),
        ("--strict", "werror failonwarning failonwarnings"),
        ("--disable", "ignore skip exclude"),
        ("--listen", "port bind host address"),
        ("--wait", "timeout"),
        ("--config", "configfile settings"),
        ("--store", "db database sqlite"),
        ("--quiet", "silent"),
        ("--verbose", "debug trace"),
    ].map { ($0.0, $0.0.hasSuffix(" jsonl") ? "report" : nil, words($0.1)) }

    private static let sentences: [(words: Set<String>, sentence: String)] = [
        (
            "force forced",
            "There is no option to force anything; each error says what to do about it."
        ),
        (
            "hub hubname env environment namespace connectionstring connection",
            "Set the hub in hubsend.yaml, or with HUBSEND_HUB_CONNECTION_STRING and HUBSEND_HUB_NAME."
        ),
        (
            "key token secret password",
            "There are no options for secrets. Set the secret's variable, or name a file or a command that provides it."
        ),
        (
            "audience platform platforms message title text payload kind rate",
            "Set this in the campaign file."
        ),
    ].map { (words($0.0), $0.1) }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(separator: " ").map(String.init))
    }
}
