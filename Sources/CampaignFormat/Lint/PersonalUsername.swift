import CampaignCore

extension Rule {
    static let personalUsername = Rule(
        "personal-username", .hint,
        "An e-mail address or a phone number used as a username in the repository",
        """
        Many people can read a campaign file and the audience files next to it: these files are \
        kept in a repository and appear in reviews and build logs. Exports, which stay outside \
        the repository, and variables are not checked. An internal id tells strangers nothing.
        """,
        wrong: "audience: { usernames: [anna.schmidt@mail.example.com] }",
        right: "audience: { usernames: [customer-4711] }",
        check: personalNames)

    /// The maximum number of names reported one by one, so that a comment can switch off each
    /// finding.
    private static let most = 20

    /// Checks the names in the campaign itself; ``PersonalNames`` counts the names in its files.
    private static func personalNames(in document: LintDocument) -> [Remark] {
        guard let audience = document.audience else { return [] }
        let names = (audience.named.usernames + audience.excluded.usernames).filter {
            document.isOwn($0.range) && PersonalNames.isPersonal($0.value.text)
        }
        let others = names.count - most
        return names.prefix(most + 1).enumerated().map { number, name in
            let message: DiagnosticMessage =
                if number < most {
                    "The username \"\(audience: name.value.text)\" looks like an e-mail address or a phone number."
                } else if others == 1 {
                    "One more username looks like an e-mail address or a phone number."
                } else {
                    "\(Figures.count(others)) more usernames look like e-mail addresses or phone numbers."
                }
            return Remark(
                at: name.range, message,
                help:
                    "Everybody with access to the repository, its reviews or its build logs can see it; identify people by an internal id.",
                isPersonal: true)
        }
    }
}

extension LoadedCampaign {
    /// A hint for each file that names people by e-mail address or phone number.
    ///
    /// Leaves out exports, which are outside the repository, and files of the config's `defaults`.
    package func personalNames(in audience: CheckedAudience) -> [Diagnostic] {
        audience.personalNames.compactMap { found in
            guard let file = people?.file(number: found.first.origin.file),
                file.exportPath == nil, let entry = file.entry,
                files.place(of: entry).file == path
            else { return nil }
            let name = file.path.shortened
            let message: DiagnosticMessage =
                found.count == 1
                ? "One username in \"\(path: name)\" looks like an e-mail address or a phone number."
                : "\(found.isCut ? "At least " : "")\(Figures.count(found.count)) usernames in \"\(path: name)\" look like e-mail addresses or phone numbers."
            return finding(
                .personalUsername, at: entry, message,
                help:
                    "Everybody with access to the repository can see them; identify people by an internal id, or keep the file in the folder of exports.",
                related: ("The first such username is here.", found.first))
        }
    }
}
